"""NCCL's settings let every GPU use GPUDirect RDMA with the NIC nearest to it.

Why: NCCL compares the distance of GPU and NIC with NCCL_NET_GDR_LEVEL. A level written in words that NCCL does not know
is ignored without a message, LOC switches GPUDirect RDMA off, and a number means something else than it did.

Fix: unset it, or write one of NCCL's own words in upper case without quotes: NCCL_NET_GDR_LEVEL=PXB, PHB or SYS; see
/etc/nccl.conf of the host.

Source: NCCL src/graph/paths.cc, ncclGetLevel and ncclTopoCheckGdr; default PXB. The level is that of the host's
nccl.conf; a job's environment comes before it, and is seen in its log alone (gdr.used-by-nccl).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.gpu_models import model_of
from fabric_audit.analysis.nccl_env import Effective, gdr_level
from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.GPUS
RESTS_ON = ("gpu_nic_path", "gpu")
LEVEL = "NCCL_NET_GDR_LEVEL"
ORDER = {"LOC": 0, "PIX": 1, "PXB": 2, "P2C": 3, "PXN": 4, "PHB": 5, "NODE": 5, "SYS": 6}
"""Distances by NCCL's order; it counts NODE, which only nvidia-smi knows, as PHB."""


def check(
    gpu_nic_path: "pd.DataFrame",
    nccl_env: "pd.DataFrame",
    intended_nic: "pd.DataFrame",
    gpu: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a GPU."""
    written = {row.target: row for row in rows(nccl_env, name=LEVEL)}
    compute = {(row.target, row.device) for row in rows(intended_nic, role="compute")}
    paths: dict[tuple[str, int], list[Any]] = {}
    for row in rows(gpu_nic_path):
        if (row.target, row.nic) in compute and row.path in ORDER:
            paths.setdefault((row.target, row.gpu), []).append(row)

    def examined(one: Any) -> Finding:
        setting = written.get(one.target)
        level = gdr_level(setting.value if setting else None, "")
        if not design.of(one.target).gdr_required:
            return skipped((one.target, f"GPU{one.gpu}"), "the policy does not ask for GPUDirect RDMA")
        return _judged(one, paths.get((one.target, one.gpu), []), level, setting)

    yield from by_target(map(examined, rows(gpu)), "GPUs")


def _judged(one: Any, paths: Sequence[Any], level: Effective, setting: Any) -> Finding:
    subject = (one.target, f"GPU{one.gpu}")
    model = model_of(one.model)
    if model and model.grace:
        return skipped(subject, "it reaches its NIC by the CPU's C2C, whatever the distance")
    if not paths or level.value not in ORDER:
        return unknown(subject, "how it reaches its NICs, or how far NCCL may go, is not known", one, setting)
    nearest = min(paths, key=lambda row: ORDER[row.path])
    allowed = ORDER[nearest.path] <= ORDER[level.value]
    concern = f"; {LEVEL}={level.written!r}: {level.concern}" if level.concern else ""
    return Finding(
        verdict=Verdict.PASS if allowed else Verdict.FAIL,
        subject=subject,
        message=f"its nearest NIC is at {nearest.path}, NCCL goes up to {level.value}{concern}",
        expected=f"a NIC at {level.value} or nearer",
        observed=f"{nearest.nic} at {nearest.path}",
        remedy="" if allowed else level.advice or f"unset {LEVEL}, or set it to {nearest.path}",
        remedy_source="NCCL user guide, NCCL_NET_GDR_LEVEL",
        evidence=evidence(nearest, setting),
    )
