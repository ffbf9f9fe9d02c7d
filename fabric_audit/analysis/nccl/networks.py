"""Is RDMA in use at all, and on devices of one kind?"""

from collections.abc import Iterator

from fabric_audit.analysis.nccl.job import Job, channels, connections, over_tcp
from fabric_audit.findings import Evidence, Finding, Verdict


def judge_networks(job: Job) -> Iterator[Finding]:
    """TCP where RDMA was meant, InfiniBand mixed with RoCE, and paths between hosts that cannot be read."""
    yield from _unread(job)
    yield from _tcp(job)
    yield from _mixed_layers(job)


def _unread(job: Job) -> Iterator[Finding]:
    hosts = {rank.host for rank in job.ranks}
    torn = sum(log.torn_lines or 0 for log in job.logs)
    between = any(seen.fact.transport in ("net", "collnet") or seen.fact.link == "nvlink" for seen in job.channels)
    if torn and len(hosts) > 1 and not between:
        yield Finding(
            verdict=Verdict.UNKNOWN,
            subject=("job", "network"),
            message=f"no channel between the {len(hosts)} hosts can be read: {torn} lines of NCCL are torn or in words "
            "of no known version",
            expected="lines that are whole",
            remedy="have each process write its own file: NCCL_DEBUG_FILE=nccl.%h.%p.log",
            remedy_source="NCCL user guide, NCCL_DEBUG_FILE",
            reproduce="NCCL_DEBUG=INFO",
        )


def _tcp(job: Job) -> Iterator[Finding]:
    slow = [one for one in connections(job, "net") if over_tcp(one.fact.network)]
    by_host = {one.rank.host: one for one in slow}
    networks = {fact.network for fact in job.ranks.values() if fact.network}
    alone = all((fact.ranks or 0) <= 1 for fact in job.ranks.values())
    if not by_host and networks and all(over_tcp(network) for network in networks) and not alone:
        yield _over_tcp(job, "", ", ".join(sorted(map(str, networks))), ())
    elif alone and any(seen.fact.kind == "no_rdma_device" for seen in job.events):
        yield Finding(
            verdict=Verdict.UNKNOWN,
            subject=("job", "network"),
            message="NCCL found no RDMA device: a job over several hosts would go over TCP",
            expected="RDMA devices",
            evidence=tuple(seen.evidence for seen in job.events if seen.fact.kind == "no_rdma_device")[:1],
            reproduce="rdma link",
        )
    for host, one in sorted(by_host.items()):
        words = f"{one.fact.network}, {channels([other for other in slow if other.rank.host == host])}"
        yield _over_tcp(job, host, words, (one.evidence,))


def _over_tcp(job: Job, host: str, words: str, evidence: tuple[Evidence, ...]) -> Finding:
    return Finding(
        verdict=Verdict.FAIL,
        subject=(host or "job", "network"),
        message=f"traffic between hosts goes over TCP ({words}), not over RDMA{_why_tcp(job, host)}",
        expected="an RDMA network: IB, IBext, a vendor's plugin",
        observed=words,
        remedy="make the RDMA devices visible to the job (driver, container devices), and see that neither "
        "NCCL_IB_DISABLE=1 nor NCCL_NET=Socket is set and NCCL_IB_HCA names devices that exist",
        remedy_source="NCCL user guide, 'Environment Variables'",
        evidence=evidence,
        reproduce="NCCL_DEBUG=INFO",
    )


def _why_tcp(job: Job, host: str) -> str:
    kinds = {seen.fact.kind for seen in job.events if host in ("", seen.fact.host)}
    if "no_rdma_device" in kinds:
        return "; NCCL found no RDMA device"
    set_so = {(seen.fact.name, seen.fact.value) for seen in job.settings if host in ("", seen.fact.host)}
    return "; NCCL_IB_DISABLE=1 is set" if ("NCCL_IB_DISABLE", "1") in set_so else ""


def _mixed_layers(job: Job) -> Iterator[Finding]:
    layers: dict[str, dict[str, str]] = {}
    for device in job.devices:
        if device.layer and device.name:
            layers.setdefault(device.host, {})[device.name] = device.layer
    for host, known in sorted(layers.items()):
        if len(set(known.values())) > 1:
            listed = ", ".join(f"{name} ({layer})" for name, layer in sorted(known.items()))
            yield Finding(
                verdict=Verdict.FAIL,
                subject=(host or "job", "NICs"),
                message="NCCL uses InfiniBand and RoCE devices side by side, which cannot reach each other",
                expected="devices of one link layer",
                observed=listed,
                remedy="name the compute NICs: NCCL_IB_HCA==mlx5_0,mlx5_1,... ('=' matches whole names)",
                remedy_source="NCCL user guide, NCCL_IB_HCA",
            )
