"""The channels that ranks announce, gathered by the path they take."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.facts.nccl import NcclChannel
from fabric_audit.platforms.workloads.nccl_log.job import Job
from fabric_audit.platforms.workloads.nccl_log.paths import Path, read_path
from fabric_audit.platforms.workloads.nccl_log.speakers import Speaker

_BEHIND = r"(?: comm 0x[0-9a-f]+ nRanks [0-9]+)?"  # RCCL names the communicator behind the path
_CHANNEL = re.compile(
    r"(?:Channel|Ring) (?P<channel>[0-9]{1,9})(?:/(?P<connection>[0-9]{1,9}))? : "
    r"(?P<left>[0-9]{1,9})(?:\[(?P<left_gpu>\w+)\])? -> (?P<right>[0-9]{1,9})(?:\[(?P<right_gpu>\w+)\])?"
    rf"(?: \[(?P<direction>send|receive)\])? via (?P<words>.+?){_BEHIND}$"
)
_COLLNET = re.compile(
    r"CollNet (?P<channel>[0-9]{1,9})/(?P<connection>[0-9]{1,9}) : (?P<left>[0-9]{1,9}) "
    rf"\[(?P<direction>send|receive)\] via (?P<words>.+?){_BEHIND}$"
)


@dataclass(slots=True)
class Group:
    """The channels of one path between two ranks, and the first line that announced one."""

    speaker: Speaker
    comm: str
    told: re.Match[str]
    path: Path
    line: int
    channels: dict[int, int] = field(default_factory=dict)
    """Channel → how often it was announced."""

    def drop(self, channel: int) -> None:
        """Take back one announcement, which turned out torn."""
        self.channels[channel] -= 1
        if not self.channels[channel]:
            del self.channels[channel]


class Connections:
    """Collects channels.

    Lines of one group differ in the channel's number alone: the words after it are read the first time they
    come, later ones cost a look-up.
    """

    def __init__(self) -> None:
        self._groups: dict[tuple[Speaker, str, str, str], Group] = {}

    def add(self, number: int, speaker: Speaker, comm: str, message: str) -> tuple[Group, int] | None:
        """Note one announcement; the group it joined and its channel, or None if its words are no version's."""
        head, _, tail = message.partition(" : ")
        digits, _, connection = head.rpartition(" ")[2].partition("/")
        key = (speaker, comm, connection, tail)
        group = self._groups.get(key)
        if group is None:
            group = _first(number, speaker, comm, message)
            if group is None:
                return None
            self._groups[key] = group
        elif not digits.isdecimal() or not head.startswith(("Channel ", "Ring ", "CollNet ")):
            return None
        channel = int(digits[:9])
        group.channels[channel] = group.channels.get(channel, 0) + 1
        return group, channel

    def facts(self, job: Job) -> Iterator[NcclChannel]:
        """One row for each group; ``job`` knows the names of the NICs."""
        for group in self._groups.values():
            if group.channels:
                yield _fact(group, job)


def _first(number: int, speaker: Speaker, comm: str, message: str) -> Group | None:
    found = _CHANNEL.match(message) or _COLLNET.match(message)
    path = read_path(found["words"]) if found else None
    if not found or not path or ("right" not in found.re.groupindex) != (path.transport == "collnet"):
        return None
    return Group(speaker, comm, found, path, number)


def _fact(group: Group, job: Job) -> NcclChannel:
    told = group.told.groupdict()
    rank, gpu = int(told["left"]), told.get("left_gpu")
    peer, peer_gpu = int(told.get("right", "-1")), told.get("right_gpu")
    if told["direction"] == "receive" and peer >= 0:
        rank, gpu, peer, peer_gpu = peer, peer_gpu, rank, gpu
    speaker, path = group.speaker, group.path
    return NcclChannel(
        host=speaker.host,
        pid=speaker.pid,
        device=speaker.device,
        comm=group.comm,
        rank=rank,
        peer=peer,
        direction=told["direction"] or "send",
        connection=int(told["connection"] or 0),
        path=told["words"],
        channels=" ".join(map(str, sorted(group.channels))),
        transport=path.transport,
        link=path.link,
        network=path.network,
        net_device=path.device,
        nic=job.nic(speaker, path),
        gdr=path.gdr,
        proxy_rank=path.proxy,
        gpu=gpu,
        peer_gpu=peer_gpu,
        line=group.line,
    )
