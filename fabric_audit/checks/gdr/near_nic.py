"""Every GPU has a compute NIC that it reaches without crossing a host bridge.

Why: NCCL uses GPUDirect RDMA only where NIC and GPU hang under the same PCIe switches (PIX or PXB). Across a host
bridge (PHB, NODE, SYS) it stages through host memory, or the transfer crosses the CPU and halves.

Fix: move the card to the slot beside its GPU; in a VM pass the real PCIe tree, or give NCCL a topology file. On Grace
systems GPU and NIC hang off the CPU and SYS is normal: NCCL reaches the NIC through C2C.

Source: NVIDIA `nvidia-smi topo -m` legend; NCCL `src/graph/paths.cc`, default level PXB.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS
NEAR = ("PIX", "PXB")
GRACE = ("GB200", "GB300", "GH200")


def check(gpu_nic_path: "pd.DataFrame", gpu: "pd.DataFrame", intended_nic: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a GPU."""
    compute = {(row.target, row.device) for row in rows(intended_nic, role="compute")}
    paths: dict[tuple[str, int], list[Any]] = {}
    for row in rows(gpu_nic_path):
        if (row.target, row.nic) in compute:
            paths.setdefault((row.target, row.gpu), []).append(row)
    for one in rows(gpu):
        yield _judged(one, paths.get((one.target, one.gpu), []))


def _judged(one: Any, paths: list[Any]) -> Finding:
    subject = (one.target, f"GPU{one.gpu}")
    if not paths:
        words = f"how GPU{one.gpu} of {one.target} reaches its NICs is not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(one))
    near = [path for path in paths if path.path in NEAR]
    grace = any(word in (one.model or "") for word in GRACE)
    shown = near[0] if near else paths[0]
    return Finding(
        verdict=Verdict.PASS if near or grace else Verdict.FAIL,
        subject=subject,
        message=f"reaches {shown.nic} by {shown.path}" if near or grace else f"reaches no NIC nearer than {shown.path}",
        expected=f"a compute NIC at {' or '.join(NEAR)}",
        observed=", ".join(f"{path.nic} {path.path}" for path in paths),
        evidence=evidence(*paths),
    )
