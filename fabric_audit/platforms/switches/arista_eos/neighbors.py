"""Whom EOS sees: LLDP neighbours, learned MAC addresses, ARP and neighbour discovery."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import MacEntry, Neighbor, NeighborEntry
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.switches.arista_eos.names import canonical
from fabric_audit.platforms.text import mac_address, numbered, torn, whole

_MAC = re.compile(r"[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}|(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")


def identifier(text: str, line: int) -> str:
    """A chassis or port id as neighbours compare it: MAC addresses in one spelling, quotes off."""
    bare = text.strip().strip('"')
    return mac_address(bare, line) if _MAC.fullmatch(bare) else bare


@section(
    "show-lldp-neighbors-detail-json",
    Cli("show lldp neighbors detail | json"),
    yields=(Neighbor,),
    proven=Provenance.DOCUMENT,
)
def parse_lldp_json(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors detail | json``: a list of neighbours per port under ``lldpNeighbors``.

    Revision 1 writes port ids with quotes, ``interfaceId_v2`` without. A host's NIC often gives its MAC address as
    port id. A port without a neighbour has an empty list.

    Source: the model of Arista's eAPI, as NAPALM reads it.
    """
    ports = document(output.stdout).need("lldpNeighbors")
    found = False
    for port, node in ports.members():
        for seen in node.get("lldpNeighborInfo").rows():
            found = True
            yield _neighbor(port, seen)
    if not found:
        yield Missing(Neighbor.TABLE, Why.ABSENT, "lldpNeighbors holds no neighbour")


def _neighbor(port: str, seen: Node) -> Neighbor:
    told = seen.need("neighborInterfaceInfo")
    port_id = told.need("interfaceId_v2", "interfaceId").text() or ""
    chassis = seen.get("chassisId").text()
    return Neighbor(
        port=port,
        system_name=seen.get("systemName").text() or "",
        port_id=identifier(port_id, told.line),
        chassis_id=identifier(chassis, seen.line) if chassis else None,
        port_description=(told.get("interfaceDescription").text() or "").strip('"') or None,
        by="lldp",
        line=seen.line,
    )


@dataclass(slots=True)
class _Seen:
    """One neighbour of the text, as far as it was read."""

    port: str
    line: int
    system_name: str = ""
    port_id: str | None = None
    chassis_id: str | None = None
    description: str | None = None


@section("show-lldp-neighbors-detail", yields=(Neighbor,), proven=Provenance.FIELD)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors detail`` as text: ``Interface X detected N LLDP neighbors``, then one stanza each.

    A stanza without its port id was cut: it is left out and listed, and so is a last one without a system name.
    Other neighbours may have none: the LLDP agents of some NICs send only chassis and port. Names stand in quotes.
    """
    port, seen, ports = "", None, 0
    for number, line in numbered(whole(output.stdout)):
        heading = re.fullmatch(r"Interface (\S+) detected (\d+) LLDP neighbors:", line)
        if heading or re.match(r"\s+Neighbor \S", line):
            yield from _told(seen)
            seen = _Seen(port, number) if not heading else None
        if heading:
            port, ports = canonical(heading[1]), ports + 1
        elif seen:
            _read(seen, number, line)
    if not ports:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "`Interface NAME detected N LLDP neighbors:`")
    if seen and not seen.system_name:
        yield Skipped(seen.line, f"the last neighbour, on {seen.port}", "a System Name: the text may have been cut")
    else:
        yield from _told(seen)
    yield from torn(output.stdout)


def _read(seen: _Seen, number: int, line: str) -> None:
    chassis = re.fullmatch(r"\s+Chassis ID\s+: (\S.*)", line)
    port_id = re.fullmatch(r"\s+Port ID\s+: (\".*\"|[0-9a-f.:]+)", line)
    name = re.fullmatch(r"\s+- System Name: (\".*\")", line)
    description = re.fullmatch(r"\s+- Port Description: \"(.*)\"", line)
    if chassis:
        seen.chassis_id = identifier(chassis[1], number)
    elif port_id and seen.port_id is None:
        seen.port_id = identifier(port_id[1], number)
    elif name:
        seen.system_name = name[1].strip('"')
    elif description:
        seen.description = description[1] or None


def _told(seen: _Seen | None) -> Iterator[Answer]:
    if seen is None:
        return
    if seen.port_id is None or not seen.port:
        yield Skipped(seen.line, f"a neighbour on {seen.port}", "a Port ID")
        return
    yield Neighbor(
        port=seen.port,
        system_name=seen.system_name,
        port_id=seen.port_id,
        chassis_id=seen.chassis_id,
        port_description=seen.description,
        by="lldp",
        line=seen.line,
    )


@section(
    "show-mac-address-table-json",
    Cli("show mac address-table | json"),
    yields=(MacEntry,),
    proven=Provenance.DOCUMENT,
)
def parse_mac_table_json(output: Output) -> Iterator[Answer]:
    """``show mac address-table | json``: learned addresses under ``unicastTable.tableEntries``.

    The switch's own addresses (static, on ``Cpu`` or ``Router``) are no neighbours and left out.

    Source: the model of Arista's eAPI as seen on EOS 4.26.
    """
    entries = document(output.stdout).need("unicastTable").get("tableEntries")
    found = False
    for entry in entries.rows():
        port = entry.need("interface").text() or ""
        if port in ("Cpu", "Router", ""):
            continue
        found = True
        yield MacEntry(
            port=canonical(port),
            mac=mac_address(entry.need("macAddress").text() or "", entry.line),
            vlan=entry.get("vlanId").integer(),
            line=entry.line,
        )
    if not found:
        yield Missing(MacEntry.TABLE, Why.ABSENT, "no learned address in unicastTable.tableEntries")


@section("show-ip-arp-json", Cli("show ip arp | json"), yields=(NeighborEntry,), proven=Provenance.DOCUMENT)
def parse_arp_json(output: Output) -> Iterator[Answer]:
    """``show ip arp | json``: the ARP table under ``ipV4Neighbors``, with ``vrf all`` one below each of ``vrfs``.

    ``interface`` of an address on a VLAN is ``Vlan10, Ethernet5``: the port it was learned on counts.

    Source: the model of Arista's eAPI, as NAPALM reads it.
    """
    yield from _entries(output, "ipV4Neighbors")


@section(
    "show-ipv6-neighbors-json",
    Cli("show ipv6 neighbors | json"),
    yields=(NeighborEntry,),
    proven=Provenance.DOCUMENT,
)
def parse_nd_json(output: Output) -> Iterator[Answer]:
    """``show ipv6 neighbors | json``: the neighbour discovery table under ``ipV6Neighbors``.

    Source: the model of Arista's eAPI, as NAPALM reads it.
    """
    yield from _entries(output, "ipV6Neighbors")


def _entries(output: Output, table: str) -> Iterator[Answer]:
    top = document(output.stdout)
    vrfs = top.get("vrfs")
    tables = [vrf.get(table) for _, vrf in vrfs.members()] if vrfs.there else [top.need(table)]
    found = False
    for entry in (row for rows in tables for row in rows.rows()):
        found = True
        port = (entry.need("interface").text() or "").rpartition(",")
        mac = entry.get("hwAddress").text()
        yield NeighborEntry(
            port=canonical(port[2].strip()) if port[2].strip() != "not learned" else canonical(port[0].strip()),
            address=entry.need("address").text() or "",
            mac=mac_address(mac, entry.line) if mac else None,
            line=entry.line,
        )
    if not found:
        yield Missing(NeighborEntry.TABLE, Why.ABSENT, f"no entry in {table}")
