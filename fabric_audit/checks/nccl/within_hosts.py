"""GPUs of one host reach each other directly, not through host memory.

Why: traffic within a host that goes through shared memory takes CPU and half of the memory bandwidth; NVLinks stand by.
NCCL_P2P_DISABLE from an old work-around, or a container without shared IPC, is all it takes.

Fix: unset NCCL_P2P_DISABLE and NCCL_P2P_LEVEL; see `nvidia-smi topo -p2p r`; share IPC between containers of a job.

Source: NCCL log (via P2P/..., via SHM/...), NCCL user guide, "GPU-to-GPU communication".
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.nccl.within_host import judge_within_hosts
from fabric_audit.checks.model import Scope
from fabric_audit.checks.nccl.jobs import job, of_fabric

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.findings import Finding

ON = Scope.GPUS
RESTS_ON = ("nccl_log",)


def check(
    nccl_channel: "pd.DataFrame",
    nccl_rank: "pd.DataFrame",
    nccl_env: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    gpu: "pd.DataFrame",
    fabric: "pd.DataFrame",
) -> "Iterator[Finding]":
    """One finding for each that does not hold, or one for the job."""
    told = job(nccl_channel=nccl_channel, nccl_rank=nccl_rank, nccl_env=nccl_env, nccl_log=nccl_log, gpu=gpu)
    yield from of_fabric(judge_within_hosts(told), fabric, nccl_log, "no rank has a peer within its host")
