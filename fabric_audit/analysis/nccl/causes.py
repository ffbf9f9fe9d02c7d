"""Why a rank does without GPUDirect RDMA, as far as its log tells, and what to do."""

from collections.abc import Sequence

from fabric_audit.analysis.nccl.job import Connection, Job, Rank, most_common

_LOAD = (
    "modprobe nvidia-peermem (with MLNX_OFED or DOCA), or use the open GPU kernel modules with kernel 5.12 or later; "
    "for a container the module is loaded on the host"
)
_PLACE = (
    "place the job so that each GPU leaves by its near NIC; where none is nearer, set NCCL_NET_GDR_LEVEL=PHB or SYS "
    "and measure"
)
_ASK = "run with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH: the log then says which NIC and why"


def cause(job: Job, rank: Rank, bad: Sequence[Connection]) -> tuple[str, str]:
    """The cause and the remedy of connections without GPUDirect RDMA."""
    return (
        _no_module(job, bad)
        or _too_far(job, rank)
        or _switched_off(job, rank)
        or ("the log does not say why: distance, NIC, or memory registration", _ASK)
    )


def _no_module(job: Job, bad: Sequence[Connection]) -> tuple[str, str] | None:
    used = {(one.fact.host, one.fact.net_device) for one in bad}
    refused = [one for one in job.devices if one.gdr is False and (one.host, one.index) in used]
    if not refused:
        return None
    words = most_common(one.gdr_words for one in refused if one.gdr_words)
    said = f" ({words})" if words else ""
    return f"NCCL found neither a peer memory module nor DMA-BUF{said}, and no level helps", _LOAD


def _too_far(job: Job, rank: Rank) -> tuple[str, str] | None:
    far = [one for one in job.distances if one.enabled is False and (one.host, one.pid) == rank.process]
    if not far:
        return None
    distance = most_common(one.distance_name for one in far if one.distance_name)
    limit = most_common(one.level_name for one in far if one.level_name)
    said = f" ({distance}, limit {limit})" if distance and limit else ""
    return f"the NIC is too far from the GPU{said}", _PLACE


def _switched_off(job: Job, rank: Rank) -> tuple[str, str] | None:
    for name, value in (("NCCL_NET_GDR_LEVEL", "LOC"), ("NCCL_NET_GDR_READ", "0")):
        if job.setting(rank.process, name) == value:
            return f"{name}={value} turns it off", f"unset {name}"
    return None
