"""The lossless class drops nothing on any switch port.

Why: a drop in the class that PFC was to keep whole is a broken promise: headroom too small, a peer that does not obey
pause, a map that puts the class elsewhere. RDMA answers each with a window sent again.

Fix: drops at ingress with pause sent: headroom (buffers.headroom). Drops without pause: maps, or WRED (qos, ecn). Drops
while a watchdog fired: the storm it ended.

Source: queue and priority group drop counters; sonic-net/sonic-mgmt, rocev2 tests (a lossless class loses no frame);
the limit is the policy's `lossless_drops_limit`. Growth during the run counts.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.readings import Interval, intervals
from fabric_audit.checks.counted import READ_ONCE
from fabric_audit.checks.landing import Landing, landings
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
RESTS_ON = ("queue_counter", "fabric_port")
DROPS = ("drop_packets", "wred_drop_packets")


def check(
    queue_counter: "pd.DataFrame",
    pfc_counter: "pd.DataFrame",
    dscp_map: "pd.DataFrame",
    traffic_class_map: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    lands = landings(dscp_map, traffic_class_map, {one.roce_dscp for one in design.all})
    counted: dict[tuple[str, str], list[Interval]] = {}
    for one in intervals(queue_counter, ("queue", "group"), DROPS):
        wanted = design.of(one.target)
        mine = one.key in _lossless(lands.get((one.target, one.port, wanted.roce_dscp)), wanted)
        if mine and one.growth["drop_packets"].value is not None:
            counted.setdefault((one.target, one.port), []).append(one)
    sent = (one for one in intervals(pfc_counter, ("priority",), ("tx_frames",)) if one.grew("tx_frames"))
    paused = {(one.target, one.port) for one in sent}
    for port in rows(fabric_port, side={"host", "fabric"}):
        end, wanted = (port.target, port.port), design.of(port.target)
        if not wanted.pfc_required:
            yield not_asked(end, "pfc_required")
        elif end not in counted:
            yield skipped(end, f"its queues count no drops, or {READ_ONCE}")
        else:
            yield _judged(end, counted[end], wanted, paused=end in paused)


def _lossless(to: Landing | None, wanted: "Design") -> set[tuple[int, bool]]:
    """(queue or group, whether it is a group) of the lossless class; the priorities' own numbers where no map tells."""
    numbers = wanted.lossless_priorities
    queues = numbers if to is None or to.queue is None else (to.queue,)
    groups = numbers if to is None or to.pg is None else (to.pg,)
    return {*((queue, False) for queue in queues), *((group, True) for group in groups)}


def _judged(end: tuple[str, str], counted: list[Interval], wanted: "Design", *, paused: bool) -> Finding:
    lost = [one for one in counted if one.grew("drop_packets")]
    total = sum(one.grew("drop_packets") for one in lost)
    early = sum(one.grew("wred_drop_packets") for one in counted)
    wrong = total > wanted.lossless_drops_limit
    where = ", ".join(sorted({f"{'priority group' if one.key[1] else 'queue'} {one.key[0]}" for one in lost}))
    why = "WRED drops instead of marking" if early else "headroom is too small" if paused else "no pause was sent"
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"{total} packets of the lossless class were dropped in {where}; {why}"
        if wrong
        else "no lossless drops",
        expected=f"at most {wanted.lossless_drops_limit}",
        observed=f"{total} packets",
        remedy="see headroom where pause was sent, maps and WRED where none was" if wrong else "",
        evidence=evidence(*(one.row for one in (lost or counted)[:4])),
    )
