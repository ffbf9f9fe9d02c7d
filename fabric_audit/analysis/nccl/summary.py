"""One line a rank: how many channels take which path, and by which NICs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from fabric_audit.analysis.nccl.job import Connection, Job, Rank, connections, over_tcp
from fabric_audit.analysis.placement import natural


class Path(StrEnum):
    """Kinds of path, the fast ones first."""

    NVLINK = "NVLink"
    P2P = "P2P"
    SHM = "host memory"
    GDR = "RDMA+GDR"
    RDMA = "RDMA"
    TCP = "TCP"

    @property
    def colour(self) -> str:
        """Green for what is meant, red for what is not."""
        return {"NVLink": "green", "P2P": "green", "RDMA+GDR": "green", "RDMA": "red", "TCP": "red"}.get(self, "yellow")


@dataclass(frozen=True, slots=True)
class Summary:
    """One rank's channels by path."""

    rank: Rank
    gpu: str
    nics: tuple[str, ...]
    channels: Mapping[Path, int]


def summaries(job: Job) -> list[Summary]:
    """Every rank that announced a channel, in the order of ranks."""
    by_rank: dict[Rank, list[tuple[Path, Connection]]] = {}
    for transport in ("p2p", "shm", "net", "collnet"):
        for one in connections(job, transport):
            by_rank.setdefault(one.rank, []).append((_path(one), one))
    return [_summary(job, rank, some) for rank, some in sorted(by_rank.items(), key=lambda item: item[0].rank)]


def _path(one: Connection) -> Path:
    fact = one.fact
    if fact.transport == "p2p":
        return Path.NVLINK if fact.link == "nvlink" else Path.P2P
    if fact.transport == "shm":
        return Path.SHM
    if over_tcp(fact.network):
        return Path.TCP
    return Path.GDR if fact.gdr else Path.RDMA


def _summary(job: Job, rank: Rank, some: list[tuple[Path, Connection]]) -> Summary:
    channels: Counter[Path] = Counter()
    for path, one in some:
        channels[path] += len(one.numbers)
    printed = some[0][1].fact.gpu
    index = job.gpu_index(rank, printed)
    nics = {one.fact.nic or f"{one.fact.network} {one.fact.net_device}" for _, one in some if one.fact.network}
    gpu = str(index) if index is not None else printed or str(rank.device)
    return Summary(rank, gpu, tuple(sorted(nics, key=natural)), channels)
