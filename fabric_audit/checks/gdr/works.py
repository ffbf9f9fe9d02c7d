"""GPU memory is reached by RDMA between every pair that was tested with it, and no slower than host memory.

Why: possible is not working. An MR that cannot be registered, a GPU far from its NIC or ACS on a PCIe bridge shows only
when bytes move. GPUDirect that is slower than host memory is worse than none, and NCCL will not tell.

Fix: "Couldn't allocate MR" is the module or DMA-BUF; half of the bandwidth is the PCIe path (`nvidia-smi topo -m`), ACS
(`setpci`), or relaxed ordering.

Source: the share is the policy's `gdr_floor`; perftest README; NCCL documentation, "GPU Direct".
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.GPU_PAIRS


def check(pair_result: "pd.DataFrame", gpu_direct: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a pair, rail and tool that was tested with GPU memory."""
    host = {_key(row): row for row in rows(pair_result, memory="host", outcome="ok")}
    impossible = {r.target for r in rows(gpu_direct)} - {r.target for r in rows(gpu_direct, available=True)}
    for row in rows(pair_result):
        if row.memory != "host" and row.tool.endswith("_bw"):
            yield _judged(row, host.get(_key(row)), impossible, design.of(row.client).gdr_floor)


def _key(row: Any) -> tuple[Any, ...]:
    return row.client, row.server, row.rail, row.tool


def _judged(row: Any, host: Any, impossible: set[str], floor: float) -> Finding:
    subject = (row.client, f"rail {row.rail}", row.server, row.tool, row.memory)
    blocked = [name for name in (row.client, row.server) if name in impossible]
    if blocked:
        return Finding(
            verdict=Verdict.FAIL,
            subject=subject,
            message=f"not possible on {' and '.join(blocked)}",
            explained_by=f"gdr.possible:{blocked[0]}",
        )
    if row.outcome != "ok" or row.bandwidth_bps is None or host is None or host.bandwidth_bps is None:
        missing = "with GPU memory" if row.outcome != "ok" else "with host memory"
        words = f"no result {missing}: {row.message or row.outcome}"
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(row))
    share = row.bandwidth_bps / host.bandwidth_bps
    return Finding(
        verdict=Verdict.PASS if share >= floor else Verdict.FAIL,
        subject=subject,
        message=f"GPU memory reaches {share:.0%} of host memory",
        expected=f"at least {floor:.0%}",
        observed=f"{row.bandwidth_bps / 1e9:.4g} of {host.bandwidth_bps / 1e9:.4g} Gb/s",
        evidence=evidence(row, host),
    )
