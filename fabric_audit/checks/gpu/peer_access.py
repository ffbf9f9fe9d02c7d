"""GPUs of one host may read and write each other's memory, wherever their path allows it.

Why: without peer access NCCL copies between two GPUs through host memory, at a tenth of NVLink's speed. NVLinks can be
up while peer access is refused: fabric manager not running, another driver version, a partition.

Fix: start nvidia-fabricmanager in the driver's version; in a virtual machine pass all GPUs and NVSwitches of a
partition; see ACS and IOMMU for GPUs below PCIe switches.

Source: `nvidia-smi topo -p2p r|w` legend (OK, CNS, GNS, TNS, NS, DR). Pairs across a host bridge (PHB, NODE, SYS) are
not judged: chipsets differ in what they allow.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS
RESTS_ON = ("gpu_link",)
FAR = ("PHB", "NODE", "SYS")
WAYS = frozenset({"read", "write"})


def check(gpu_p2p: "pd.DataFrame", gpu_link: "pd.DataFrame", target: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a pair of GPUs; one for a host with a single GPU."""
    ways: dict[tuple[str, int, int], list[Any]] = {}
    for row in rows(gpu_p2p, capability=WAYS):
        ways.setdefault((row.target, min(row.gpu, row.peer), max(row.gpu, row.peer)), []).append(row)
    pairs = list(rows(gpu_link))
    found = (_judged(pair, ways.get((pair.target, pair.gpu, pair.peer), [])) for pair in pairs)
    yield from by_target(found, "pairs of GPUs")
    paired = {pair.target for pair in pairs}
    for host in rows(target, kind="host"):
        if host.target not in paired and host.gpus == 1:
            yield skipped((host.target,), "it has one GPU")


def _judged(pair: Any, ways: list[Any]) -> Finding:
    subject = (pair.target, f"GPU{pair.gpu}", f"GPU{pair.peer}")
    if pair.path in FAR:
        return skipped(subject, f"their path crosses a host bridge ({pair.path})")
    refused = sorted({f"{row.capability} {row.status}" for row in ways if row.allowed is False})
    if not refused and (not ways or any(row.allowed is None for row in ways)):
        return unknown(subject, "whether they may reach each other's memory is not known", pair)
    return Finding(
        verdict=Verdict.FAIL if refused else Verdict.PASS,
        subject=subject,
        message=f"peer access is refused: {', '.join(refused)}" if refused else "may reach each other's memory",
        expected="OK for read and write in both directions",
        observed=", ".join(refused) or "OK",
        remedy="start fabric manager in the driver's version; see ACS and IOMMU below PCIe switches" if refused else "",
        remedy_source="nvidia-smi topo -p2p",
        evidence=evidence(*ways[:4]),
    )
