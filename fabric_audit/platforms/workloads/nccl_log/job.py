"""What the processes of a job have said of themselves so far."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from fabric_audit.facts.nccl import NcclDevice, NcclEvent, NcclRank
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.workloads.nccl_log.communicators import Comm
from fabric_audit.platforms.workloads.nccl_log.devices import Nic
from fabric_audit.platforms.workloads.nccl_log.errors import Event
from fabric_audit.platforms.workloads.nccl_log.paths import Path
from fabric_audit.platforms.workloads.nccl_log.speakers import Speaker
from fabric_audit.platforms.workloads.nccl_tests.devices import Device

_WARNINGS_KEPT = 1000  # kinds of warning told apart; a program that prints endless new ones must not fill memory


@dataclass(slots=True)
class _Process:
    """One process: NICs by network and index, and what holds for all its communicators."""

    nics: dict[str, dict[int, tuple[Nic, int]]] = field(default_factory=dict)
    commons: dict[str, str] = field(default_factory=dict)
    """Address of a communicator's structure → the name that all ranks share."""
    network: str | None = None


@dataclass(slots=True)
class _Thread:
    """One GPU of a process."""

    comm: str = ""
    size: int | None = None
    dmabuf: bool | None = None
    ranks: dict[str, dict[str, Any]] = field(default_factory=dict)


class Job:
    """Gathers what many lines tell of one process, and of one GPU in it."""

    def __init__(self) -> None:
        self.largest: int | None = None
        self._processes: dict[tuple[str, int], _Process] = {}
        self._threads: dict[Speaker, _Thread] = {}
        self._host_nics: dict[tuple[str, str], dict[int, tuple[Nic, int]]] = {}
        self._models: dict[tuple[str, int, int], str] = {}
        self._events: dict[tuple[object, ...], tuple[NcclEvent, int]] = {}

    def _process(self, speaker: Speaker) -> _Process:
        return self._processes.setdefault((speaker.host, speaker.pid), _Process())

    def _thread(self, speaker: Speaker) -> _Thread:
        return self._threads.setdefault(speaker, _Thread())

    def current(self, speaker: Speaker) -> str:
        """The communicator that a thread speaks of: the one it began last."""
        thread = self._threads.get(speaker)
        return thread.comm if thread else ""

    def size(self, speaker: Speaker) -> int | None:
        """Size of that communicator."""
        thread = self._threads.get(speaker)
        return thread.size if thread else None

    def nic(self, speaker: Speaker, path: Path) -> str | None:
        """Name of the NIC of a path: by the list of the process, else by its host's if all processes agree."""
        if path.device is None or path.network is None:
            return None
        family = "IB" if path.network.startswith("IB") else path.network
        process = self._processes.get((speaker.host, speaker.pid))
        known = (process.nics.get(family) if process else None) or self._host_nics.get((speaker.host, family), {})
        found = known.get(path.device)
        return found[0].name if found else None

    def add_devices(self, speaker: Speaker, network: str, nics: tuple[Nic, ...], line: int) -> None:
        """A list of devices in use."""
        known = self._process(speaker).nics.setdefault(network, {})
        for nic in nics:
            before = known.get(nic.index, (nic, line))[0]
            known[nic.index] = (replace(nic, gdr=before.gdr, gdr_words=before.gdr_words), line)
        self._host_nics.setdefault((speaker.host, network), known)

    def add_device(self, speaker: Speaker, network: str, nic: Nic, line: int) -> None:
        """A virtual device; its index may be that of a physical one already listed, which then says more."""
        self._process(speaker).nics.setdefault(network, {}).setdefault(nic.index, (nic, line))

    def add_gdr(self, speaker: Speaker, told: tuple[str, Nic], line: int) -> None:
        """Whether GPUDirect RDMA is possible with one NIC of a network."""
        network, said = told
        known = self._process(speaker).nics.setdefault(network, {})
        nic, first = known.get(said.index, (said, line))
        known[said.index] = (replace(nic, gdr=said.gdr, gdr_words=said.gdr_words), first)

    def add_comm(self, speaker: Speaker, comm: Comm, line: int) -> None:
        """A line about a communicator."""
        process, thread = self._process(speaker), self._thread(speaker)
        common = comm.told.get("commId")
        if common and common.strip("0x."):
            process.commons[comm.pointer] = common
        name = process.commons.get(comm.pointer, comm.pointer)
        if not comm.complete:
            thread.comm, thread.size = name, comm.ranks
        self.largest = max(self.largest or 0, comm.ranks)
        told = thread.ranks.setdefault(name, {"line": line})
        told |= {"rank": comm.rank, "ranks": comm.ranks}
        found = {
            "nodes": comm.number("nNodes"),
            "local_rank": comm.number("localRank"),
            "local_ranks": comm.number("localRanks"),
            "gpu": comm.number("nvmlDev"),
            "bus_id": comm.bus_id,
            "mnnvl": comm.told["MNNVL"] == "1" if "MNNVL" in comm.told else None,
        }
        told |= {name: value for name, value in found.items() if value is not None}

    def add_model(self, device: Device) -> None:
        """The GPU of a rank, by the list that nccl-tests prints."""
        self._models[device.host, device.pid, device.device] = device.model

    def set_network(self, speaker: Speaker, network: str) -> None:
        """The network that a process chose."""
        self._process(speaker).network = network

    def set_dmabuf(self, speaker: Speaker) -> None:
        """The thread's GPU can export its memory."""
        self._thread(speaker).dmabuf = True

    def set_rings(self, speaker: Speaker, *, pxn: bool, gdr: bool) -> None:
        """What the rings of the current communicator use."""
        thread = self._thread(speaker)
        thread.ranks.setdefault(thread.comm, {}).update({"ring_pxn": pxn, "ring_gdr": gdr})

    def add_event(self, speaker: Speaker, event: Event, message: str, line: int) -> None:
        """An error or warning."""
        if event.kind == "warning" and len(self._events) >= _WARNINGS_KEPT:
            event = replace(event, what="other warnings")
        fact = NcclEvent(
            host=speaker.host,
            pid=speaker.pid,
            device=speaker.device,
            kind=event.kind,
            status=event.status,
            nic=event.nic,
            peer=event.peer,
            what=event.what,
            direction=event.direction,
            cause=event.cause,
            message=message[:300],
            line=line,
        )
        key = (speaker, event.kind, event.status, event.nic, event.peer, event.what)
        first, count = self._events.get(key, (fact, 0))
        self._events[key] = (first, count + 1)

    def facts(self) -> Iterator[Answer]:
        """Everything gathered, as facts."""
        for (host, pid), process in self._processes.items():
            for network, nics in process.nics.items():
                for nic, line in nics.values():
                    yield NcclDevice(
                        host=host,
                        pid=pid,
                        network=network,
                        index=nic.index,
                        name=nic.name,
                        port=nic.port,
                        layer=nic.layer,
                        sharp=nic.sharp if nic.layer else None,
                        relaxed_ordering=nic.relaxed_ordering,
                        gdr=nic.gdr if network != "Socket" else None,
                        gdr_words=nic.gdr_words,
                        line=line,
                    )
        yield from self._ranks()
        for event, count in self._events.values():
            yield replace(event, count=count)

    def _ranks(self) -> Iterator[Answer]:
        heard = {(speaker.host, speaker.pid) for speaker in self._threads}
        silent = [key for key, process in self._processes.items() if key not in heard and process.network]
        threads = [*self._threads.items(), *((Speaker(*key, -1), _Thread()) for key in silent)]
        for speaker, thread in threads:
            process = self._processes.get((speaker.host, speaker.pid), _Process())
            for comm, told in (thread.ranks or {"": {}}).items():
                yield NcclRank(
                    host=speaker.host,
                    pid=speaker.pid,
                    device=speaker.device,
                    comm=comm,
                    network=process.network,
                    model=self._models.get((speaker.host, speaker.pid, speaker.device)),
                    dmabuf=thread.dmabuf,
                    **told,
                )
