"""The NICs a process found, and whether GPUDirect RDMA is possible and used with each."""

import re
from dataclasses import dataclass, replace

_LIST = re.compile(r"NET/(\S+?) ?: Using (.*)$")
_ENTRY = re.compile(
    r"\[([0-9]+)\]=\{(?P<merged>[^}]*)\}"
    r"|\[(?P<index>[0-9]+)\] ?(?P<name>[^\s\[\]:,{}]+):(?P<port>[0-9]+)(?::-?[0-9]+){0,2}"
    r"/(?P<layer>IB|RoCE)(?P<sharp>/SHARP)?"
    r"|\[(?P<socket>[0-9]+)\](?P<interface>[^\s\[\]:]+):\S+<[0-9]+>"
)
_VIRTUAL = re.compile(r"NET/(\S+?) ?: Made virtual device \[([0-9]+)\] name=(\S+) .*ndevs=([0-9]+)")
_HCA = re.compile(
    r"NET/(\S+?) ?: GPU Direct RDMA (Enabled|Disabled) for (?:GPU \S+ / )?HCA ([0-9]+) '([^']+)'(?: \(([^)]*)\))?$"
)
_DISTANCE = re.compile(
    r"(?:NET/\S+ : )?GPU Direct RDMA (?P<on>Enabled|Disabled) for "
    r"(?:GPU (?P<gpu>\S+) / HCA (?P<hca>\w+)|GPU/(?P<id>\S+) \(rank (?P<rank>[0-9]+)\) - NET/(?P<net>\S+)) "
    r"\((?:.*, +)?distance (?P<distance>[0-9]+) (?P<sign><=|<|>=|>) (?P<level>[0-9]+)\)?(?:, read (?P<read>[01])"
    r"(?:,? mode \w+)?)?\)?$"
)


@dataclass(frozen=True, slots=True)
class Nic:
    """One entry of the list of devices in use."""

    index: int
    name: str
    port: int | None = None
    layer: str | None = None
    sharp: bool = False
    relaxed_ordering: bool | None = None
    gdr: bool | None = None
    gdr_words: str | None = None


@dataclass(frozen=True, slots=True)
class Distance:
    """One decision by distance; ``strict`` when the comparison is that of 2.4 and 2.5."""

    gpu: str
    nic: str
    enabled: bool
    distance: int
    level: int
    read: int
    strict: bool


def read_list(message: str) -> tuple[str, tuple[Nic, ...]] | None:
    """Network and devices of ``NET/IB : Using [0]mlx5_0:1/RoCE [1]... [RO]; OOB eth0:...``.

    Versions 2.20 to 2.23 write NICs that they merge as ``[0]={[0] mlx5_0:1/RoCE, [1] mlx5_1:1/RoCE}``; the number
    of a channel's device then counts entries. 2.30 may add ``:rail:plane`` to a port. An empty list is an answer:
    no device was found. Source: NCCL src/transport/net_ib, net_socket.cc; nccl-rdma-sharp-plugins ib_plugin.c.
    """
    found = _LIST.match(message)
    if not found:
        return None
    network, rest = found.groups()
    listed, _, oob = rest.partition("; OOB ")
    if network.startswith("IB") and not oob:
        return None
    relaxed = "[RO]" in listed if oob else None
    entries = list(_ENTRY.finditer(listed))
    left = re.sub(r"\[RO\]|\[send\]", "", _ENTRY.sub("", listed)).strip()
    if left:
        return None
    merged = any(entry["merged"] is not None for entry in entries)
    nics = []
    for place, entry in enumerate(entries):
        nic = _entry(entry)
        nics.append(replace(nic, index=place if merged else nic.index, relaxed_ordering=relaxed))
    return network, tuple(nics)


def _entry(found: re.Match[str]) -> Nic:
    if found["merged"] is not None:
        parts = [part for part in _ENTRY.finditer(found["merged"]) if part["name"]]
        layers = {part["layer"] for part in parts}
        return Nic(
            index=int(found[1]),
            name="+".join(part["name"] for part in parts),
            layer=layers.pop() if len(layers) == 1 else None,
            sharp=any(part["sharp"] for part in parts),
        )
    if found["name"]:
        return Nic(int(found["index"]), found["name"], int(found["port"]), found["layer"], bool(found["sharp"]))
    return Nic(int(found["socket"]), found["interface"])


def read_virtual(message: str) -> tuple[str, Nic] | None:
    """Network and device of ``NET/IB : Made virtual device [8] name=mlx5_0+mlx5_1 speed=... ndevs=2`` (2.24+)."""
    found = _VIRTUAL.match(message)
    return (found[1], Nic(int(found[2]), found[3])) if found else None


def read_gdr(message: str) -> tuple[str, Nic] | None:
    """Network and device of ``NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0' (no module)``.

    Enabled means that a peer memory module or DMA-BUF was found, not that a channel uses it. The line is printed
    for sockets too, where it means nothing. 2.4 names the GPU as well; to 2.12 only the refusal is printed.
    """
    found = _HCA.match(message)
    if not found:
        return None
    return found[1], Nic(int(found[3]), found[4], gdr=found[2] == "Enabled", gdr_words=found[5])


def read_distance(message: str) -> Distance | None:
    """A decision by distance: ``... for GPU 1a000 / HCA 0 (distance 4 <= 4), read 1``.

    2.4 and 2.5 compare with a strict ``<`` and print ``>=`` for a refusal; 2.29 names ``GPU/0-1a000 (rank 0) -
    NET/0-2``; in 2.30 the line is gone from INFO logs. Source: NCCL src/graph/paths.cc, net_ib.cc.
    """
    found = _DISTANCE.match(message)
    if not found:
        return None
    return Distance(
        gpu=found["gpu"] or found["rank"],
        nic=found["hca"] or found["net"],
        enabled=found["on"] == "Enabled",
        distance=int(found["distance"]),
        level=int(found["level"]),
        read=int(found["read"]) if found["read"] else -1,
        strict=found["sign"] in ("<", ">="),
    )
