"""RDMA devices and ports as ``ibstat`` and ``ibstatus`` of infiniband-diags tell them."""

import re
from collections.abc import Iterator
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.rdma import Gid, RdmaDevice, RdmaPort
from fabric_audit.platforms.hosts.linux import port_words
from fabric_audit.platforms.hosts.linux.blocks import DEVICE, Block, Layout, blocks, lost_ports
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import consistent, readable, some

_PANIC = re.compile(r"ibpanic: \[\d+\] main: stat of IB device '(?P<device>[^']+)' failed.*", re.MULTILINE)
_IBSTAT = Layout(
    device=re.compile(r"(?:CA|Switch|Router|iWARP RNIC|\?\?\?) '(?P<device>[^']+)'"),
    port=re.compile(r"\s+Port (?P<port>\d+):"),
    of_device=frozenset(
        {"CA type", "Number of ports", "Firmware version", "Hardware version", "Node GUID", "System image GUID"}
    ),
    of_port=frozenset(
        {
            "State",
            "Physical state",
            "Rate",
            "Base lid",
            "LMC",
            "SM lid",
            "Capability mask",
            "Port GUID",
            "Link layer",
        }
    ),
)
_IBSTATUS = Layout(
    device=re.compile(r"(?!)(?P<device>)"),
    port=re.compile(r"Infiniband device '(?P<device>[^']+)' port (?P<port>\d+) status:"),
    of_device=frozenset(),
    of_port=frozenset({"default gid", "base lid", "sm lid", "state", "phys state", "rate", "link_layer"}),
)


@section("ibstat", Run("ibstat"), yields=(RdmaDevice, RdmaPort), proven=Provenance.FIELD)
def parse_ibstat(output: Output) -> Iterator[Answer]:
    """``ibstat``: type, firmware, GUIDs, state and rate of every device.

    ``Rate`` is in Gb/s, ``40 (FDR10)`` is 40; on a port that is down it is a default. On Ethernet both LIDs are 0
    and the port GUID may be 0. Where one device cannot be read the list ends with ``ibpanic: ... stat of IB device
    'X' failed`` and exit status 255: the devices before it are good, X has no ports to show, and those after it are
    not told. Source: rdma-core ``infiniband-diags/ibstat.c``.
    """
    panic = _PANIC.search(f"{output.stdout}\n{output.stderr}")
    if not panic:
        missing = tuple(refused(output, RdmaDevice, RdmaPort))
        if not missing and not output.stdout.strip() and output.rc == 0:
            missing = tuple(Missing(t.TABLE, Why.ABSENT, "ibstat shows no device") for t in (RdmaDevice, RdmaPort))
        if missing:
            yield from missing
            return
    yield from some(consistent(_ibstat(output)), output, "CA 'DEVICE'")
    if panic:
        yield RdmaDevice(device=panic["device"])
        yield Missing("rdma_port", Why.NOT_COLLECTED, panic[0])


def _ibstat(output: Output) -> Iterator[Answer]:
    device: Block | None = None
    ports = 0
    for block in blocks(output.stdout, _IBSTAT):
        if isinstance(block, Skipped):
            if not _PANIC.fullmatch(block.text):
                yield block
        elif block.port == DEVICE:
            yield from lost_ports(device, ports, "Number of ports")
            device, ports = block, 0
            yield from readable(partial(_device, block))
        else:
            ports += 1
            yield from readable(partial(_port, block))
    yield from lost_ports(device, ports, "Number of ports")


def _device(block: Block) -> RdmaDevice:
    kind, firmware = block.get("CA type"), block.get("Firmware version")
    node, image = block.get("Node GUID"), block.get("System image GUID")
    return RdmaDevice(
        line=block.line,
        device=block.device,
        firmware=firmware.text if firmware else None,
        part=kind.text if kind else None,
        node_guid=port_words.guid(node.text, node.line) if node else None,
        sys_image_guid=port_words.guid(image.text, image.line) if image else None,
    )


def _need(block: Block, *keys: str) -> tuple[Value, ...]:
    values = tuple(value for key in keys if (value := block.values.get(key)))
    if len(values) != len(keys):
        raise ParseError(block.line, f"port {block.port} of {block.device}", f"a port with {', '.join(keys)}")
    return values


def _port(block: Block) -> RdmaPort:
    state, physical, rate, lid, sm, layer = _need(
        block, "State", "Physical state", "Rate", "Base lid", "SM lid", "Link layer"
    )
    speed = rate.text.removesuffix(" (FDR10)")
    return RdmaPort(
        line=block.line,
        device=block.device,
        port=block.port,
        state=port_words.state(state.text, state.line),
        physical_state=port_words.physical_state(physical.text, physical.line),
        link_layer=port_words.link_layer(layer.text, layer.line),
        rate_bps=port_words.rate_bps(speed, rate.line),
        lid=_lid(lid),
        sm_lid=_lid(sm),
    )


def _lid(value: Value) -> int:
    if re.fullmatch(r"[0-9]{1,8}", value.text):
        return int(value.text)
    return _hex_lid(value)


def _hex_lid(value: Value) -> int:
    if not re.fullmatch(r"0x[0-9a-f]{1,8}", value.text):
        raise ParseError(value.line, value.text, "a LID such as 0x1a")
    return int(value.text, 16)


@section("ibstatus", Run("ibstatus"), yields=(RdmaPort, Gid), proven=Provenance.FIELD)
def parse_ibstatus(output: Output) -> Iterator[Answer]:
    """``ibstatus``: state, rate and first GID of every port, in the words of sysfs.

    A slower Ethernet port beside InfiniBand ones is a NIC of another kind, no degraded one. ``unknown`` stands for
    a file that cannot be read. Source: rdma-core ``infiniband-diags/scripts/ibstatus``.
    """
    fatal = re.search(r"^Fatal error: .*$", output.stdout, re.MULTILINE)
    if (fatal and "No devices" in fatal[0]) or (fatal and "device '*'" in fatal[0]):
        yield from (Missing(t.TABLE, Why.ABSENT, fatal[0]) for t in (RdmaPort, Gid))
        return
    yield from some(consistent(_ibstatus(output)), output, "Infiniband device 'DEVICE' port N status:")


def _ibstatus(output: Output) -> Iterator[Answer]:
    for block in blocks(output.stdout, _IBSTATUS):
        if isinstance(block, Skipped):
            yield block
        else:
            yield from readable(partial(_status, block))
            gid = block.get("default gid")
            if gid and gid.text != "unknown":
                yield from readable(partial(_gid, block, gid))


def _status(block: Block) -> RdmaPort:
    known = {key: value for key, value in block.values.items() if value.text != "unknown"}
    _need(block, *sorted(_IBSTATUS.of_port))
    state, physical, rate, layer = (known.get(key) for key in ("state", "phys state", "rate", "link_layer"))
    lid, sm = known.get("base lid"), known.get("sm lid")
    return RdmaPort(
        line=block.line,
        device=block.device,
        port=block.port,
        state=port_words.state(state.text, state.line) if state else None,
        physical_state=port_words.physical_state(physical.text, physical.line) if physical else None,
        link_layer=port_words.link_layer(layer.text, layer.line) if layer else None,
        rate_bps=port_words.rate_bps(rate.text, rate.line) if rate else None,
        lid=_hex_lid(lid) if lid else None,
        sm_lid=_hex_lid(sm) if sm else None,
    )


def _gid(block: Block, value: Value) -> Gid:
    gid = port_words.gid_groups(value.text, value.line)
    return Gid(
        line=value.line,
        device=block.device,
        port=block.port,
        index=0,
        gid=gid,
        ipv4=port_words.mapped_ipv4(gid),
    )
