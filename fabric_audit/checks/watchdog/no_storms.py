"""No PFC watchdog fired while it was watched.

Why: a watchdog that fires has seen a queue paused without an end: a NIC or a host that hangs, or pause going round in a
circle. What it saved the fabric from cost the packets of that queue.

Fix: look at the NIC at the other end of the port first: its host hung, its driver was reloaded, its PCIe link stalls.
On a port between switches, look downstream for the port where pause begins (counters.pause-storm).

Source: SONiC PFC Watchdog design (storms detected and restored); RDMA over Commodity Ethernet at Scale, SIGCOMM 2016,
section 4.3. Growth during the run counts. Platforms list only ports where a watchdog fired: no row is no storm.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.readings import intervals
from fabric_audit.checks.counted import READ_ONCE
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent, skipped
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.SWITCHES
BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class _Fired:
    """A watchdog that fired, how often, and the reading that tells it."""

    times: int
    row: Any


def check(
    pfc_watchdog: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
    coverage: Sequence[CoverageRow],
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    fired: dict[tuple[str, str], list[_Fired]] = {}
    for one in _fired(pfc_watchdog):
        fired.setdefault((one.row.target, one.row.port), []).append(one)
    again = {row.target for row in coverage if row.phase != BASELINE and "pfc_watchdog" in row.tables}
    for port in rows(fabric_port, side={"host", "fabric"}):
        end = (port.target, port.port)
        if not design.of(port.target).watchdog_required:
            yield not_asked(end, "watchdog_required")
        elif (port.target, "pfc_watchdog.storms_detected") in cannot:
            yield silent(end, "whether the watchdog fired", cannot, "pfc_watchdog.storms_detected")
        elif port.target not in again:
            yield skipped(end, READ_ONCE)
        else:
            yield _judged(end, fired.get(end, []))


def _fired(pfc_watchdog: "pd.DataFrame") -> Iterator[_Fired]:
    for one in intervals(pfc_watchdog, ("queue",), ("storms_detected",)):
        if times := one.grew("storms_detected"):
            yield _Fired(times, one.row)
    before = {(row.target, row.port, row.queue) for row in rows(pfc_watchdog, phase=BASELINE)}
    for row in rows(pfc_watchdog):
        if (row.target, row.port, row.queue) not in before and row.storms_detected:
            before.add((row.target, row.port, row.queue))
            yield _Fired(row.storms_detected, row)


def _judged(end: tuple[str, str], fired: Sequence[_Fired]) -> Finding:
    times = sum(one.times for one in fired)
    queues = ", ".join(sorted({str(one.row.queue) for one in fired}))
    return Finding(
        verdict=Verdict.FAIL if fired else Verdict.PASS,
        subject=end,
        message=f"the watchdog fired {times} times on queue {queues}" if fired else "the watchdog did not fire",
        expected="no storm",
        observed=f"{times} storms",
        remedy="look at the NIC at the other end, or downstream for the port where pause begins" if fired else "",
        evidence=evidence(*(one.row for one in fired[:4])),
    )
