"""RDMA devices, ports and GIDs as ``ibv_devinfo`` of rdma-core tells them."""

import re
from collections.abc import Iterator
from functools import partial
from ipaddress import IPv6Address

from fabric_audit.errors import ParseError
from fabric_audit.facts.rdma import Gid, RdmaDevice, RdmaPort
from fabric_audit.platforms.hosts.linux import port_words
from fabric_audit.platforms.hosts.linux.blocks import DEVICE, Block, Layout, blocks, lost_ports
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import consistent, numbered, readable, some, torn, whole

_MELLANOX = "0x02c9"
_GID_KEY = re.compile(r"GID\[ *(?P<index>\d+)\]")
_LAYOUT = Layout(
    device=re.compile(r"hca_id:\s*(?P<device>[\w.-]+)"),
    port=re.compile(r"\s+port:\s+(?P<port>\d+)"),
    of_device=frozenset(
        {"fw_ver", "node_guid", "sys_image_guid", "vendor_id", "vendor_part_id", "board_id", "phys_port_cnt"}
    ),
    of_port=frozenset(
        {
            *("state", "max_mtu", "active_mtu", "sm_lid", "port_lid", "port_lmc", "link_layer"),
            *("active_width", "active_speed", "phys_state"),
            *(f"GID[{index:3}]" for index in range(1024)),
        }
    ),
)


@section("ibv_devinfo", Run("ibv_devinfo", "-v"), yields=(RdmaDevice, RdmaPort, Gid), proven=Provenance.FIELD)
def parse_ibv_devinfo(output: Output) -> Iterator[Answer]:
    """``ibv_devinfo``, with or without ``-v``: firmware, GUIDs, board, MTU and state; with ``-v`` rate and GIDs.

    ``active_mtu`` on Ethernet is the largest of 256 to 4096 that fits the interface's MTU: 1024 means an MTU of
    1500. On a port that is down it says nothing. ``board_id`` is missing for vendors without one. On RoCE newer
    versions append its type to a GID; old ones print eight groups without one. A device with fewer ports than
    ``phys_port_cnt``, or a port without ``port_lmc``, was cut and is told so.
    Source: rdma-core ``libibverbs/examples/devinfo.c``.
    """
    if re.search(r"^No IB devices found", output.stderr or output.stdout, re.MULTILINE):
        yield from (Missing(t.TABLE, Why.ABSENT, "No IB devices found") for t in (RdmaDevice, RdmaPort, Gid))
        return
    missing = tuple(refused(output, RdmaDevice, RdmaPort, Gid))
    yield from missing or some(consistent(_facts(output)), output, "hca_id: DEVICE")


def _facts(output: Output) -> Iterator[Answer]:
    device: Block | None = None
    ports = 0
    for block in blocks(output.stdout, _LAYOUT):
        if isinstance(block, Skipped):
            yield block
        elif block.port == DEVICE:
            yield from lost_ports(device, ports, "phys_port_cnt")
            device, ports = block, 0
            yield from readable(partial(_device, block))
        else:
            ports += 1
            yield from readable(partial(_port, block))
            for key, value in block.values.items():
                if found := _GID_KEY.fullmatch(key):
                    yield from readable(partial(_gid, block, int(found["index"]), value))
    yield from lost_ports(device, ports, "phys_port_cnt")


def _device(block: Block) -> RdmaDevice:
    def text(key: str) -> str | None:
        value = block.get(key)
        return value.text if value else None

    def guid(key: str) -> str | None:
        value = block.get(key)
        return port_words.guid(value.text, value.line) if value else None

    vendor, part = text("vendor_id"), text("vendor_part_id")
    return RdmaDevice(
        line=block.line,
        device=block.device,
        firmware=text("fw_ver"),
        board=text("board_id"),
        part=(f"MT{part}" if vendor == _MELLANOX else part) if part and vendor else None,
        node_guid=guid("node_guid"),
        sys_image_guid=guid("sys_image_guid"),
    )


def _port(block: Block) -> RdmaPort:
    state, physical, layer = block.get("state"), block.get("phys_state"), block.get("link_layer")
    if state is None or block.get("port_lmc") is None:
        raise ParseError(block.line, f"port: {block.port} of {block.device}", "a port with state to port_lmc")
    return RdmaPort(
        line=block.line,
        device=block.device,
        port=block.port,
        state=port_words.state(_with_number(state), state.line),
        physical_state=port_words.physical_state(_with_number(physical), physical.line) if physical else None,
        link_layer=port_words.link_layer(layer.text, layer.line) if layer else None,
        rate_bps=_rate(block.get("active_width"), block.get("active_speed")),
        active_mtu_bytes=_mtu(block.get("active_mtu")),
        max_mtu_bytes=_mtu(block.get("max_mtu")),
        lid=_number(block.get("port_lid")),
        sm_lid=_number(block.get("sm_lid")),
    )


def _with_number(value: Value) -> str:
    found = re.fullmatch(r"(.+?) \(\d+\)", value.text)
    if not found:
        raise ParseError(value.line, value.text, "WORD (NUMBER)")
    return found[1]


def _mtu(value: Value | None) -> int | None:
    if value is None or value.text.startswith("invalid"):
        return None
    word = _with_number(value)
    if word not in ("256", "512", "1024", "2048", "4096"):
        raise ParseError(value.line, value.text, "an MTU of 256 to 4096 (NUMBER)")
    return int(word)


def _number(value: Value | None) -> int | None:
    if value is None:
        return None
    if not value.text.isdecimal():
        raise ParseError(value.line, value.text, "a LID")
    return int(value.text)


def _rate(width: Value | None, speed: Value | None) -> int | None:
    if width is None or speed is None or "invalid" in width.text + speed.text:
        return None
    lanes = re.fullmatch(r"(\d+)X", _with_number(width))
    lane = re.fullmatch(r"(\d+(?:\.\d+)?) Gbps", _with_number(speed))
    if not lanes or not lane:
        raise ParseError(width.line, f"{width.text}, {speed.text}", "4X (2) and 25.0 Gbps (32)")
    return round(int(lanes[1]) * float(lane[1]) * 10**9)


def _gid(block: Block, index: int, value: Value) -> Gid:
    address, _, kind = value.text.partition(", ")
    try:
        gid = IPv6Address(address)
    except ValueError:
        raise ParseError(value.line, value.text, "a GID, or GID, TYPE") from None
    if kind not in ("", "RoCE v1", "RoCE v2", "IB/RoCE v1"):
        raise ParseError(value.line, value.text, "GID, RoCE v2")
    layer = block.get("link_layer")
    infiniband = layer is not None and layer.text == "InfiniBand"
    return Gid(
        line=value.line,
        device=block.device,
        port=block.port,
        index=index,
        gid=gid.exploded,
        type="IB" if infiniband else kind.removeprefix("IB/") or None,
        ipv4=str(gid.ipv4_mapped) if gid.ipv4_mapped else None,
    )


@section("ibv_devices", Run("ibv_devices"), yields=(RdmaDevice,), proven=Provenance.FIELD)
def parse_ibv_devices(output: Output) -> Iterator[Answer]:
    """``ibv_devices``: names and node GUIDs. The heading without a row is a host without RDMA devices.

    Source: rdma-core ``libibverbs/examples/device_list.c``.
    """
    missing = tuple(refused(output, RdmaDevice))
    yield from missing or some(consistent(_listed(output)), output, "device  node GUID")


def _listed(output: Output) -> Iterator[Answer]:
    rows = heading = 0
    for number, line in numbered(whole(output.stdout)):
        found = re.fullmatch(r"\s*(?P<device>[\w.-]+)\s+(?P<guid>[0-9a-f]{16})", line)
        if found:
            rows += 1
            yield RdmaDevice(line=number, device=found["device"], node_guid=port_words.guid(found["guid"], number))
        elif re.fullmatch(r"\s*device\s+node GUID", line):
            heading = number
        elif line and not re.fullmatch(r"\s*-+\s+-+", line):
            yield Skipped(number, line, "device  node GUID")
    if heading and not rows:
        yield Missing("rdma_device", Why.ABSENT, "ibv_devices lists none")
    yield from torn(output.stdout)
