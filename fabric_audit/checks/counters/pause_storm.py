"""No port of the RDMA fabric stands paused for long, and where pause spreads from is known.

Why: a paused port delays every flow on it, also those that cross no congested link. Pause spreads hop by hop against
the traffic, until ports far from the cause stand still; nothing is dropped, every link is up, and all-reduce takes
twice as long on some days.

Fix: at the port where pause begins, not where it is seen: a NIC that pauses is a slow receiver; a switch that pauses
without being paused itself has too much traffic for one of its ports: incast, unequal ECMP, ECN that marks too late.

Source: PFC-MIB ieee8021PfcIndications; time by rx_prioN_pause_duration, else by frames: one asks for at most 65535
quanta of 512 bit times (IEEE 802.3 annex 31B), so that frames bound the time and prove nothing. Limits by load:
`pause_share_idle`, `pause_share_one_to_one`, `pause_share_incast`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric_audit.analysis.fabric_paths import End, fabric_paths
from fabric_audit.checks.counted import READ_ONCE
from fabric_audit.checks.counters.pauses import Pause, pauses, too_long
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
RESTS_ON = ("fabric_port",)
ID = "counters.pause-storm"
SLOW_RECEIVER = "counters.slow-receiver"


def check(
    pfc_counter: "pd.DataFrame",
    interface: "pd.DataFrame",
    link: "pd.DataFrame",
    pair_result: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a port; one that another port's pause spreads to names that port."""
    seen = pauses(pfc_counter, interface, pair_result, "rx", design)
    nics = {(port.target, port.port) for port in rows(fabric_port, side="nic")}
    worst = {end: pause for end, some in seen.items() if (pause := too_long(some, design.of(end[0])))}
    spreading = _spreading(worst, fabric_paths(rows(link)).opposite, frozenset(nics))
    for port in rows(fabric_port):
        end = (port.target, port.port)
        if end not in seen:
            yield skipped(end, f"it counts no pause of a lossless priority, or {READ_ONCE}")
        elif end in worst:
            yield _paused(end, worst[end], worst[end].limit(design.of(end[0])), spreading)
        else:
            yield Finding(
                verdict=Verdict.PASS,
                subject=end,
                message=f"paused {seen[end][0].words}",
                evidence=evidence(seen[end][0].interval.row),
            )


@dataclass(frozen=True, slots=True)
class _Spreading:
    """How pause spreads from port to port."""

    opposite: Mapping[End, End]
    nics: frozenset[End]
    ahead: Mapping[End, End]
    """Paused port → the paused port whose pause is passed on to it: of the switch at its other end, the worst."""

    def circle(self, end: End) -> bool:
        """Whether following pause from port to port leads back to this one: a deadlock."""
        at, met = self.ahead.get(end), set[End]()
        while at is not None and at not in met:
            if at == end:
                return True
            met.add(at)
            at = self.ahead.get(at)
        return False


def _spreading(worst: Mapping[End, Pause], opposite: Mapping[End, End], nics: frozenset[End]) -> _Spreading:
    by_target: dict[str, list[End]] = {}
    for end in sorted(worst, key=lambda end: (worst[end].share, end), reverse=True):
        by_target.setdefault(end[0], []).append(end)
    ahead: dict[End, End] = {}
    for end in worst:
        there = opposite.get(end)
        worst_there = (other for other in by_target.get(there[0], ()) if other != there) if there else iter(())
        if (other := next(worst_there, None)) is not None:
            ahead[end] = other
    return _Spreading(opposite, nics, ahead)


def _paused(end: End, pause: Pause, limit: float, spreading: _Spreading) -> Finding:
    there, ahead = spreading.opposite.get(end), spreading.ahead.get(end)
    circle = spreading.circle(end)
    explained_by = f"{ID}:{'/'.join(ahead)}" if ahead and not circle else ""
    if there in spreading.nics and there is not None:
        why, explained_by = f"{' '.join(there)} cannot absorb its traffic", f"{SLOW_RECEIVER}:{'/'.join(there)}"
    elif circle:
        why = "pause goes round in a circle of switches: a deadlock"
    elif ahead:
        why = f"{ahead[0]} passes on the pause of its port {ahead[1]}"
    else:
        why = f"{there[0]} is congested itself" if there else "its other end is not known"
    return Finding(
        verdict=Verdict.FAIL if pause.exact else Verdict.NOT_VERIFIABLE,
        subject=end,
        message=f"paused {pause.words}, at most {limit:.1%} allowed; {why}",
        expected=f"at most {limit:.1%} {pause.load.words}",
        observed=pause.words,
        remedy="look where pause begins" if explained_by else "spread the load, or let ECN mark earlier",
        evidence=evidence(pause.interval.row),
        explained_by=explained_by if pause.exact else "",
    )
