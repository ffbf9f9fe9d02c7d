"""Every GPU host has a way for its NICs to reach GPU memory: nvidia_peermem or DMA-BUF.

Why: without it NCCL copies every byte through host memory. The job runs, the NICs are up, and the network carries half
of what it could; only a log line without /GDRDMA tells.

Fix: `modprobe nvidia_peermem` (MLNX_OFED/DOCA needed), and load it at boot; or open GPU kernel modules with driver 515
or later and kernel 5.12 or later for DMA-BUF. `lsmod | grep nvidia-peermem`, as documentation prints it, never matches:
lsmod writes an underscore.

Source: NCCL `src/transport/net_ib/gdr.cc`; NVIDIA GPU Operator documentation, "GPUDirect RDMA".
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS


def check(gpu_direct: "pd.DataFrame", gpu: "pd.DataFrame", target: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a host with GPUs."""
    has_gpus = {row.target for row in rows(gpu)}
    ways_of: dict[str, list[Any]] = {}
    for row in rows(gpu_direct):
        ways_of.setdefault(row.target, []).append(row)
    for host in rows(target, kind="host"):
        if host.gpus == 0 or (host.gpus is None and host.target not in has_gpus):
            continue
        mechanisms = ways_of.get(host.target, [])
        if not mechanisms or all(row.available is None for row in mechanisms):
            words = f"whether {host.target} can do GPUDirect RDMA is not known"
            yield Finding(verdict=Verdict.UNKNOWN, subject=(host.target,), message=words)
            continue
        ways = [row.mechanism for row in mechanisms if row.available]
        unsure = [row.mechanism for row in mechanisms if row.available is None]
        lacking = Verdict.UNKNOWN if unsure else Verdict.FAIL
        yield Finding(
            verdict=Verdict.PASS if ways else lacking,
            subject=(host.target,),
            message=f"by {', '.join(ways)}" if ways else "not possible: no nvidia_peermem, no DMA-BUF",
            expected="nvidia_peermem loaded, or DMA-BUF",
            observed="; ".join(f"{row.mechanism}: {row.evidence_}" for row in mechanisms),
            remedy="" if ways else "modprobe nvidia_peermem, and load it at boot",
            remedy_source="NVIDIA GPU Operator documentation, GPUDirect RDMA",
            evidence=evidence(*mechanisms),
        )
