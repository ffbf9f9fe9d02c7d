"""No NIC is slower than the rest of the pod with all of its peers.

Why: a slow pair has two ends and a path. A NIC that is slow with every peer, in one direction or both, is the one to
mend, and the pairs it makes slow are its symptoms. All-reduce waits for it in every step.

Fix: slow in both directions: PCIe width or speed, NUMA placement, a port at half rate. Slow as receiver only: PCIe
writes, relaxed ordering, the cable's receive lane. Slow as sender only: PCIe reads (MaxReadReq), a rate limiter.

Source: judged against the median of the pod for the same tool, memory and line rate, below one leaf or across leaves,
by the policy's `pod_bandwidth_floor` and by the pod's own scatter (median absolute deviation). A NIC that is slow with
GPU memory alone has a slow path to its GPU. A pair that nothing explains alone is listed: it cannot be told apart.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.collectives import impact
from fabric_audit.analysis.sides import Blame, Observation
from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import never_tested, slow_pairs, subject_of
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS
RESTS_ON = ("pair_result",)


def check(
    pair_result: "pd.DataFrame", link: "pd.DataFrame", target: "pd.DataFrame", design: "Designs"
) -> Iterator[Finding]:
    """One finding a slow NIC, one a slow pair that nobody explains, and one for every NIC that is not slow."""
    found = slow_pairs(pair_result, link, design.fabric.pod_bandwidth_floor)
    culprits: dict[tuple[str, ...], list[tuple[Blame, str, str]]] = {}
    for (tool, memory), one in found.items():
        for culprit in one.verdict.blamed:
            culprits.setdefault(subject_of(culprit), []).append((culprit, tool, memory))
    gpus = sum(row.gpus or 0 for row in rows(target))
    for kinds in culprits.values():
        culprit, tool, memory = kinds[0]
        only_gpu = all("gpu" in memory for _, _, memory in kinds) and any(memory == "host" for _, memory in found)
        same = rows(pair_result, rail=culprit.rail, outcome="ok", tool=tool, memory=memory)
        mine = [row for row in same if _is_part(row, culprit)]
        yield _slow(culprit, mine, found[tool, memory].median_bps, gpus, gpu_path=only_gpu)
    for (tool, memory), one in found.items():
        yield from (_open(o, tool, memory) for o in one.verdict.unexplained)
    yield from never_tested(pair_result)
    tested = {(row.client, f"rail {row.rail}") for row in rows(pair_result, outcome="ok")}
    for subject in sorted(tested - set(culprits)):
        yield Finding(verdict=Verdict.PASS, subject=subject, message="as fast as the rest of the pod with its peers")


def _slow(culprit: Blame, mine: Sequence[Any], middle: float, gpus: int, *, gpu_path: bool) -> Finding:
    speeds = sorted(row.bandwidth_bps for row in mine if row.bandwidth_bps is not None)
    usual = speeds[len(speeds) // 2] if speeds else 0.0
    how = {"sends": "sends slowly", "receives": "receives slowly", "both": "is slow in both directions"}[culprit.role]
    name = f"{culprit.host} rail {culprit.rail}"
    kind = f"{mine[0].tool}, {mine[0].memory} memory" if mine else ""
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject_of(culprit),
        message=f"{name} {how}: {usual / 1e9:.4g} Gb/s where the pod's median is {middle / 1e9:.4g} Gb/s"
        f" ({culprit.bad} of its {culprit.seen} results, {kind})"
        f"{', and not with host memory: its path to the GPU' if gpu_path else ''}",
        expected=f"about {middle / 1e9:.4g} Gb/s, as the other NICs",
        observed=f"{usual / 1e9:.4g} Gb/s; {impact(name, usual, middle, gpus)}",
        remedy="look at the path between NIC and GPU: ACS, IOMMU, PCIe switch, NUMA node"
        if gpu_path
        else "look at the NIC's PCIe width and speed, its NUMA placement, then at cable and port rate",
        evidence=evidence(*mine[:3]),
    )


def _is_part(row: object, culprit: Blame) -> bool:
    ends = {"sends": ("client",), "receives": ("server",), "both": ("client", "server")}[culprit.role]
    return any(getattr(row, end) == culprit.host for end in ends)


def _open(observation: Observation, tool: str, memory: str) -> Finding:
    between = "which end cannot be told" if observation.near else "which end or what between them cannot be told"
    again = ", also with other queue pairs" if observation.firm and not observation.near else ""
    return Finding(
        verdict=Verdict.FAIL,
        subject=(observation.client, f"rail {observation.rail}", observation.server, tool, memory),
        message=f"{observation.client} to {observation.server} is slow{again}; {between} apart: test both with others",
        remedy="run again with --traffic adaptive, or --limit "
        f"{observation.client},{observation.server} and two hosts that are well",
    )
