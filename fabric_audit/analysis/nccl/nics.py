"""Does each rank leave by a NIC near its GPU?"""

from collections.abc import Iterator, Mapping

from fabric_audit.analysis.nccl.job import Connection, Job, Rank, connections, most_common, named, over_tcp, subject
from fabric_audit.analysis.placement import natural
from fabric_audit.findings import Finding, Verdict

_ORDER = {"PIX": 0, "PXB": 1, "PHB": 2, "NODE": 3, "SYS": 4}
_NCCL_ORDER = {"LOC": 0, "PIX": 1, "PXB": 2, "PHB": 4, "NODE": 4, "SYS": 5}


def judge_nics(job: Job) -> Iterator[Finding]:
    """A finding for each rank that uses a NIC while a nearer one is there, by the host's matrix or the log's distances.

    Where neither is at hand, a rank is named whose GPU leaves by another NIC than the same GPU of most hosts, or of the
    other host while it shares that NIC with a GPU and leaves its own unused; and the matrix is asked for.
    """
    used: dict[Rank, dict[str, Connection]] = {}
    for one in connections(job, "net"):
        if one.fact.nic and one.fact.proxy_rank is None and not over_tcp(one.fact.network):
            used.setdefault(one.rank, {}).setdefault(one.fact.nic, one)
    judged: set[Rank] = set()
    for rank, nics in sorted(used.items()):
        first = next(iter(nics.values()))
        near = _distances(job, rank, first.fact.gpu)
        if not near:
            continue
        judged.add(rank)
        yield from _far(job, rank, nics, near)
    yield from _unlike_others(job, {rank: nics for rank, nics in used.items() if rank not in judged})


def _distances(job: Job, rank: Rank, printed: str | None) -> Mapping[str, tuple[int, str]]:
    """NIC → (order, name of the distance) for a rank's GPU."""
    index = job.gpu_index(rank, printed)
    found = {
        path.nic: (_ORDER[path.path], path.path)
        for path in job.nic_paths.get(rank.host, ())
        if path.gpu == index and path.path in _ORDER
    }
    return found or _logged(job, rank, printed)


def _logged(job: Job, rank: Rank, printed: str | None) -> Mapping[str, tuple[int, str]]:
    names = {str(d.index): d.name for d in job.devices if (d.host, d.pid) == rank.process and d.name}
    told = job.ranks.get(rank)
    keys = {printed, str(rank.rank), told.bus_id if told else None} - {None}
    found = {}
    for one in job.distances:
        name = names.get(one.nic)
        if (one.host, one.pid) == rank.process and one.gpu in keys and name and one.distance_name in _NCCL_ORDER:
            found[name] = (_NCCL_ORDER[one.distance_name], one.distance_name)
    return found


def _far(
    job: Job, rank: Rank, nics: Mapping[str, Connection], near: Mapping[str, tuple[int, str]]
) -> Iterator[Finding]:
    least = min(order for order, _ in near.values())
    nearest = sorted((nic for nic, (order, _) in near.items() if order == least), key=natural)
    for nic, one in nics.items():
        order, distance = near.get(nic, (least, ""))
        if order > least:
            best = near[nearest[0]][1]
            yield Finding(
                verdict=Verdict.FAIL,
                subject=subject(rank),
                message=f"{named(job, rank, one.fact.gpu)} leaves by {nic} ({distance}), while {', '.join(nearest)} "
                f"is near ({best})",
                expected=f"{' or '.join(nearest)} ({best})",
                observed=f"{nic} ({distance})",
                remedy="see that the near NIC is up, named by NCCL_IB_HCA and visible in the container, and that "
                "NCCL sees the machine's topology (in a virtual machine: NCCL_TOPO_FILE)",
                remedy_source="NCCL user guide, NCCL_IB_HCA, NCCL_TOPO_FILE, NCCL_CROSS_NIC",
                evidence=(one.evidence,),
                reproduce="nvidia-smi topo -m",
            )


def _unlike_others(job: Job, used: Mapping[Rank, Mapping[str, Connection]]) -> Iterator[Finding]:
    by_gpu: dict[str, dict[Rank, str]] = {}
    sharing: dict[tuple[str, str], set[str]] = {}
    for rank, nics in used.items():
        gpu = str(job.gpu_index(rank, next(iter(nics.values())).fact.gpu))
        leaves_by = by_gpu.setdefault(gpu, {})[rank] = "+".join(sorted(nics, key=natural))
        sharing.setdefault((rank.host, leaves_by), set()).add(gpu)
    for ranks in by_gpu.values():
        alone = [nics for rank, nics in ranks.items() if len(sharing[rank.host, nics]) == 1]
        usual = most_common(alone or ranks.values()) or ""
        elsewhere = {rank.host for rank, leaves_by in ranks.items() if leaves_by == usual}
        for rank, leaves_by in ranks.items():
            left_out = len(sharing[rank.host, leaves_by]) > 1 and (rank.host, usual) not in sharing
            if leaves_by != usual and (len(elsewhere) > 1 or left_out):
                first = next(iter(used[rank].values()))
                hosts = f"{len(elsewhere)} other hosts" if len(elsewhere) > 1 else next(iter(elsewhere))
                why = f", which no rank of {rank.host} uses" if left_out else ""
                yield Finding(
                    verdict=Verdict.UNKNOWN,
                    subject=subject(rank),
                    message=f"{named(job, rank, first.fact.gpu)} leaves by {leaves_by}, the same GPU of {hosts} by "
                    f"{usual}{why}; nvidia-smi topo -m on {rank.host} decides",
                    expected=usual,
                    observed=leaves_by,
                    evidence=(first.evidence,),
                    reproduce="nvidia-smi topo -m",
                )
