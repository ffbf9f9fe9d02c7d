"""The section that reads a configuration of Comware."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Address, Interface, LldpPort
from fabric_audit.facts.profiles import BrokenReference, EcnProfile
from fabric_audit.facts.qos import DscpMap, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember
from fabric_audit.facts.system import System
from fabric_audit.platforms.indented import find, last
from fabric_audit.platforms.landings import identical, rows
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.h3c_comware.config_qos import pfc, queues, skipped, trust
from fabric_audit.platforms.switches.h3c_comware.names import kind
from fabric_audit.platforms.switches.h3c_comware.running_config import Config, Port, read_config

_MBIT = 10**6
_TABLES = (
    System,
    Interface,
    Address,
    LldpPort,
    PfcPort,
    PfcPriorityMap,
    PfcWatchdog,
    PriorityGroup,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    Queue,
    EcnProfile,
    BrokenReference,
    Lag,
    LagMember,
)


@section(
    "current-configuration",
    Cli("display current-configuration"),
    yields=_TABLES,
    proven=Provenance.FIELD,
    timeout_s=60.0,
)
def parse_current_configuration(output: Output) -> Iterator[Answer]:
    """``display current-configuration``, a saved configuration, or lines that an operator's script sends.

    PFC needs ``priority-flow-control enable`` (``auto``: by DCBX) and ``no-drop dot1p``, each on the port or for the
    switch; one without the other stops nothing. ECN is a line ``ecn`` of the queue, on the port or in the WRED table it
    applies; thresholds and headroom are in cells, whose size no line tells: they are kept as text. Without a line:
    no PFC, no deadlock detection, tail drop, port priority instead of DSCP or 802.1p.

    Marks lead to the local precedence, which is the queue: DSCP by ``dscp-lp`` where a series has it, else by
    ``dscp-dot1p`` and ``dot1p-lp``, of which the latter by default swaps 0, 1 and 2. ``interface range`` is written out
    as its ports; text without indentation is read by the lines that open a block.

    Sources: H3C S9825 and S9855 Command References R913x; HPE 5900 and 11900 ACL and QoS configuration guides;
    configurations of operators.
    """
    config = read_config(output.stdout)
    yield from config.skipped
    yield from _system(config)
    for name, table in config.tables.items():
        for queue, told in sorted(table.queues.items()):
            yield EcnProfile(
                profile=f"{name} queue {queue}",
                ecn=told.ecn,
                ecn_mark_pct=float(told.share) if told.share is not None else None,
                wred_drops=None if told.ecn is None else not told.ecn,
                ecn_raw=told.raw,
                line=told.line,
            )
    for name, port in config.ports.items():
        yield from _port(name, port, config)


def _system(config: Config) -> Iterator[Answer]:
    named, version = last(config.top, r"sysname (\S+)"), last(config.top, r"version (\d.*)")
    if named:
        told = version[1][1] if version else None
        yield System(name=named[1][1], os="h3c_comware", os_version=told, line=named[0].line)


def _port(name: str, port: Port, config: Config) -> Iterator[Answer]:
    yield _interface(name, port)
    yield from _addresses(name, port)
    yield from _bundle(name, port)
    if kind(name) != "physical":
        return
    yield from _lldp(name, port, config)
    yield from skipped(port)
    yield from pfc(name, port, config)
    yield from queues(name, port, config)
    yield from rows(name, port.line, dscp=config.dscp, pcp=config.pcp, queues=identical())


def _interface(name: str, port: Port) -> Interface:
    front = kind(name) == "physical"
    frame = last(port.lines, r"jumboframe enable (\d{3,5})")
    packet = last(port.lines, r"mtu (\d{2,5})")
    speed = last(port.lines, r"speed (\d{2,6})(?: .*)?")
    described = last(port.lines, r"description (.+)")
    both = last(port.lines, r"flow-control")
    ways = {way: last(port.lines, rf"flow-control {way} enable") or both for way in ("receive", "send")}
    size, sort = (frame, "l2") if frame else (packet, "ip") if packet and not front else (None, None)
    return Interface(
        port=name,
        admin_up=last(port.lines, r"shutdown") is None,
        mtu_bytes=int(size[1][1]) if size else None,
        mtu_kind=sort,
        trust_mode=trust(port) if front else None,
        link_pause_rx=ways["receive"] is not None if front else None,
        link_pause_tx=ways["send"] is not None if front else None,
        description=described[1][1] if described else None,
        kind=kind(name),
        admin_speed_bps=int(speed[1][1]) * _MBIT if speed else None,
        line=port.line,
    )


def _addresses(name: str, port: Port) -> Iterator[Answer]:
    pattern = r"ip address (\d{1,3}(?:\.\d{1,3}){3}) (\d{1,2}|\d{1,3}(?:\.\d{1,3}){3})(?: sub)?"
    for line, found in find(port.lines, pattern):
        try:
            length = IPv4Network(f"0.0.0.0/{found[2]}").prefixlen
        except ValueError:
            continue
        yield Address(port=name, address=f"{found[1]}/{length}", line=line.line)


def _bundle(name: str, port: Port) -> Iterator[Answer]:
    member = last(port.lines, r"port link-aggregation group (\d+)(?: .*)?")
    if member and kind(name) == "physical":
        routed = last(port.lines, r"port link-mode route")
        word = "Route-Aggregation" if routed else "Bridge-Aggregation"
        yield LagMember(lag=f"{word}{member[1][1]}", port=name, line=member[0].line)
    if kind(name) != "bond":
        return
    dynamic = last(port.lines, r"link-aggregation mode dynamic")
    least = last(port.lines, r"link-aggregation selected-port minimum (\d+)(?: .*)?")
    pair = last(port.lines, r"port (?:m-lag|drni) group (\d+)(?: .*)?")
    yield Lag(
        lag=name,
        protocol="lacp" if dynamic else "static",
        min_links=int(least[1][1]) if least else None,
        peer=f"m-lag group {pair[1][1]}" if pair else None,
        line=port.line,
    )


def _lldp(name: str, port: Port, config: Config) -> Iterator[Answer]:
    """Whether LLDP is on without a line differs by how the switch was first started."""
    undone = last(port.lines, r"undo lldp enable|lldp admin-status disable")
    way = last(port.lines, r"lldp admin-status (tx|rx|txrx)")
    ways = way[1][1] if way else "txrx"
    if undone:
        yield LldpPort(port=name, transmit=False, receive=False, line=undone[0].line)
    elif last(config.top, r"lldp global enable"):
        yield LldpPort(port=name, transmit="tx" in ways, receive="rx" in ways, line=port.line)
