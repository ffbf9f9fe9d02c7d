"""NCCL uses GPUDirect RDMA on every channel over the network.

Why: possible and allowed is not used. One rank whose log lacks GDRDMA copies every byte through host memory; it sets
the pace of all the others, and bandwidth tests of the fabric do not show it.

Fix: the finding names rank, GPU and NIC, and why as far as the log tells: no peer memory module, a NIC too far away, a
setting. Run jobs with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH to see all of it.

Source: NCCL src/transport/net.cc (via NET/IB/n/GDRDMA); NCCL user guide, "GPUDirect RDMA". Without a job's log there is
nothing to judge.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.nccl.gdr import judge_gdr
from fabric_audit.checks.model import Scope
from fabric_audit.checks.nccl.jobs import job, of_fabric

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.findings import Finding

ON = Scope.GPUS
RESTS_ON = ("nccl_log",)


def check(  # noqa: PLR0913, PLR0917 - a job is told by many tables
    nccl_channel: "pd.DataFrame",
    nccl_rank: "pd.DataFrame",
    nccl_device: "pd.DataFrame",
    nccl_env: "pd.DataFrame",
    nccl_gdr_distance: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    gpu: "pd.DataFrame",
    fabric: "pd.DataFrame",
) -> "Iterator[Finding]":
    """One finding for each that does not hold, or one for the job."""
    told = job(
        nccl_channel=nccl_channel,
        nccl_rank=nccl_rank,
        nccl_device=nccl_device,
        nccl_env=nccl_env,
        nccl_gdr_distance=nccl_gdr_distance,
        nccl_log=nccl_log,
        gpu=gpu,
    )
    yield from of_fabric(judge_gdr(told), fabric, nccl_log, "no rank sends over the network")
