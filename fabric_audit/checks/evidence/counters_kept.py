"""No counters were cleared, and no driver reloaded, while the audit watched.

Why: growth is told from two readings. Counters that somebody clears in between, or a driver that is reloaded, hide
whatever happened before, and a fabric looks clean that is not.

Fix: run again, and let nobody clear counters meanwhile (`sonic-clear`, `clear counters`, monitoring agents that clear
what they read).

Source: a counter that cannot wrap in the time between went down (RFC 1982 arithmetic for those that can).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.deltas import DeltaKind
from fabric_audit.analysis.growth import growths
from fabric_audit.analysis.readings import intervals
from fabric_audit.checks.counted import READ_ONCE
from fabric_audit.checks.counters.pauses import COLUMNS
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.facts.counters import CounterClass
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS
RESTS_ON = ("counter",)
BASELINE = "baseline"
WIDE = 64
"""Bits of a counter that goes back for no other reason: a narrow one may have wrapped more than once."""
TX = ("tx_packets", "tx_bytes")


def check(
    counter: "pd.DataFrame",
    pfc_counter: "pd.DataFrame",
    queue_counter: "pd.DataFrame",
    target: "pd.DataFrame",
    coverage: Sequence[CoverageRow],
) -> Iterator[Finding]:
    """One finding a target that was read more than once."""
    again = {row.target for row in coverage if row.phase != BASELINE and "counter" in row.tables}
    lost: dict[str, list[Any]] = {}
    for sign in growths(counter, [kind.value for kind in CounterClass if kind is not CounterClass.OTHER]):
        wide = sign.row.bits is None or sign.row.bits >= WIDE
        if sign.delta.kind is DeltaKind.RESET and sign.row.scope != "gauge" and wide:
            lost.setdefault(sign.target, []).append((f"{sign.port} {sign.name}", sign.row))
    for frame, keys, columns in ((pfc_counter, ("priority",), COLUMNS), (queue_counter, ("queue", "group"), TX)):
        for one in intervals(frame, keys, columns):
            back = next((name for name, delta in one.growth.items() if delta.kind is DeltaKind.RESET), None)
            if back:
                lost.setdefault(one.target, []).append((f"{one.port} {back}", one.row))
    for row in rows(target):
        if row.target in again:
            yield _judged(row.target, lost.get(row.target, []))
        else:
            yield skipped((row.target,), READ_ONCE)


def _judged(name: str, lost: list[Any]) -> Finding:
    shown = ", ".join(words for words, _ in lost[:3])
    return Finding(
        verdict=Verdict.UNKNOWN if lost else Verdict.PASS,
        subject=(name,),
        message=f"{len(lost)} counters began again at zero, {shown} among them" if lost else "no counter went back",
        expected="counters that only grow",
        observed=f"{len(lost)} counters were reset" if lost else "they only grew",
        remedy="run again, and let nobody clear counters meanwhile" if lost else "",
        evidence=evidence(*(row for _, row in lost[:4])),
    )
