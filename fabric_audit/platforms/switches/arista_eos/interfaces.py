"""Interfaces of EOS: state, MTU, speed, pause, and the counters of ``show interfaces``."""

from collections.abc import Iterator

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Address, Interface, PortAlias
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.arista_eos.names import kind, short
from fabric_audit.platforms.text import mac_address

_COMMAND = "show interfaces"
_MTU_KINDS = {"routed": "ip", "bridged": "l2"}
_FEC = {"reedSolomon": "rs", "reedSolomon544": "rs", "fireCode": "fc", "disabled": "none"}

METERS: dict[str, tuple[CounterClass, str]] = {
    "inOctets": (CounterClass.TRAFFIC, "bytes"),
    "outOctets": (CounterClass.TRAFFIC, "bytes"),
    "inUcastPkts": (CounterClass.TRAFFIC, "packets"),
    "outUcastPkts": (CounterClass.TRAFFIC, "packets"),
    "inDiscards": (CounterClass.LOSS, "packets"),
    "outDiscards": (CounterClass.LOSS, "packets"),
    "fcsErrors": (CounterClass.WIRE_ERROR, "frames"),
    "symbolErrors": (CounterClass.WIRE_ERROR, "events"),
    "alignmentErrors": (CounterClass.WIRE_ERROR, "frames"),
    "runtFrames": (CounterClass.WIRE_ERROR, "frames"),
    "giantFrames": (CounterClass.WIRE_ERROR, "frames"),
    "rxPause": (CounterClass.PAUSE_RECEIVED, "frames"),
    "txPause": (CounterClass.PAUSE_SENT, "frames"),
    "linkStatusChanges": (CounterClass.FLAP, "events"),
}
"""Counters of ``show interfaces`` that are kept, by EOS's own names. rxPause and txPause are those of 802.3x."""


def meter(port: str, name: str, value: int | None, *, scope: str | None, line: int | None = None) -> Counter:
    """One of :data:`METERS`; EOS counts with 64 bits."""
    counter_class, unit = METERS[name]
    return Counter(
        port=port,
        name=name,
        value=value,
        counter_class=counter_class,
        unit=unit,
        bits=64,
        saturates=False,
        scope=scope,
        source=_COMMAND,
        line=line,
    )


@section(
    "show-interfaces-json",
    Cli("show interfaces | json"),
    yields=(Interface, PortAlias, Address, Counter),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_interfaces_json(output: Output) -> Iterator[Answer]:
    """``show interfaces | json``: one object per interface under ``interfaces``.

    ``mtu`` is the largest IP packet on a routed interface (``forwardingModel`` routed) and the largest Ethernet
    payload on a bridged one; that of a member of a port-channel (dataLink) is not the one in force and is not read.
    ``interfaceStatus`` disabled means shut down by configuration; errdisabled is
    switched on and held down. Counters count since the last ``clear counters`` where ``lastClear`` is there, else
    since boot.

    Source: the model of Arista's eAPI, as ANTA and NAPALM read it.
    """
    interfaces = document(output.stdout).need("interfaces")
    if interfaces.empty:
        yield Missing(Interface.TABLE, Why.ABSENT, "interfaces: {}")
    for name, node in interfaces.members():
        yield _interface(name, node)
        yield from _aliases(name, node)
        yield from _addresses(name, node)
        yield from _counters(name, node)


def _interface(name: str, node: Node) -> Interface:
    status = node.need("interfaceStatus").text()
    protocol = node.get("lineProtocolStatus").text()
    up = protocol == "up" if protocol is not None else status == "connected"
    bandwidth = node.get("bandwidth").integer()
    mac = node.get("physicalAddress").text()
    mtu_kind = _MTU_KINDS.get(node.get("forwardingModel").text() or "")
    return Interface(
        port=name,
        admin_up=status != "disabled",
        oper_up=up,
        mtu_bytes=node.get("mtu").integer() or None if mtu_kind else None,
        mtu_kind=mtu_kind,
        speed_bps=bandwidth or None,
        mac=mac_address(mac, node.line) if mac else None,
        description=node.get("description").text() or None,
        kind=kind(name),
        down_reason=None if up else status,
        line=node.line,
    )


def _aliases(name: str, node: Node) -> Iterator[PortAlias]:
    abbreviation = short(name)
    if abbreviation:
        yield PortAlias(port=name, alias=abbreviation, kind="abbreviation", line=node.line)
    mac = node.get("burnedInAddress", "physicalAddress")
    if mac.there and kind(name) in ("physical", "management"):
        yield PortAlias(port=name, alias=mac_address(mac.text() or "", mac.line), kind="mac", line=mac.line)


def _addresses(name: str, node: Node) -> Iterator[Address]:
    for row in node.get("interfaceAddress").rows():
        primary = row.get("primaryIp")
        address, length = primary.get("address").text(), primary.get("maskLen").integer()
        if address and length and address != "0.0.0.0":  # noqa: S104 - EOS writes it for "none", nothing is bound
            yield Address(port=name, address=f"{address}/{length}", line=primary.line)


def _counters(name: str, node: Node) -> Iterator[Counter]:
    counted = node.get("interfaceCounters")
    scope = "since_clear" if counted.get("lastClear").there else "absolute"
    for place in (counted, counted.get("inputErrorsDetail"), counted.get("outputErrorsDetail")):
        for key, value in place.members():
            if key in METERS:
                yield meter(name, key, value.integer(), scope=scope, line=value.line)


@section(
    "show-interfaces-flow-control-json",
    Cli("show interfaces flow-control | json"),
    yields=(Interface,),
    proven=Provenance.DOCUMENT,
)
def parse_flow_control_json(output: Output) -> Iterator[Answer]:
    """``show interfaces flow-control | json``: 802.3x pause per port under ``interfaceFlowControls``.

    ``rxOperState`` and ``txOperState`` are what is in force: on, off, or unknown while the link is down, when the
    configured ``rxAdminState`` and ``txAdminState`` are told. The frames that were counted come with
    ``show interfaces``.

    Source: the model of Arista's eAPI, as AMD's node-scraper and the EOS modules of Puppet read it.
    """
    ports = document(output.stdout).need("interfaceFlowControls")
    if ports.empty:
        yield Missing(Interface.TABLE, Why.ABSENT, "interfaceFlowControls: {}")
    for name, node in ports.members():
        yield Interface(
            port=name,
            link_pause_rx=_in_force(node, "rxOperState", "rxAdminState"),
            link_pause_tx=_in_force(node, "txOperState", "txAdminState"),
            kind=kind(name),
            line=node.line,
        )


def _in_force(node: Node, operational: str, configured: str) -> bool | None:
    states = {"on": True, "off": False}
    in_force = states.get(node.need(operational).text() or "")
    return states.get(node.get(configured).text() or "") if in_force is None else in_force


@section(
    "show-interfaces-error-correction-json",
    Cli("show interfaces error-correction | json"),
    yields=(Interface,),
    proven=Provenance.DOCUMENT,
)
def parse_error_correction_json(output: Output) -> Iterator[Answer]:
    """``show interfaces error-correction | json``: the FEC of each port under ``interfaceErrCorrStatuses``.

    ``errCorrEncodingStatus`` is the encoding in use: reedSolomon, reedSolomon544, fireCode or disabled.

    Source: the model of Arista's eAPI as seen on EOS 4.26.
    """
    ports = document(output.stdout).need("interfaceErrCorrStatuses")
    if ports.empty:
        yield Missing(Interface.TABLE, Why.ABSENT, "interfaceErrCorrStatuses: {}")
    for name, node in ports.members():
        encoding = node.get("errCorrEncodingStatus").text()
        yield Interface(port=name, fec_oper=_FEC.get(encoding or ""), kind=kind(name), line=node.line)
