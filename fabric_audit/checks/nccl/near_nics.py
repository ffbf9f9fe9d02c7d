"""Every rank of a job leaves by the NIC nearest to its GPU.

Why: a rank that leaves by a far NIC crosses the CPUs' interconnect and another rank's rail. Where a near NIC is down,
hidden from the container or left out by NCCL_IB_HCA, NCCL takes the next one and says so in one line of many.

Fix: see that the near NIC is up, named by NCCL_IB_HCA and visible in the container; in a virtual machine give NCCL the
real topology (NCCL_TOPO_FILE).

Source: the host's `nvidia-smi topo -m`, else NCCL's own distances in its log; else the same GPU of other hosts.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.nccl.nics import judge_nics
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
    nccl_gdr_distance: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    gpu: "pd.DataFrame",
    gpu_nic_path: "pd.DataFrame",
    fabric: "pd.DataFrame",
) -> "Iterator[Finding]":
    """One finding for each that does not hold, or one for the job."""
    told = job(
        nccl_channel=nccl_channel,
        nccl_rank=nccl_rank,
        nccl_device=nccl_device,
        nccl_gdr_distance=nccl_gdr_distance,
        nccl_log=nccl_log,
        gpu=gpu,
        gpu_nic_path=gpu_nic_path,
    )
    yield from of_fabric(judge_nics(told), fabric, nccl_log, "every rank leaves by a near NIC, as far as its log tells")
