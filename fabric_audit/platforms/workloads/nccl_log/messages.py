"""What NCCL's messages say, one at a time."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from fabric_audit.facts.nccl import NcclEnv, NcclGdrDistance, NcclGraph
from fabric_audit.facts.nccl_versions import distance_names
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.workloads.nccl_log.communicators import read_comm, read_rings
from fabric_audit.platforms.workloads.nccl_log.connections import Connections, Group
from fabric_audit.platforms.workloads.nccl_log.devices import read_distance, read_gdr, read_list, read_virtual
from fabric_audit.platforms.workloads.nccl_log.errors import Event, read_event, read_warning
from fabric_audit.platforms.workloads.nccl_log.graph import Place, read_places
from fabric_audit.platforms.workloads.nccl_log.job import Job
from fabric_audit.platforms.workloads.nccl_log.speakers import Speaker

EXPECTED = "a whole line of one thread, in the words of NCCL 2.4 to 2.30"

BEGINNINGS = frozenset({"NET", "NCC", "ncc"})
"""First three letters of ``NET/IB``, ``NCCL_…`` and ``ncclComm…``."""

_ENV = re.compile(r"(NCCL_[A-Z0-9_]+) set (?:by environment )?to ?(.*)$")
_NETWORK = re.compile(r"(?:Using network (.+)|Assigned NET plugin (.+) to comm)$")


class Messages:
    """Reads messages and keeps what they tell until the log ends."""

    def __init__(self) -> None:
        self.job = Job()
        self._connections = Connections()
        self._distances: list[tuple[NcclGdrDistance, bool]] = []
        self._places: dict[tuple[Speaker, str, str, int], tuple[Place, int]] = {}
        self._settings: dict[tuple[str, int, str, str], NcclEnv] = {}
        self._takers: dict[str, Callable[[int, Speaker, str], bool]] = {
            "Channel": self._graph,
            "Ring": self._graph,
            "Tree": self._graph,
            "Trees": self._graph,
            "GPU": self._distance,
            "comm": self._comm,
            "[Rank": self._comm,
            "Using": self._network,
            "Assigned": self._network,
            "Connected": self._connected,
            "DMA-BUF": self._dmabuf,
            "P2P": self._event,
        }
        self.words = frozenset({*self._takers, "CollNet", "NCCL"})
        """First words of messages that can hold a fact, besides those that begin as one of ``BEGINNINGS``."""

    def info(self, number: int, speaker: Speaker, message: str) -> bool:
        """Read an INFO message; False when it is not whole, or in words of no version."""
        word = message.partition(" ")[0]
        taker = self._takers.get(word)
        if taker:
            return taker(number, speaker, message)
        if word.startswith("NET/"):
            return self._net(number, speaker, message)
        if word.startswith("NCCL_"):
            return self._env(number, speaker, message)
        return self._comm(number, speaker, message)

    def warning(self, number: int, speaker: Speaker, message: str, source: str) -> None:
        """Read a WARN message; ``source`` is the file:line it names."""
        self.job.add_event(speaker, read_warning(message, source), message, number)

    def path(self, number: int, speaker: Speaker, message: str) -> tuple[Group, int] | None:
        """Read the announcement of a channel: the group it joined and its number; None when it is not whole."""
        return self._connections.add(number, speaker, self.job.current(speaker), message)

    def facts(self, versions: tuple[str, ...]) -> Iterator[Answer]:
        """Everything told. Distances get their names if there is one version only."""
        yield from self.job.facts()
        yield from self._connections.facts(self.job)
        for (speaker, comm, _kind, _channel), (place, number) in self._places.items():
            yield NcclGraph(
                host=speaker.host,
                pid=speaker.pid,
                device=speaker.device,
                comm=comm,
                kind=place.kind,
                channel=place.channel,
                rank=place.rank,
                up=place.up,
                down=place.down,
                line=number,
            )
        for fact, strict in self._distances:
            known = versions[0] if len(versions) == 1 else ("2.4" if strict else "")
            yield _named(fact, distance_names(known))
        yield from self._settings.values()

    def _graph(self, number: int, speaker: Speaker, message: str) -> bool:
        places = read_places(message)
        size = self.job.size(speaker)
        if not places or any(p.kind == "order" and size and len(p.down.split()) != size for p in places):
            return False
        comm = self.job.current(speaker)
        for place in places:
            self._places[speaker, comm, place.kind, place.channel] = (place, number)
        return True

    def _distance(self, number: int, speaker: Speaker, message: str) -> bool:
        if not message.startswith("GPU Direct RDMA "):
            return True
        found = read_distance(message)
        if not found:
            return False
        fact = NcclGdrDistance(
            host=speaker.host,
            pid=speaker.pid,
            gpu=found.gpu,
            nic=found.nic,
            read=found.read,
            enabled=found.enabled,
            distance=found.distance,
            level=found.level,
            line=number,
        )
        self._distances.append((fact, found.strict))
        return True

    def _net(self, number: int, speaker: Speaker, message: str) -> bool:
        listed, virtual, gdr = read_list(message), read_virtual(message), read_gdr(message)
        if listed:
            self.job.add_devices(speaker, *listed, number)
        elif virtual:
            self.job.add_device(speaker, *virtual, number)
        elif gdr:
            self.job.add_gdr(speaker, gdr, number)
        elif message.startswith("NET/IB") and "No device found" in message:
            cause = "no RDMA device that NCCL may use: driver, NCCL_IB_HCA, or a container without devices"
            self.job.add_event(speaker, Event("no_rdma_device", cause), message, number)
        elif "GPU Direct RDMA" in message and "distance" in message:
            return self._distance(number, speaker, message[message.find("GPU ") :])
        elif " : Using " in message or "GPU Direct RDMA" in message:
            return False
        else:
            return self._event(number, speaker, message)
        return True

    def _env(self, number: int, speaker: Speaker, message: str) -> bool:
        found = _ENV.match(message)
        if not found:
            return True
        name, value = found.groups()
        if re.fullmatch(r"-?[0-9]+\.", value):
            value = value[:-1]
        fact = NcclEnv(host=speaker.host, pid=speaker.pid, name=name, value=value, source="log", line=number)
        self._settings.setdefault((speaker.host, speaker.pid, name, value), fact)
        return True

    def _comm(self, number: int, speaker: Speaker, message: str) -> bool:
        comm = read_comm(message)
        if comm:
            self.job.add_comm(speaker, comm, number)
        return comm is not None or not ("comm 0x" in message and " rank " in message and "ranks" in message)

    def _network(self, _number: int, speaker: Speaker, message: str) -> bool:
        found = _NETWORK.match(message)
        if found:
            self.job.set_network(speaker, found[1] or found[2])
        return True

    def _connected(self, _number: int, speaker: Speaker, message: str) -> bool:
        rings = read_rings(message)
        if rings:
            self.job.set_rings(speaker, pxn=rings[0], gdr=rings[1])
        return True

    def _dmabuf(self, _number: int, speaker: Speaker, message: str) -> bool:
        if message.startswith("DMA-BUF is available on GPU device "):
            self.job.set_dmabuf(speaker)
        return True

    def _event(self, number: int, speaker: Speaker, message: str) -> bool:
        event = read_event(message)
        if event:
            self.job.add_event(speaker, event, message, number)
        return True


def _named(fact: NcclGdrDistance, names: tuple[str, ...]) -> NcclGdrDistance:
    distance, level = fact.distance or 0, fact.level or 0
    return replace(
        fact,
        distance_name=names[distance] if distance < len(names) else None,
        level_name=names[level] if level < len(names) else None,
    )
