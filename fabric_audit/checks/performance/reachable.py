"""Every pair that was to be tested could exchange RDMA traffic.

Why: a pair that cannot connect, or connects and completes nothing, is a job that hangs at start or dies with error 12.
Ping works between them; only RDMA tells.

Fix: the finding says what failed. Could not connect: GID types and indexes of both ends, MTU, routes. Nothing came back
(retry exceeded, no iterations): the path drops RDMA packets: class, MTU, an ACL on UDP port 4791, a link that is
one-way. Link down: cable and switch port.

Source: perftest's own words and completion statuses (InfiniBand Architecture 1.3, 11.6.2). Tests that failed for the
tool's or the host's own reasons say nothing of the fabric, and are unknown in performance.line-rate.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.facts.performance import Outcome
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.PAIRS
BROKEN = frozenset(
    {Outcome.LINK_DOWN, Outcome.LINK_CUT, Outcome.NOT_CONNECTED, Outcome.RETRY_EXCEEDED, Outcome.COMPLETION_ERROR}
)
"""Outcomes that are the fabric's, or the NICs'."""


def check(pair_result: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a pair and rail in each direction, with host memory."""
    tests: dict[tuple[str, int, str], list[Any]] = {}
    for row in rows(pair_result, memory="host"):
        tests.setdefault((row.client, row.rail, row.server), []).append(row)
    for (client, rail, server), some in tests.items():
        broken = [row for row in some if row.outcome in BROKEN]
        worked = [row for row in some if row.outcome == Outcome.OK]
        if broken or worked:
            yield _judged((client, f"rail {rail}", server), broken, worked)


def _judged(subject: tuple[str, str, str], broken: list[Any], worked: list[Any]) -> Finding:
    words = ", ".join(sorted({f"{row.tool} {str(row.outcome).replace('_', ' ')}" for row in broken}))
    said = next((row.message for row in broken if row.message), "")
    return Finding(
        verdict=Verdict.FAIL if broken else Verdict.PASS,
        subject=subject,
        message=f"{subject[0]} does not reach {subject[2]} on {subject[1]}: {words}" if broken else "reached",
        expected="a result of every test",
        observed=said or words or "results",
        remedy="see GIDs, MTU and class of both ends, then what the path drops" if broken else "",
        evidence=evidence(*(broken or worked)[:4]),
    )
