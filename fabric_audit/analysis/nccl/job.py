"""The facts of one or several logs put together: ranks, the GPUs they are, and the connections they made."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fabric_audit.analysis.gpu_models import Model, model_of
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuNicPath
from fabric_audit.facts.nccl import (
    NcclChannel,
    NcclDevice,
    NcclEnv,
    NcclEvent,
    NcclGdrDistance,
    NcclLog,
    NcclRank,
)
from fabric_audit.findings import Evidence

FactT = TypeVar("FactT", bound=Fact)
Process = tuple[str, int]
"""Host and pid."""

_TCP = ("socket", "fastsocket", "tcpx", "tcp")


@dataclass(frozen=True, slots=True, order=True)
class Rank:
    """One GPU in one communicator: what a finding names."""

    host: str
    pid: int
    device: int
    comm: str
    rank: int

    @property
    def process(self) -> Process:
        """The process it runs in."""
        return (self.host, self.pid)


@dataclass(frozen=True, slots=True)
class Seen(Generic[FactT]):
    """A fact and the log it stands in."""

    path: str
    fact: FactT

    @property
    def evidence(self) -> Evidence:
        """Log and line."""
        return Evidence(self.path, self.fact.line or 0)


@dataclass(frozen=True, slots=True)
class Job:
    """All that the logs tell; ``gpus`` and ``nic_paths`` by host, from ``nvidia-smi topo -m`` where it is at hand."""

    channels: tuple[Seen[NcclChannel], ...]
    ranks: Mapping[Rank, NcclRank]
    devices: tuple[NcclDevice, ...]
    settings: tuple[Seen[NcclEnv], ...]
    events: tuple[Seen[NcclEvent], ...]
    distances: tuple[NcclGdrDistance, ...]
    logs: tuple[NcclLog, ...]
    gpus: Mapping[str, tuple[Gpu, ...]] = field(default_factory=dict)
    nic_paths: Mapping[str, tuple[GpuNicPath, ...]] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """Version of NCCL; empty where the logs name none, or several."""
        found = {log.version for log in self.logs if log.version}
        return found.pop() if len(found) == 1 else ""

    def model(self, rank: Rank) -> Model | None:
        """Model of a rank's GPU, by the log's device list, else by the host's GPUs where they are of one kind."""
        told = self.ranks.get(rank)
        names = {gpu.model for gpu in self.gpus.get(rank.host, ()) if gpu.model}
        return model_of(told.model if told and told.model else names.pop() if len(names) == 1 else None)

    def setting(self, process: Process, name: str) -> str | None:
        """Value of a variable in one process, as it said itself."""
        found = (seen.fact for seen in self.settings if (seen.fact.host, seen.fact.pid) == process)
        return next((fact.value for fact in found if fact.name == name), None)

    def gpu_index(self, rank: Rank, printed: str | None) -> int | None:
        """NVML index of a rank's GPU: as the communicator's line says, as printed (2.18+), or by its PCI address."""
        told = self.ranks.get(rank)
        if told and told.gpu is not None:
            return told.gpu
        bus = told.bus_id if told and told.bus_id else printed
        for gpu in self.gpus.get(rank.host, ()):
            if gpu.pci and bus and short_bus_id(gpu.pci) == bus.lower():
                return gpu.gpu
        return int(printed) if printed and printed.isdecimal() and len(printed) < _SHORT else None


_SHORT = 4  # an NVML index has three digits at most, a bus id such as 1a000 more


def short_bus_id(pci: str) -> str:
    """NCCL's form of a PCI address: ``1a000`` for ``0000:1a:00.0``."""
    domain, bus, rest = pci.split(":")
    device, _, function = rest.partition(".")
    return f"{int(domain + bus + device + function, 16):x}"


def job_of(
    facts: Iterable[tuple[str, Fact]],
    *,
    gpus: Mapping[str, Sequence[Gpu]] | None = None,
    nic_paths: Mapping[str, Sequence[GpuNicPath]] | None = None,
) -> Job:
    """Put the facts of all logs together; each comes with the name of its log."""
    every = list(facts)
    ranks: dict[Rank, NcclRank] = {}
    for seen in _of(every, NcclRank):
        fact = seen.fact
        if fact.rank is not None:
            ranks[Rank(fact.host, fact.pid, fact.device, fact.comm, fact.rank)] = fact
    return Job(
        channels=_of(every, NcclChannel),
        ranks=ranks,
        devices=tuple(seen.fact for seen in _of(every, NcclDevice)),
        settings=_of(every, NcclEnv),
        events=_of(every, NcclEvent),
        distances=tuple(seen.fact for seen in _of(every, NcclGdrDistance)),
        logs=tuple(seen.fact for seen in _of(every, NcclLog)),
        gpus={host: tuple(some) for host, some in (gpus or {}).items()},
        nic_paths={host: tuple(some) for host, some in (nic_paths or {}).items()},
    )


def _of(facts: Iterable[tuple[str, Fact]], kind: type[FactT]) -> tuple[Seen[FactT], ...]:
    return tuple(Seen(path, fact) for path, fact in facts if isinstance(fact, kind))


@dataclass(frozen=True, slots=True)
class Connection:
    """One row of channels, with who announced it and where that stands."""

    rank: Rank
    fact: NcclChannel
    evidence: Evidence

    @property
    def numbers(self) -> tuple[int, ...]:
        """Channel numbers."""
        return tuple(int(number) for number in (self.fact.channels or "").split())


def connections(job: Job, transport: str) -> list[Connection]:
    """Connections over one transport, as their ranks announced them."""
    return [
        Connection(
            Rank(seen.fact.host, seen.fact.pid, seen.fact.device, seen.fact.comm, seen.fact.rank),
            seen.fact,
            seen.evidence,
        )
        for seen in job.channels
        if seen.fact.transport == transport
    ]


def channels(some: Iterable[Connection]) -> str:
    """The channels of some connections, as a person lists them."""
    numbers = sorted({number for one in some for number in one.numbers})
    return f"channel{'s' if len(numbers) > 1 else ''} {', '.join(f'{number:02d}' for number in numbers)}"


def over_tcp(network: str | None) -> bool:
    """Whether a network is TCP: everything else may be RDMA."""
    return (network or "").lower() in _TCP


def named(job: Job, rank: Rank, printed: str | None = None) -> str:
    """A rank as a person knows it: ``rank 3 (GPU 3 of gpu-a)``."""
    index = job.gpu_index(rank, printed)
    gpu = f"GPU {index}" if index is not None else f"GPU at {printed}" if printed else f"CUDA device {rank.device}"
    where = f" of {rank.host}" if rank.host else ""
    return f"rank {rank.rank} ({gpu}{where})"


def subject(rank: Rank) -> tuple[str, ...]:
    """A rank as the subject of a finding."""
    return (rank.host or "job", f"rank {rank.rank}")


def most_common(values: Iterable[str]) -> str | None:
    """The value that occurs most often."""
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted else None
