"""Whom Junos sees: LLDP neighbours, learned MAC addresses, ARP."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import MacEntry, Neighbor, NeighborEntry
from fabric_audit.platforms.columns import columns
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.juniper_junos.elements import Element, elements
from fabric_audit.platforms.switches.juniper_junos.names import kind, physical
from fabric_audit.platforms.text import mac_address, numbered, some, torn, whole

_MAC = re.compile(r"(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")
_HEADER = ("Local Interface", "Parent Interface", "Chassis Id", "Port info", "System Name")


def _identifier(text: str) -> str:
    return mac_address(text, 0) if _MAC.fullmatch(text) else text


def _needed(tree: Element, tag: str, output: Output) -> None:
    """The tag around the rows: an answer without it is another command's."""
    if not list(tree.find(tag)):
        raise ParseError(1, output.stdout.strip().partition("\n")[0], f"an element {tag}")


@section(
    "show-lldp-neighbors-xml",
    Cli("show lldp neighbors | display xml | no-more"),
    yields=(Neighbor,),
    proven=Provenance.DOCUMENT,
)
@section("show-lldp-neighbors-json", yields=(Neighbor,), proven=Provenance.CONSTRUCTED)
def parse_lldp_elements(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors`` with ``| display xml`` or ``| display json``.

    The own port is ``lldp-local-port-id`` (``lldp-local-interface`` on old releases). A neighbour's port id may be
    an SNMP index, which is what Junos itself sends by default.

    Source: element names as Juniper's PyEZ reads them.
    """
    tree = elements(output.stdout)
    found = False
    for node in tree.find("lldp-neighbor-information"):
        found = True
        chassis = node.word("lldp-remote-chassis-id")
        local = node.word("lldp-local-port-id") or node.need("lldp-local-interface")
        yield Neighbor(
            port=physical(local),
            system_name=node.word("lldp-remote-system-name") or "",
            port_id=_identifier(node.word("lldp-remote-port-id") or node.need("lldp-remote-port-description")),
            chassis_id=_identifier(chassis) if chassis else None,
            port_description=node.word("lldp-remote-port-description"),
            by="lldp",
        )
    if not found:
        _needed(tree, "lldp-neighbors-information", output)
        yield Missing(Neighbor.TABLE, Why.ABSENT, "no lldp-neighbor-information")


@section("show-lldp-neighbors", yields=(Neighbor,), proven=Provenance.FIELD)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors`` as text: one row per neighbour, by the columns of the header.

    ``Port info`` is the neighbour's port id, or its description where the id is an index.
    """
    yield from some(_rows(output.stdout), output, f"a table with {', '.join(_HEADER)}")
    yield from torn(output.stdout)


def _rows(text: str) -> Iterator[Answer]:
    table = None
    for number, line in numbered(whole(text)):
        header = columns(line, _HEADER)
        if header:
            table = header
        elif table and kind(physical(line.partition(" ")[0])):
            cells = table.cells(line, number)
            if not cells["Port info"] or not _MAC.fullmatch(cells["Chassis Id"]):
                raise ParseError(number, line, "a chassis id and a port")
            yield Neighbor(
                port=physical(cells["Local Interface"]),
                system_name=cells["System Name"],
                port_id=_identifier(cells["Port info"]),
                chassis_id=_identifier(cells["Chassis Id"]),
                by="lldp",
                line=number,
            )
        elif table and line.strip() and not re.match(r"\{(master|backup)|\S+@\S+[>#]", line):
            raise ParseError(number, line, "a row that starts with a port")
    if table is None and re.search(r"^LLDP is (disabled|not enabled)", text, re.MULTILINE):
        yield Missing(Neighbor.TABLE, Why.NOT_SUPPORTED, "LLDP is disabled")


@section(
    "show-ethernet-switching-table-xml",
    Cli("show ethernet-switching table | display xml | no-more"),
    yields=(MacEntry,),
    proven=Provenance.DOCUMENT,
)
def parse_mac_table(output: Output) -> Iterator[Answer]:
    """``show ethernet-switching table | display xml``: one ``l2ng-mac-entry`` per learned address.

    Entries on a tunnel (``vtep.``) or an Ethernet segment (``esi.``) are on no port and left out.

    Source: element names as Juniper's PyEZ and NAPALM read them.
    """
    tree = elements(output.stdout)
    found = False
    for node in tree.find("l2ng-mac-entry"):
        port = physical(node.word("l2ng-l2-mac-logical-interface") or "")
        mac = node.word("l2ng-l2-mac-address") or ""
        if kind(port) not in ("physical", "bond") or not _MAC.fullmatch(mac):
            continue
        found = True
        vlan = node.word("l2ng-l2-vlan-id") or ""
        yield MacEntry(port=port, mac=mac_address(mac, 0), vlan=int(vlan) if vlan.isdigit() else None)
    if not found:
        _needed(tree, "l2ng-l2ald-rtb-macdb", output)
        yield Missing(MacEntry.TABLE, Why.ABSENT, "no address learned on a port")


@section(
    "show-arp-xml",
    Cli("show arp no-resolve | display xml | no-more"),
    yields=(NeighborEntry,),
    proven=Provenance.DOCUMENT,
)
def parse_arp(output: Output) -> Iterator[Answer]:
    """``show arp no-resolve | display xml``: one ``arp-table-entry`` per address.

    On a VLAN the interface is ``irb.10 [et-0/0/1.0]``: the port in brackets counts.

    Source: element names as Juniper's PyEZ and NAPALM read them.
    """
    tree = elements(output.stdout)
    found = False
    for node in tree.find("arp-table-entry"):
        found = True
        interface = node.need("interface-name")
        inner = re.search(r"\[(\S+)\]", interface)
        yield NeighborEntry(
            port=physical(inner[1] if inner else interface),
            address=node.need("ip-address"),
            mac=mac_address(node.need("mac-address"), 0),
        )
    if not found:
        _needed(tree, "arp-table-information", output)
        yield Missing(NeighborEntry.TABLE, Why.ABSENT, "no arp-table-entry")
