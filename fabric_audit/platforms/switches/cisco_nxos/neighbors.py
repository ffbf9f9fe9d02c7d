"""Whom NX-OS sees: LLDP neighbours, learned MAC addresses, ARP."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import MacEntry, Neighbor, NeighborEntry
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical
from fabric_audit.platforms.switches.cisco_nxos.rows import rows
from fabric_audit.platforms.text import mac_address, numbered, torn, whole

_MAC = re.compile(r"[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}|(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")
_UNTOLD = ("null", "not advertised", "")
_LINE = re.compile(
    r"(Chassis id|Port id|Local Port id|Port Description|System Name|System Description|Time remaining): ?(.*)"
)


def _identifier(text: str, line: int) -> str:
    return mac_address(text, line) if _MAC.fullmatch(text) else text


def _told(text: str | None) -> str:
    return "" if (text or "").strip() in _UNTOLD else (text or "").strip()


@section(
    "show-lldp-neighbors-detail-json",
    Cli("show lldp neighbors detail | json"),
    yields=(Neighbor,),
    proven=Provenance.DOCUMENT,
)
def parse_lldp_json(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors detail | json``: one row per neighbour in ``TABLE_nbor_detail``.

    ``l_port_id`` is the own port, abbreviated; ``null`` and ``not advertised`` are nothing.

    Source: the keys as NAPALM and Cisco's nxapi tools read them.
    """
    top = document(output.stdout)
    found = False
    for node in rows(top, "nbor_detail"):
        found = True
        chassis = _told(node.get("chassis_id").text())
        yield Neighbor(
            port=canonical(node.need("l_port_id").text() or ""),
            system_name=_told(node.get("sys_name").text()),
            port_id=_identifier(node.need("port_id").text() or "", node.line),
            chassis_id=_identifier(chassis, node.line) if chassis else None,
            port_description=_told(node.get("port_desc").text()) or None,
            by="lldp",
            line=node.line,
        )
    if not found:
        top.need("TABLE_nbor_detail", "neigh_hdr", "neigh_count")
        yield Missing(Neighbor.TABLE, Why.ABSENT, "no neighbour in TABLE_nbor_detail")


@section("show-lldp-neighbors-detail", yields=(Neighbor,), proven=Provenance.FIELD)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors detail`` as text: a stanza from ``Chassis id`` to the next one.

    ``System Description`` runs over several lines. A stanza that was cut before ``Time remaining`` is left out.
    """
    stanza: dict[str, tuple[str, int]] = {}
    found = False
    for number, line in numbered(whole(output.stdout)):
        told = _LINE.match(line)
        if told and told[1] == "Chassis id":
            yield from _neighbor(stanza)
            stanza, found = {}, True
        if told and found:
            stanza.setdefault(told[1], (told[2].strip(), number))
    if not found and re.search(r"^Total entries displayed: 0\b", output.stdout, re.MULTILINE):
        yield Missing(Neighbor.TABLE, Why.ABSENT, "Total entries displayed: 0")
        return
    if not found:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "`Chassis id: ...`, and the port ids below it")
    yield from _neighbor(stanza)
    yield from torn(output.stdout)


def _neighbor(stanza: dict[str, tuple[str, int]]) -> Iterator[Answer]:
    if not stanza:
        return
    chassis, line = stanza["Chassis id"]
    if not {"Port id", "Local Port id", "Time remaining"} <= stanza.keys():
        yield Skipped(line, f"Chassis id: {chassis}", "Port id, Local Port id and Time remaining below it")
        return
    yield Neighbor(
        port=canonical(stanza["Local Port id"][0]),
        system_name=_told(stanza.get("System Name", ("", 0))[0]),
        port_id=_identifier(*stanza["Port id"]),
        chassis_id=_identifier(chassis, line) or None,
        port_description=_told(stanza.get("Port Description", ("", 0))[0]) or None,
        by="lldp",
        line=line,
    )


@section(
    "show-mac-address-table-json",
    Cli("show mac address-table | json"),
    yields=(MacEntry,),
    proven=Provenance.DOCUMENT,
)
def parse_mac_table_json(output: Output) -> Iterator[Answer]:
    """``show mac address-table | json``: one row per address in ``TABLE_mac_address``.

    Rows on ``sup-eth1(R)``, ``vPC Peer-Link`` or a tunnel are no neighbours on a port and left out; so is what has
    no VLAN (``-``).

    Source: the keys as NAPALM and Cisco's nxapi tools read them.
    """
    top = document(output.stdout)
    found = False
    for node in rows(top, "mac_address"):
        port = node.need("disp_port").text() or ""
        if not re.fullmatch(r"[A-Za-z-]+ ?\d[\d/.]*", port) or port.startswith(("sup", "nve")):
            continue
        found = True
        mac = mac_address(node.need("disp_mac_addr").text() or "", node.line)
        yield MacEntry(port=canonical(port), mac=mac, vlan=node.get("disp_vlan").integer(), line=node.line)
    if not found:
        top.need("TABLE_mac_address", "header")
        yield Missing(MacEntry.TABLE, Why.ABSENT, "no address learned on a port")


@section("show-ip-arp-json", Cli("show ip arp vrf all | json"), yields=(NeighborEntry,), proven=Provenance.DOCUMENT)
def parse_arp_json(output: Output) -> Iterator[Answer]:
    """``show ip arp vrf all | json``: ``TABLE_vrf``, and one row per address in ``TABLE_adj``.

    ``incomplete`` entries have no MAC address.

    Source: the keys as NAPALM and Cisco's nxapi tools read them.
    """
    top = document(output.stdout)
    found = False
    for node in rows(top, "vrf", "adj"):
        found = True
        mac = node.get("mac").text() or ""
        yield NeighborEntry(
            port=canonical(node.need("intf-out").text() or ""),
            address=node.need("ip-addr-out").text() or "",
            mac=mac_address(mac, node.line) if _MAC.fullmatch(mac) else None,
            state="incomplete" if _incomplete(node) else None,
            line=node.line,
        )
    if not found:
        top.need("TABLE_vrf")
        yield Missing(NeighborEntry.TABLE, Why.ABSENT, "no entry in TABLE_adj")


def _incomplete(node: Node) -> bool:
    told = node.get("incomplete")
    return told.there and str(told.value).lower() == "true"
