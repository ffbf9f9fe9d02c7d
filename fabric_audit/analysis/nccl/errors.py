"""Errors and warnings of a job, the first cause before its consequences."""

from collections.abc import Iterator

from fabric_audit.analysis.nccl.job import Job
from fabric_audit.facts.nccl import NcclEvent
from fabric_audit.findings import Finding, Verdict

_FLUSHED = 5  # IBV_WC_WR_FLUSH_ERR
_REMEDY = {
    "completion_error": "look at both ends of the path: link, GID, routes, counters of loss and retransmission; "
    "then at the peer's own log for an earlier error",
    "async_event": "look at the port: link state, flaps, module (ethtool -m, mlxlink), the kernel's log",
    "speed_change": "compare the port's speed with what it is built for; check cable, module and the switch's port",
    "verbs_call": "check the GID table (show_gids), the route to the peer, and ulimit -l",
    "connect": "see that the peer's process runs and that NCCL_SOCKET_IFNAME names an interface both can reach",
    "duplicate_gpu": "give every rank a GPU of its own: CUDA_VISIBLE_DEVICES, or the launcher's binding",
    "nvls": "see that the fabric manager runs and that the container may use IMEX channels; or NCCL_NVLS_ENABLE=0",
    "p2p_disabled": "nvidia-smi topo -p2p r, nvidia-smi nvlink -s, Xid in the kernel's log; reset the GPUs",
    "no_rdma_device": "see that the RDMA driver is loaded and /dev/infiniband is in the container",
}


def judge_errors(job: Job) -> Iterator[Finding]:
    """A finding for each kind of error of a process; a flushed request is called the consequence it is."""
    failed = any(seen.fact.kind == "completion_error" and seen.fact.status != _FLUSHED for seen in job.events)
    for seen in job.events:
        fact = seen.fact
        if fact.kind == "no_rdma_device":  # judged with the network that was used instead
            continue
        consequence = fact.kind == "completion_error" and fact.status == _FLUSHED and failed
        times = f", {fact.count} times" if (fact.count or 1) > 1 else ""
        where = " ".join(filter(None, (fact.nic, f"to {fact.peer}" if fact.peer else "", fact.what)))
        cause = f": {fact.cause}" if fact.cause else ""
        yield Finding(
            verdict=Verdict.UNKNOWN if fact.kind == "warning" else Verdict.FAIL,
            subject=(fact.host or "job", fact.nic or f"device {fact.device}", _name(fact)),
            message=f"{' '.join(filter(None, (fact.kind.replace('_', ' '), where)))}{times}{cause}",
            observed=fact.message or "",
            remedy=_REMEDY.get(fact.kind, ""),
            evidence=(seen.evidence,),
            explained_by="an earlier completion error" if consequence else "",
        )


def _name(event: NcclEvent) -> str:
    status = f"status {event.status}" if event.status >= 0 else ""
    return " ".join(filter(None, (event.kind, event.what, status, event.peer)))
