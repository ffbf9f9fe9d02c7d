"""RDMA devices, ports and GIDs from ``/sys/class/infiniband`` alone, without any tool."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.rdma import Gid, RdmaDevice, RdmaPort
from fabric_audit.platforms.hosts.linux import port_words
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.hosts.linux.sysfs import Tree, Value, below, tree
from fabric_audit.platforms.model import Answer, Files, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.text import integer, plain, readable, some

FOLDER = "/sys/class/infiniband"
_PORT = f"{FOLDER}/*/ports/*"
_FREE = re.compile(r"^[^:\n]*/gids/\d+:0000(?::0000){7}\s*$", re.MULTILINE)
"""Free entries of GID tables: nine of ten lines, so they are taken out before anything looks at them."""
_NONE = f"no RDMA device in {FOLDER}"


@section(
    "sysfs-rdma",
    Files(
        f"{FOLDER}/*/node_guid",
        f"{FOLDER}/*/sys_image_guid",
        f"{FOLDER}/*/fw_ver",
        f"{FOLDER}/*/board_id",
        f"{FOLDER}/*/hca_type",
        f"{FOLDER}/*/parent",
        f"{FOLDER}/*/device/numa_node",
        f"{FOLDER}/*/device/local_cpulist",
        *(f"{_PORT}/{name}" for name in ("state", "phys_state", "rate", "link_layer", "lid", "sm_lid")),
        f"{FOLDER}/*/tc/*/traffic_class",
    ),
    yields=(RdmaDevice, RdmaPort),
    proven=Provenance.FIELD,
)
def parse_rdma(output: Output) -> Iterator[Answer]:
    """Attributes of RDMA devices and ports in sysfs.

    ``board_id`` and ``hca_type`` exist for Mellanox, Broadcom and some others, ``parent`` only for Soft-RoCE, and
    ``device`` for none of the software devices. ``tc/PORT/traffic_class`` comes with MLNX_OFED: empty without an
    override, else ``Global tclass=106``, with rules for single flows on further lines. An old kernel prints the
    rate of SDR for a speed class it does not know. Sources: ``Documentation/ABI/stable/sysfs-class-infiniband`` and
    ``drivers/infiniband/core/sysfs.c`` of the kernel; ``traffic_class_show`` of MLNX_OFED.
    """
    yield from some(_devices_and_ports(output), output, f"{FOLDER}/DEVICE/ATTRIBUTE:VALUE")


def _devices_and_ports(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, _NONE, RdmaDevice, RdmaPort)
    told = tree(output, FOLDER)
    yield from told.skipped
    for device, values in told.devices.items():
        yield from readable(partial(_device, told, device))
        ports = {int(port) for (port,), _ in below(values, r"(?:ports|tc)/(\d+)/(?:\w+)")}
        for port in sorted(ports):
            yield from readable(partial(_port, told, device, port))


def _device(told: Tree, device: str) -> RdmaDevice:
    def text(path: str) -> str | None:
        value = told.get(device, path)
        return value.text if value else None

    def guid(path: str) -> str | None:
        value = told.get(device, path)
        return port_words.guid(value.text, value.line) if value else None

    numa = told.get(device, "device/numa_node")
    first = min((value.line for value in told.devices[device].values()), default=0)
    return RdmaDevice(
        line=first,
        device=device,
        driver="rxe" if told.get(device, "parent") else None,
        firmware=text("fw_ver"),
        board=text("board_id"),
        part=text("hca_type"),
        numa_node=integer(numa.text, numa.line) if numa else None,
        node_guid=guid("node_guid"),
        sys_image_guid=guid("sys_image_guid"),
        numa_cpus=text("device/local_cpulist"),
    )


def _port(told: Tree, device: str, port: int) -> RdmaPort:
    def get(name: str) -> Value | None:
        return told.get(device, f"ports/{port}/{name}")

    state, physical, layer, rate = get("state"), get("phys_state"), get("link_layer"), get("rate")
    return RdmaPort(
        line=state.line if state else None,
        device=device,
        port=port,
        state=port_words.state(state.text, state.line) if state else None,
        physical_state=port_words.physical_state(physical.text, physical.line) if physical else None,
        link_layer=port_words.link_layer(layer.text, layer.line) if layer else None,
        rate_bps=port_words.rate_bps(rate.text, rate.line) if rate else None,
        lid=_lid(get("lid")),
        sm_lid=_lid(get("sm_lid")),
        traffic_class=_traffic_class(told.get(device, f"tc/{port}/traffic_class")),
    )


def _lid(value: Value | None) -> int | None:
    if value is None:
        return None
    if not re.fullmatch(r"0x[0-9a-f]{1,8}", value.text):
        raise ParseError(value.line, value.text, "a LID such as 0x1a")
    return int(value.text, 16)


def _traffic_class(value: Value | None) -> int | None:
    if value is None or not value.text.startswith("Global"):
        return None
    found = re.fullmatch(r"Global tclass=(\d{1,3})", value.text)
    if not found:
        raise ParseError(value.line, value.text, "Global tclass=NUMBER")
    return int(found[1])


@section(
    "sysfs-gids",
    Files(f"{_PORT}/link_layer", f"{_PORT}/gids/*", f"{_PORT}/gid_attrs/types/*", f"{_PORT}/gid_attrs/ndevs/*"),
    yields=(Gid, RdmaPort),
    proven=Provenance.FIELD,
)
def parse_gids(output: Output) -> Iterator[Answer]:
    """The GID table of every port: address, type and interface of each entry in use.

    An entry that is all zero is free; reading its type or interface fails with EINVAL, which is why stderr is full
    of that. ``IB/RoCE v1`` means RoCE v1 on Ethernet and nothing on InfiniBand. The interface of the first entry
    is that of the port: a bond where the device is one. Source: kernel ``drivers/infiniband/core/sysfs.c``.
    """
    yield from some(_tables(output), output, f"{FOLDER}/DEVICE/ports/PORT/gids/INDEX:GID")


def _tables(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, _NONE, Gid, RdmaPort)
    used = _FREE.sub("", plain(output.stdout))
    told = tree(replace(output, stdout=used), FOLDER)
    yield from told.skipped
    if _FREE.search(output.stdout) and not told.skipped and not re.search(r"/gids/\d+:", used):
        yield Missing("gid", Why.ABSENT, "all entries of the GID tables are free")
    for device, values in told.devices.items():
        tables: dict[str, list[tuple[int, Value]]] = defaultdict(list)
        for (port, index), value in below(values, r"ports/(\d+)/gids/(\d+)"):
            tables[port].append((int(index), value))
        for port, entries in tables.items():
            yield from _table(told, device, int(port), entries)


def _table(told: Tree, device: str, port: int, entries: list[tuple[int, Value]]) -> Iterator[Answer]:
    layer = told.get(device, f"ports/{port}/link_layer")
    netdev = None
    for index, value in entries:
        ndev = told.get(device, f"ports/{port}/gid_attrs/ndevs/{index}")
        netdev = ndev.text if ndev and index == entries[0][0] else netdev
        kind = told.get(device, f"ports/{port}/gid_attrs/types/{index}")
        yield from readable(partial(_gid, device, port, index, value, {"kind": kind, "ndev": ndev, "layer": layer}))
    if netdev:
        yield RdmaPort(line=entries[0][1].line, device=device, port=port, netdev=netdev)


def _gid(device: str, port: int, index: int, value: Value, more: Mapping[str, Value | None]) -> Gid:
    gid = port_words.gid_groups(value.text, value.line)
    kind, ndev, layer = more["kind"], more["ndev"], more["layer"]
    return Gid(
        line=value.line,
        device=device,
        port=port,
        index=index,
        gid=gid,
        type=_type(kind, layer.text if layer else "") if kind else None,
        ipv4=port_words.mapped_ipv4(gid),
        netdev=ndev.text if ndev else None,
    )


def _type(kind: Value, layer: str) -> str | None:
    if kind.text == "RoCE v2":
        return "RoCE v2"
    if kind.text != "IB/RoCE v1":
        raise ParseError(kind.line, kind.text, "IB/RoCE v1 or RoCE v2")
    return {"InfiniBand": "IB", "Ethernet": "RoCE v1"}.get(layer)
