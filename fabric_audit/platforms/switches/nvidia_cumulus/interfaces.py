"""Interfaces of Cumulus Linux as they run: state, MTU, speed, counters, bonds."""

from collections.abc import Iterator

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Address, Interface, PortAlias
from fabric_audit.facts.routing import Lag, LagMember
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.nvidia_cumulus.names import expanded, kind
from fabric_audit.platforms.text import mac_address, speed_bps

_KINDS = {
    "swp": "physical",
    "eth": "management",
    "bond": "bond",
    "peerlink": "bond",
    "svi": "vlan",
    "sub": "vlan",
    "bridge": "bridge",
    "loopback": "virtual",
    "vrf": "virtual",
    "vxlan": "virtual",
}
_FEC = {"rs": "rs", "baser": "fc", "off": "none", "none": "none", "auto": "auto"}
_METERS = {
    "in-bytes": (CounterClass.TRAFFIC, "bytes"),
    "out-bytes": (CounterClass.TRAFFIC, "bytes"),
    "in-pkts": (CounterClass.TRAFFIC, "packets"),
    "out-pkts": (CounterClass.TRAFFIC, "packets"),
    "in-drops": (CounterClass.LOSS, "packets"),
    "out-drops": (CounterClass.LOSS, "packets"),
    "in-errors": (CounterClass.WIRE_ERROR, "frames"),
    "out-errors": (CounterClass.WIRE_ERROR, "frames"),
    "carrier-transitions": (CounterClass.FLAP, "events"),
}


@section(
    "nv-show-interface-json",
    Cli("nv show interface -o json"),
    yields=(Interface, PortAlias, Address, Counter, Lag, LagMember),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_interfaces(output: Output) -> Iterator[Answer]:
    """``nv show interface -o json``: an object per interface, with ``link``, ``type`` and, up to 5.11, ``ip``.

    Before 5.9 the state is an object, ``"state": {"up": {}}``; later ``oper-status`` and ``admin-status`` say it. The
    MTU is that of Linux: the largest IP packet. A speed is that of the link, where it is up. Counters are those of
    ``link.stats``, which some releases leave out of this view.

    Sources: Cumulus Linux 5.12 user guide, NVUE API; NVUE command reference; the NAPALM driver for NVUE.
    """
    told = document(output.stdout)
    if told.empty:
        yield Missing(Interface.TABLE, Why.ABSENT, "{}: no interface")
    for name, node in told.members():
        node.need("link", "type")
        yield _interface(name, node)
        yield from _addresses(name, node)
        yield from _alias(name, node.get("link"))
        yield from _counters(name, node.get("link").get("stats"))
        yield from _bond(name, node)


def _interface(name: str, node: Node) -> Interface:
    link = node.get("link")
    mtu = link.get("mtu").integer()
    mac = link.get("mac-address", "mac").text()
    speed = link.get("speed").text()
    sort = _KINDS.get(node.get("type").text() or "") or kind(name)
    fec = link.get("fec")
    return Interface(
        port=name,
        admin_up=_up(link.get("admin-status"), {"up": True, "down": False}),
        oper_up=_up(link.get("oper-status"), {"up": True, "down": False, "unknown": None}, _state(link.get("state"))),
        mtu_bytes=mtu,
        mtu_kind="ip" if mtu is not None else None,
        speed_bps=speed_bps(speed, link.line) if speed else None,
        fec_mode=_FEC.get(fec.text() or "") if isinstance(fec.value, str) else None,
        mac=mac_address(mac, link.line) if mac else None,
        description=link.get("description").text() or node.get("description").text() or None,
        kind=sort,
        master=node.get("parent").text() or None,
        line=node.line,
    )


def _up(node: Node, words: dict[str, bool | None], otherwise: bool | None = None) -> bool | None:
    word = node.text()
    if word is None:
        return otherwise
    if word not in words:
        raise node.wrong(" or ".join(words))
    return words[word]


def _state(node: Node) -> bool | None:
    """``{"up": {}}``, or the word itself."""
    word = node.value if isinstance(node.value, str) else next((name for name, _ in node.members()), None)
    return {"up": True, "down": False}.get(word or "")


def _addresses(name: str, node: Node) -> Iterator[Answer]:
    for family in ("ip", "ipv4", "ipv6"):
        for address, told in node.get(family).get("address").members():
            if "/" in address:
                yield Address(port=name, address=address, line=told.line)


def _alias(name: str, link: Node) -> Iterator[Answer]:
    mac = link.get("mac-address", "mac").text()
    if mac and kind(name) in ("physical", "management"):
        yield PortAlias(port=name, alias=mac_address(mac, link.line), kind="mac", line=link.line)


def _counters(name: str, stats: Node) -> Iterator[Answer]:
    for word, value in stats.members():
        if word in _METERS:
            counter_class, unit = _METERS[word]
            yield Counter(
                port=name,
                name=word,
                value=value.integer(),
                counter_class=counter_class,
                unit=unit,
                bits=64,
                saturates=False,
                scope="since_clear",
                source="nv show interface",
                line=value.line,
            )


def _bond(name: str, node: Node) -> Iterator[Answer]:
    members = [(port, told.line) for names, told in _members(node) for port in expanded(names, told.line)]
    if not members:
        return
    mode = node.get("bond").get("mode").text()
    protocol = "static" if mode == "static" else "lacp" if mode == "lacp" else None
    up = node.get("link").get("oper-status").text()
    yield Lag(lag=name, protocol=protocol, oper_up=up == "up" if up else None, line=node.line)
    for port, line in members:
        yield LagMember(lag=name, port=port, line=line)


def _members(node: Node) -> Iterator[tuple[str, Node]]:
    bond = node.get("bond")
    yield from bond.get("member", "members").members()
