"""No pair is much slower to answer than pairs the same number of switches apart.

Why: small messages and barriers wait for the slowest answer. A pair whose latency is twice that of its like takes a
longer path than it should, or queues behind somebody else's traffic.

Fix: see which path it takes (routing, a rail that crosses a spine); then who fills the queues on it; power management
of CPU and PCIe on the host that is slow with all its peers.

Source: NVIDIA ClusterKit compares with the pod; the limit is the policy's `latency_ratio_limit` times the median of
pairs whose leaves are the same, or of pairs whose leaves differ. Articles' figures for single pairs are no limits.
"""

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.fabric_paths import fabric_paths
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS
RESTS_ON = ("pair_result",)
ENOUGH = 4
"""Results of a kind without which a median means little."""


def check(
    pair_result: "pd.DataFrame", link: "pd.DataFrame", fabric: "pd.DataFrame", design: "Designs"
) -> Iterator[Finding]:
    """One finding a latency test."""
    opposite = fabric_paths(rows(link)).opposite
    kinds: dict[tuple[str, str, bool | None], list[Any]] = {}
    for row in rows(pair_result, outcome="ok"):
        if row.tool.endswith("_lat") and row.latency_typical_us is not None:
            leaves = [opposite.get(end) for end in ((row.client, row.client_port), (row.server, row.server_port))]
            near = None if None in leaves else leaves[0][0] == leaves[1][0]  # type: ignore[index]
            kinds.setdefault((row.tool, row.memory, near), []).append(row)
    for (_, _, near), some in kinds.items():
        middle = median(row.latency_typical_us for row in some)
        for row in some:
            yield _judged(row, middle, near, design.of(row.client).latency_ratio_limit, enough=len(some) >= ENOUGH)
    if not kinds:
        yield from (skipped((row.name,), "no latency test was planned") for row in rows(fabric))


def _judged(row: Any, middle: float, near: bool | None, limit: float, *, enough: bool) -> Finding:
    subject = (row.client, f"rail {row.rail}", row.server, row.tool, row.memory)
    if not enough:
        return skipped(subject, "too few pairs of its kind to compare it with")
    where = {True: "below one leaf", False: "across leaves", None: "of the pod"}[near]
    slow = row.latency_typical_us > limit * middle
    words = f"{row.latency_typical_us:g} us, the median {where} is {middle:g} us"
    return Finding(
        verdict=Verdict.FAIL if slow else Verdict.PASS,
        subject=subject,
        message=f"{row.client} to {row.server} on rail {row.rail}: {words}",
        expected=f"at most {limit * middle:.3g} us",
        observed=f"{row.latency_typical_us:g} us",
        remedy="see which path it takes and who fills its queues" if slow else "",
        evidence=evidence(row),
    )
