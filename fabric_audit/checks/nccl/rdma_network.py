"""Jobs use RDMA between hosts, over devices of one link layer.

Why: a job that finds no RDMA device falls back to TCP: it runs at a tenth of its speed, on the management network. One
that mixes InfiniBand and RoCE devices hangs, or leaves half of them idle.

Fix: make the RDMA devices visible to the job (driver, /dev/infiniband, container devices); see NCCL_IB_DISABLE,
NCCL_NET and NCCL_IB_HCA.

Source: NCCL log (Using network ..., NET/Socket), NCCL user guide, "Environment Variables".
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.nccl.networks import judge_networks
from fabric_audit.checks.model import Scope
from fabric_audit.checks.nccl.jobs import job, of_fabric

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.findings import Finding

ON = Scope.HOSTS
RESTS_ON = ("nccl_log",)


def check(
    nccl_channel: "pd.DataFrame",
    nccl_rank: "pd.DataFrame",
    nccl_device: "pd.DataFrame",
    nccl_event: "pd.DataFrame",
    nccl_env: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    fabric: "pd.DataFrame",
) -> "Iterator[Finding]":
    """One finding for each that does not hold, or one for the job."""
    told = job(
        nccl_channel=nccl_channel,
        nccl_rank=nccl_rank,
        nccl_device=nccl_device,
        nccl_event=nccl_event,
        nccl_env=nccl_env,
    )
    yield from of_fabric(judge_networks(told), fabric, nccl_log, "the job uses RDMA devices of one kind")
