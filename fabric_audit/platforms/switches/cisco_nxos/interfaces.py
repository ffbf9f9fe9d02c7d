"""Interfaces of NX-OS from JSON: state, MTU, speed, pause, and the counters of ``show interface``."""

from collections.abc import Iterator

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Address, Interface, PortAlias
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.cisco_nxos.names import aliases, canonical, kind
from fabric_audit.platforms.switches.cisco_nxos.rows import rows
from fabric_audit.platforms.text import mac_address, speed_bps

_METERS: dict[str, tuple[CounterClass, str]] = {
    "eth_inbytes": (CounterClass.TRAFFIC, "bytes"),
    "eth_outbytes": (CounterClass.TRAFFIC, "bytes"),
    "eth_inpkts": (CounterClass.TRAFFIC, "packets"),
    "eth_outpkts": (CounterClass.TRAFFIC, "packets"),
    "eth_indiscard": (CounterClass.LOSS, "packets"),
    "eth_outdiscard": (CounterClass.LOSS, "packets"),
    "eth_ignored": (CounterClass.LOSS, "packets"),
    "eth_nobuf": (CounterClass.LOSS, "packets"),
    "eth_crc": (CounterClass.WIRE_ERROR, "frames"),
    "eth_runts": (CounterClass.WIRE_ERROR, "frames"),
    "eth_giants": (CounterClass.WIRE_ERROR, "frames"),
    "eth_inpause": (CounterClass.PAUSE_RECEIVED, "frames"),
    "eth_outpause": (CounterClass.PAUSE_SENT, "frames"),
    "eth_reset_cntr": (CounterClass.FLAP, "events"),
}
_FEC = {"rs-fec": "rs", "fc-fec": "fc", "rs-cons16": "rs", "rs-ieee": "rs", "off": "none", "auto": "auto"}


@section(
    "show-interface-json",
    Cli("show interface | json"),
    yields=(Interface, PortAlias, Address, Counter),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_interface_json(output: Output) -> Iterator[Answer]:
    """``show interface | json``: one row per interface, keys ``eth_*``, ``svi_*`` or of loopbacks and mgmt0.

    ``admin_state`` is the configuration, ``state`` the link. ``eth_bw`` is in kbit/s and stands there also while the
    link is down; ``eth_speed`` is what runs. ``eth_inpause`` counts pauses of 802.3x. Counters count since the
    clearing that ``eth_clear_counters`` names; ``never`` is since boot.

    Source: the keys as pyATS, NAPALM and Cisco's nxapi tools read them.
    """
    top = document(output.stdout)
    found = False
    for node in rows(top, "interface"):
        found = True
        name = canonical(node.need("interface").text() or "")
        yield _interface(name, node)
        for alias in aliases(name):
            yield PortAlias(port=name, alias=alias, kind="abbreviation", line=node.line)
        mac = node.get("eth_bia_addr", "eth_hw_addr").text()
        if mac and kind(name) in ("physical", "management"):
            yield PortAlias(port=name, alias=mac_address(mac, node.line), kind="mac", line=node.line)
        address, length = node.get("eth_ip_addr").text(), node.get("eth_ip_mask").integer()
        if address and length is not None:
            yield Address(port=name, address=f"{address}/{length}", line=node.line)
        yield from _counters(name, node)
    if not found:
        top.need("TABLE_interface")
        yield Missing(Interface.TABLE, Why.ABSENT, "no row in TABLE_interface")


def _interface(name: str, node: Node) -> Interface:
    node.need("state", "svi_line_proto", "admin_state", "svi_admin_state", "eth_mtu")
    state = node.get("state", "svi_line_proto").text()
    admin = node.get("admin_state", "svi_admin_state").text()
    speed = node.get("eth_speed").text() or ""
    mac = node.get("eth_hw_addr").text()
    return Interface(
        port=name,
        admin_up=admin == "up" if admin else None,
        oper_up=state == "up" if state else None,
        mtu_bytes=node.get("eth_mtu", "svi_mtu").integer(),
        mtu_kind="l2" if kind(name) in ("physical", "bond") and node.get("eth_mode").text() != "routed" else "ip",
        speed_bps=speed_bps(speed, node.line) if speed[:1].isdigit() else None,
        fec_mode=_FEC.get(node.get("eth_fec_mode").text() or ""),
        link_pause_rx=_on(node.get("eth_in_flowctrl")),
        link_pause_tx=_on(node.get("eth_out_flowctrl")),
        mac=mac_address(mac, node.line) if mac else None,
        description=node.get("desc").text() or None,
        kind=kind(name),
        down_reason=node.get("state_rsn_desc").text() if state != "up" else None,
        line=node.line,
    )


def _on(node: Node) -> bool | None:
    return {"on": True, "off": False}.get(node.text() or "")


def _counters(name: str, node: Node) -> Iterator[Counter]:
    cleared = node.get("eth_clear_counters").text()
    for key, (counter_class, unit) in _METERS.items():
        place = node.get(key)
        if place.there:
            yield Counter(
                port=name,
                name=key,
                value=place.integer(),
                counter_class=counter_class,
                unit=unit,
                scope=None if cleared is None else "absolute" if cleared == "never" else "since_clear",
                source="show interface",
                line=place.line,
            )
