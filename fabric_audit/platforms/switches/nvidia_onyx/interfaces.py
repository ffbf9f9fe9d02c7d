"""Interfaces of Onyx as they run: state, MTU, speed, pause, and counters."""

import re
from collections.abc import Iterator

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Address, Interface, PortAlias
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.partial import settled
from fabric_audit.platforms.switches.nvidia_onyx.names import canonical, kind
from fabric_audit.platforms.switches.nvidia_onyx.tables import objects, of_ports, word
from fabric_audit.platforms.text import mac_address, speed_bps

_YIELDS = (Interface, PortAlias, Address, Counter)
_METERS = {
    ("Rx", "packets"): (CounterClass.TRAFFIC, "packets"),
    ("Tx", "packets"): (CounterClass.TRAFFIC, "packets"),
    ("Rx", "bytes"): (CounterClass.TRAFFIC, "bytes"),
    ("Tx", "bytes"): (CounterClass.TRAFFIC, "bytes"),
    ("Rx", "error packets"): (CounterClass.WIRE_ERROR, "packets"),
    ("Tx", "error packets"): (CounterClass.WIRE_ERROR, "packets"),
    ("Rx", "discard packets"): (CounterClass.LOSS, "packets"),
    ("Tx", "discard packets"): (CounterClass.LOSS, "packets"),
    ("Tx", "hoq discard packets"): (CounterClass.LOSS, "packets"),
}
_FEC = {"rs-fec": "rs", "rs": "rs", "fc-fec": "fc", "fc": "fc", "no-fec": "none", "none": "none", "auto": "auto"}


@section(
    "show-interfaces-ethernet-json",
    Cli("show interfaces ethernet | json-print"),
    yields=_YIELDS,
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_interfaces(output: Output) -> Iterator[Answer]:
    """``show interfaces ethernet | json-print``: an object per interface, its name in ``header``.

    ``MTU`` is the payload of a frame, and the text behind it the whole frame. Counters count since ``Last clearing``.
    ``hoq discard`` are packets that waited too long at the head of a queue. VLAN interfaces have other members.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    rows = (answer for one in objects(document(output.stdout)) if one.get("header").there for answer in _interface(one))
    yield from settled(rows, _YIELDS, "no interface in the answer")


def _interface(one: Node) -> Iterator[Answer]:
    name = canonical(one.get("header").text() or "")
    if not kind(name):
        raise one.get("header").wrong("an interface such as Eth1/1")
    mac = word(one.get("Mac address", "Mac Address"))
    speed = word(one.get("Actual speed"))
    pause = re.match(r"receive (on|off) send (on|off)", one.get("Flow-control").text() or "")
    yield Interface(
        port=name,
        admin_up=_state(one.get("Admin state"), {"Enabled": True, "Disabled": False}),
        oper_up=_state(one.get("Operational state"), {"Up": True, "Down": False}),
        mtu_bytes=_mtu(one.get("MTU")),
        mtu_kind="ip" if kind(name) == "vlan" else "l2",
        speed_bps=speed_bps(speed, one.line) if speed else None,
        fec_mode=_FEC.get((one.get("Fec").text() or "").lower()),
        link_pause_rx=pause[1] == "on" if pause else None,
        link_pause_tx=pause[2] == "on" if pause else None,
        mac=mac_address(mac, one.line) if mac else None,
        description=word(one.get("Description")),
        kind=kind(name),
        line=one.line,
    )
    if mac and kind(name) == "physical":
        yield PortAlias(port=name, alias=mac_address(mac, one.line), kind="mac", line=one.line)
    address = word(one.get("Internet Address"))
    if address and "/" in address:
        yield Address(port=name, address=address, line=one.line)
    yield from _counters(name, one)


def _state(node: Node, words: dict[str, bool]) -> bool | None:
    text = word(node)
    if text is None:
        return None
    first = text.split()[0]
    if first not in words:
        raise node.wrong(" or ".join(words))
    return words[first]


def _mtu(node: Node) -> int | None:
    text = word(node)
    found = re.match(r"(\d{2,5}) bytes", text or "")
    if text and not found:
        raise node.wrong("an MTU in bytes")
    return int(found[1]) if found else None


def _counters(name: str, one: Node) -> Iterator[Answer]:
    cleared = word(one.get('Last clearing of "show interface" counters'))
    for (way, counted), (counter_class, unit) in _METERS.items():
        value = one.get(way).get(counted)
        if value.there:
            yield Counter(
                port=name,
                name=f"{way} {counted}",
                value=value.integer(),
                counter_class=counter_class,
                unit=unit,
                bits=64,
                saturates=False,
                scope="absolute" if cleared == "Never" else "since_clear",
                source="show interfaces ethernet",
                line=value.line,
            )


@section("show-interfaces-ethernet-status-json", yields=(Interface,), proven=Provenance.FIELD)
def parse_status(output: Output) -> Iterator[Answer]:
    """``show interfaces ethernet status | json-print``: state and speed per port.

    A VLAN interface has ``State`` in place of ``Operational state``, and no speed.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    rows = (_status(port, row) for port, node in of_ports(document(output.stdout)) for row in node.rows())
    yield from settled(rows, (Interface,), "no interface in the answer")


def _status(port: str, row: Node) -> Interface:
    row.need("Operational state", "State")
    speed = word(row.get("Speed"))
    return Interface(
        port=port,
        oper_up=_state(row.get("Operational state", "State"), {"Up": True, "Down": False}),
        speed_bps=speed_bps(speed, row.line) if speed else None,
        description=word(row.get("Description")),
        kind=kind(port),
        line=row.line,
    )
