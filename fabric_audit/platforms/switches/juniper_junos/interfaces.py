"""Interfaces of Junos from XML or JSON: state, MTU, speed, PFC, FEC, and the counters of ``show interfaces``."""

from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.ports import Address, Interface, PortAlias
from fabric_audit.platforms.code_points import PCPS
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.juniper_junos.elements import Element, elements
from fabric_audit.platforms.switches.juniper_junos.names import kind
from fabric_audit.platforms.text import mac_address, speed_bps

METERS: dict[str, tuple[CounterClass, str]] = {
    "input-bytes": (CounterClass.TRAFFIC, "bytes"),
    "output-bytes": (CounterClass.TRAFFIC, "bytes"),
    "input-packets": (CounterClass.TRAFFIC, "packets"),
    "output-packets": (CounterClass.TRAFFIC, "packets"),
    "input-drops": (CounterClass.LOSS, "packets"),
    "output-drops": (CounterClass.LOSS, "packets"),
    "input-errors": (CounterClass.WIRE_ERROR, "packets"),
    "framing-errors": (CounterClass.WIRE_ERROR, "packets"),
    "input-runts": (CounterClass.WIRE_ERROR, "packets"),
    "input-resource-errors": (CounterClass.LOSS, "packets"),
    "output-resource-errors": (CounterClass.LOSS, "packets"),
    "mtu-errors": (CounterClass.LOSS, "packets"),
    "carrier-transitions": (CounterClass.FLAP, "events"),
    "input-crc-errors": (CounterClass.WIRE_ERROR, "frames"),
    "input-mac-pause-frames": (CounterClass.PAUSE_RECEIVED, "frames"),
    "output-mac-pause-frames": (CounterClass.PAUSE_SENT, "frames"),
    "fec_ccw_count": (CounterClass.QUALITY, "events"),
    "fec_nccw_count": (CounterClass.WIRE_ERROR, "events"),
    "bit-error-seconds": (CounterClass.WIRE_ERROR, "events"),
}
"""Counters that are kept, by Junos's own names. Corrected codewords are normal, uncorrected ones are lost frames."""

_LISTS = (
    ("traffic-statistics",),
    ("input-error-list",),
    ("output-error-list",),
    ("ethernet-fec-statistics",),
    ("ethernet-mac-statistics",),
    ("ethernet-pcs-statistics",),
)
_TABLES = (Interface, PortAlias, Address, Counter, QueueCounter, PfcCounter)


def meter(port: str, name: str, value: int | None, *, scope: str | None, line: int | None = None) -> Counter:
    """One of :data:`METERS`; Junos counts with 64 bits."""
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
        source="show interfaces extensive",
        line=line,
    )


@section(
    "show-interfaces-extensive-xml",
    Cli("show interfaces extensive | display xml | no-more"),
    yields=_TABLES,
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=120.0,
)
@section("show-interfaces-extensive-json", yields=_TABLES, proven=Provenance.CONSTRUCTED)
def parse_interfaces(output: Output) -> Iterator[Answer]:
    """``show interfaces extensive`` with ``| display xml`` or ``| display json``.

    ``if-flow-control`` is 802.3x; PFC frames per priority are in ``ethernet-mac-pfc-statistics``, input meaning that
    the neighbour asked this port to stop. A neighbour may know a port by its SNMP index, which is what Junos sends
    as LLDP port id by default. ``mtu`` counts the Ethernet header. Counters count since
    ``statistics-cleared``, ``Never`` being since boot.

    Source: field output of a QFX; element names as Juniper's PyEZ reads them.
    """
    tree = elements(output.stdout)
    found = False
    for node in tree.find("physical-interface"):
        found = True
        name = node.need("name")
        yield _interface(name, node)
        yield from _aliases(name, node)
        yield from _addresses(node)
        yield from _counters(name, node)
        yield from _queues(name, node)
        yield from _pfc(name, node)
    if not found:
        if not list(tree.find("interface-information")):
            raise ParseError(1, output.stdout[:80].partition("\n")[0], "interface-information")
        yield Missing(Interface.TABLE, Why.ABSENT, "no physical-interface")


def _interface(name: str, node: Element) -> Interface:
    speed, mtu = node.word("speed") or "", node.word("mtu") or ""
    pause = {"enabled": True, "disabled": False, "none": False}.get((node.word("if-flow-control") or "").lower())
    mac = node.word("current-physical-address") or ""
    admin, oper = node.need("admin-status"), node.need("oper-status")
    return Interface(
        port=name,
        admin_up=admin == "up",
        oper_up=oper == "up",
        mtu_bytes=int(mtu) if mtu.isdigit() else None,
        mtu_kind="l2" if kind(name) in ("physical", "bond") else None,
        speed_bps=speed_bps(speed, 0) if speed[:1].isdigit() else None,
        link_pause_rx=pause,
        link_pause_tx=pause,
        mac=mac_address(mac, 0) if mac.count(":") == 5 else None,  # noqa: PLR2004 - six bytes
        description=node.word("description"),
        kind=kind(name),
    )


def _aliases(name: str, node: Element) -> Iterator[PortAlias]:
    index = node.word("snmp-index")
    if index:
        yield PortAlias(port=name, alias=index, kind="ifindex")
    mac = node.word("hardware-physical-address") or ""
    if mac.count(":") == 5 and kind(name) == "physical":  # noqa: PLR2004 - six bytes
        yield PortAlias(port=name, alias=mac_address(mac, 0), kind="mac")


def _addresses(node: Element) -> Iterator[Address]:
    for unit in node.all("logical-interface"):
        for family in unit.all("address-family"):
            length = (family.word("interface-address", "ifa-destination") or "").rpartition("/")[2]
            local = family.word("interface-address", "ifa-local")
            if local and length.isdigit() and not local.startswith("fe80"):
                yield Address(port=unit.need("name"), address=f"{local}/{length}")


def _counters(name: str, node: Element) -> Iterator[Counter]:
    cleared = node.word("statistics-cleared")
    scope = None if cleared is None else "absolute" if cleared == "Never" else "since_clear"
    for tags in _LISTS:
        for place in node.all(*tags):
            for tag, below in place.children.items():
                if tag in METERS:
                    yield meter(name, tag, place.integer(tag) if below else None, scope=scope)


def _queues(name: str, node: Element) -> Iterator[QueueCounter]:
    for queue in node.all("queue-counters", "queue"):
        number = queue.integer("queue-number")
        if number is None:
            raise ParseError(0, name, "a queue-number in each queue")
        yield QueueCounter(
            port=name,
            queue=number,
            group=False,
            tx_packets=queue.integer("queue-counters-trans-packets"),
            tx_bytes=queue.integer("queue-counters-trans-bytes"),
            drop_packets=queue.integer("queue-counters-total-drop-packets"),
            scope="since_clear",
        )


def _pfc(name: str, node: Element) -> Iterator[PfcCounter]:
    for counted in node.all("ethernet-mac-pfc-statistics"):
        priority = counted.integer("mac-pfc-dot1p")
        if priority is None or priority not in PCPS:
            raise ParseError(0, counted.word("mac-pfc-dot1p") or "", "a priority from 0 to 7 in mac-pfc-dot1p")
        yield PfcCounter(
            port=name,
            priority=priority,
            rx_frames=counted.integer("input-mac-pfc-frames"),
            tx_frames=counted.integer("output-mac-pfc-frames"),
            scope="since_clear",
        )
