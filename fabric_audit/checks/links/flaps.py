"""No link of the RDMA fabric went down during the run, nor too often before.

Why: a link that goes down for a second kills every queue pair on it, and with it the job: NCCL does not reconnect. A
port that flaps once an hour makes no other symptom than jobs that die at random.

Fix: cable and module first: reseat, clean, replace, at both ends; then compare FEC and autonegotiation. What the
module says: `ethtool -m IF`, `mlxlink -d DEV -m`, `show interfaces transceiver`.

Source: carrier_down_count (Linux sysfs-class-net), link_down_events_phy (mlx5 counters), linkStatusChanges (EOS); the
limit a day is the policy's `link_flaps_limit`. Totals are judged only where the target says how long it has counted.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import READ_ONCE, by_port, summed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
RESTS_ON = ("counter", "fabric_port")
DAY_S = 86400.0
DOWN = frozenset({"carrier_down_count", "link_down_events_phy", "link_down_events", "link_downed", "Link Down Counter"})
"""Counters of losses alone, of hosts; others count both directions."""


def check(
    counter: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    system: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    grown = by_port(counter, ("flap",), fabric_port, rdma_port)
    netdevs = {(row.target, row.device): row.netdev for row in rows(rdma_port)}
    days = {row.target: max(1.0, row.uptime_s / DAY_S) for row in rows(system) if row.uptime_s is not None}
    totals: dict[tuple[str, str], Any] = {}
    for row in rows(counter, counter_class="flap", name=DOWN, phase="baseline"):
        end = (row.target, netdevs.get((row.target, row.port.split("/")[0]), row.port))
        if row.value is not None and row.value > (totals[end].value if end in totals else -1):
            totals[end] = row
    for port in rows(fabric_port):
        end = (port.target, port.port)
        limit = design.of(port.target).link_flaps_limit * days[port.target] if port.target in days else None
        yield _judged(end, grown.get(end), totals.get(end), limit)


def _judged(end: tuple[str, str], signs: list[Growth] | None, total: Any, limit: float | None) -> Finding:
    moved = [sign for sign in signs or () if sign.delta.value]
    if moved:
        return _fail(end, f"went down during the run: {summed(moved)}", "no growth", *(sign.row for sign in moved))
    if total is not None and limit is not None and total.value > limit:
        words = f"went down {total.value} times since it counts"
        return _fail(end, words, f"at most {limit:g} in that time", total)
    if signs is None and (total is None or limit is None):
        return skipped(end, READ_ONCE)
    words = "its link stayed up" if signs is not None else "went down no more often than the policy allows"
    return Finding(verdict=Verdict.PASS, subject=end, message=words, evidence=evidence(total))


def _fail(end: tuple[str, str], words: str, expected: str, *seen: Any) -> Finding:
    return Finding(
        verdict=Verdict.FAIL,
        subject=end,
        message=words,
        expected=expected,
        observed=words,
        remedy="reseat, clean or replace module and cable at both ends; compare FEC and autonegotiation",
        evidence=evidence(*seen[:4]),
    )
