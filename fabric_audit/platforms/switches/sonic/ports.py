"""Ports: configuration, state, FEC."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.sonic.database import Database, Entry, each
from fabric_audit.platforms.switches.sonic.qos import trust_mode
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows
from fabric_audit.platforms.text import integer, speed_bps

DEFAULT_MTU_BYTES = 9100  # sonic-swss cfgmgr/portmgr.h DEFAULT_MTU_STR
_FEC = {"rs": "rs", "fc": "fc", "none": "none", "auto": "auto", "off": "none"}


def configured(database: Database) -> Iterator[Answer]:
    """Interfaces as configured, and their front panel names.

    A port without ``admin_status`` is down and one without ``mtu`` has 9100 (cfgmgr/portmgr.h). The MTU counts the
    IP packet: orchagent adds 22 bytes of Ethernet header, VLAN tag and FCS for the hardware (portsorch.cpp).
    """
    bindings = database.bound("PORT_QOS_MAP")
    everywhere = tuple(bindings.get("global", ()))
    cables = cable_lengths(database)

    def interface(entry: Entry) -> Iterator[Answer]:
        speed = entry.number("speed")
        mtu = entry.number("mtu")
        yield Interface(
            port=entry.key,
            admin_up=entry.text("admin_status") == "up",
            mtu_bytes=DEFAULT_MTU_BYTES if mtu is None else mtu,
            mtu_kind="ip",
            admin_speed_bps=None if speed is None else speed * 10**6,
            fec_mode=_FEC.get(entry.text("fec") or ""),
            trust_mode=trust_mode((*everywhere, *bindings.get(entry.key, ()))),
            description=entry.text("description"),
            kind="internal" if database.is_internal(entry.key) else kind_of(entry.key),
            cable_length_m=cables.get(entry.key),
            line=entry.line,
        )
        alias = entry.text("alias")
        if alias and alias != entry.key:
            yield PortAlias(port=entry.key, alias=alias, kind="label", line=entry.at("alias"))

    def aggregate(entry: Entry) -> Iterator[Answer]:
        mtu = entry.number("mtu")
        yield Interface(
            port=entry.key,
            admin_up=entry.text("admin_status") != "down",
            mtu_bytes=DEFAULT_MTU_BYTES if mtu is None else mtu,
            mtu_kind="ip",
            kind="bond",
            line=entry.line,
        )

    yield from each(database.table("PORT").values(), interface)
    yield from each(database.table("PORTCHANNEL").values(), aggregate)


def cable_lengths(database: Database) -> dict[str, float]:
    """Metres by port; ``CABLE_LENGTH`` has one entry of any name, with a field such as ``300m`` for each port."""
    found = {}
    for entry in database.table("CABLE_LENGTH").values():
        for port in entry.fields:
            metres = re.fullmatch(r"(\d+(?:\.\d+)?)\s*m", entry.text(port) or "")
            if metres:
                found[port] = float(metres[1])
    return found


def kind_of(port: str) -> str | None:
    """What a name says about an interface."""
    if port.startswith("PortChannel"):
        return "bond"
    if re.match(r"Ethernet-(BP|IB|Rec)", port):
        return "internal"
    if "." in port or port.startswith(("Vlan", "Loopback")):
        return "vlan" if port.startswith("Vlan") else "virtual"
    if port.startswith("Eth"):
        return "physical"
    return "management" if port.startswith(("eth", "Management")) else None


@section(
    "show-interfaces-status",
    Cli("show interfaces status"),
    yields=(Interface, PortAlias),
    proven=Provenance.DOCUMENT,
)
def show_interfaces_status(output: Output) -> Iterator[Answer]:
    """``show interfaces status``: one row a port and port channel.

    Columns are found by title, so layouts without ``FEC`` (before 201911) or ``Vlan`` (before 201811) are read too.
    While a port is down, ``Speed`` is what is configured, not what was negotiated (scripts/intfutil,
    port_oper_speed_get). ``FEC`` is the configured mode: APPL_DB PORT_TABLE. ``Alias`` is what the port calls
    itself in LLDP. MTU as in the configuration: the IP packet.
    """
    yield from read_rows(output.stdout, ("Interface", "Speed", "MTU", "Oper", "Admin"), _status, (Interface,))


def _status(row: Row) -> Iterator[Answer]:
    port = row.port("Interface")
    speed = speed_bps(row.get("Speed", ""), row.line)
    up = row.choice("Oper", {"up": True, "down": False})
    yield Interface(
        port=port,
        admin_up=row.choice("Admin", {"up": True, "down": False}),
        oper_up=up,
        mtu_bytes=integer(row.get("MTU", ""), row.line, "an MTU"),
        mtu_kind="ip",
        speed_bps=speed if up else None,
        admin_speed_bps=None if up else speed,
        fec_mode=_FEC.get(row.get("FEC", "").lower()),
        kind=kind_of(port),
        line=row.line,
    )
    alias = row.get("Alias", "N/A")
    if alias not in ("N/A", "", port):
        yield PortAlias(port=port, alias=alias, kind="label", line=row.line)


@section(
    "show-interfaces-fec-status",
    Cli("show interfaces fec status"),
    yields=(Interface,),
    proven=Provenance.DOCUMENT,
)
def show_interfaces_fec_status(output: Output) -> Iterator[Answer]:
    """``show interfaces fec status``: FEC in use and FEC configured; since 202305.

    ``FEC Oper`` is N/A while the link is down, and where the hardware does not tell. Source: scripts/intfutil.
    """

    def read(row: Row) -> Iterator[Answer]:
        yield Interface(
            port=row.port("Interface"),
            fec_mode=row.choice("FEC Admin", _FEC),
            fec_oper=row.choice("FEC Oper", _FEC),
            kind=kind_of(row["Interface"]),
            line=row.line,
        )

    yield from read_rows(output.stdout, ("Interface", "FEC Oper", "FEC Admin"), read, (Interface,))
