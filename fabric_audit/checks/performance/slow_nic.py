"""No NIC is slower than the rest of the pod with all of its peers.

Why: a slow pair has two ends and a path. A NIC that is slow with every peer, in one direction or both, is the one to
mend, and the pairs it makes slow are its symptoms. All-reduce waits for it in every step.

Fix: slow in both directions: PCIe width or speed, NUMA placement, a port at half rate. Slow as receiver only: PCIe
writes, relaxed ordering, the cable's receive lane. Slow as sender only: PCIe reads (MaxReadReq), a rate limiter.

Source: judged against the median of the pod for the same tool and memory, by the policy's `pod_bandwidth_floor`. A pair
that no NIC explains alone is listed as one that cannot be told apart.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.blame import Blame, Observation
from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import never_tested, slow_nics, subject_of
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS


def check(pair_result: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a slow NIC, one a slow pair that nobody explains, and one for every NIC that is not slow."""
    found = slow_nics(pair_result, design.fabric.pod_bandwidth_floor)
    blamed: dict[tuple[str, ...], Finding] = {}
    unexplained: list[Finding] = []
    for (tool, memory), (verdict, middle) in found.items():
        for culprit in verdict.blamed:
            blamed.setdefault(subject_of(culprit), _slow(culprit, middle, f"{tool}, {memory} memory", pair_result))
        unexplained += [_open(o, tool, memory) for o in verdict.unexplained]
    yield from blamed.values()
    yield from unexplained
    yield from never_tested(pair_result)
    tested = {(row.client, f"rail {row.rail}") for row in rows(pair_result, outcome="ok")}
    for subject in sorted(tested - set(blamed)):
        yield Finding(verdict=Verdict.PASS, subject=subject, message="as fast as the rest of the pod with its peers")


def _slow(culprit: Blame, middle: float, kind: str, pair_result: "pd.DataFrame") -> Finding:
    mine = [row for row in rows(pair_result, rail=culprit.rail, outcome="ok") if _is_part(row, culprit)]
    speeds = sorted(row.bandwidth_bps for row in mine if row.bandwidth_bps is not None)
    usual = speeds[len(speeds) // 2] if speeds else 0.0
    how = {"sends": "sends slowly", "receives": "receives slowly", "both": "is slow in both directions"}[culprit.role]
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject_of(culprit),
        message=f"{culprit.host} rail {culprit.rail} {how}: {usual / 1e9:.4g} Gb/s where the pod's median is "
        f"{middle / 1e9:.4g} Gb/s ({culprit.bad} of its {culprit.seen} results, {kind})",
        expected=f"about {middle / 1e9:.4g} Gb/s, as the other NICs",
        observed=f"{usual / 1e9:.4g} Gb/s",
        remedy="look at the NIC's PCIe width and speed, its NUMA placement, then at cable and port rate",
        evidence=evidence(*mine[:3]),
    )


def _is_part(row: object, culprit: Blame) -> bool:
    ends = {"sends": ("client",), "receives": ("server",), "both": ("client", "server")}[culprit.role]
    return any(getattr(row, end) == culprit.host for end in ends)


def _open(observation: Observation, tool: str, memory: str) -> Finding:
    return Finding(
        verdict=Verdict.FAIL,
        subject=(observation.client, f"rail {observation.rail}", observation.server, tool, memory),
        message=f"{observation.client} to {observation.server} is slow; which end or what between them cannot be told"
        " apart: test both against other hosts",
        remedy=f"run again with --traffic tournament, or --limit {observation.client},{observation.server} and a third",
    )
