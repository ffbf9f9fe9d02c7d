"""Whom Cumulus Linux sees: LLDP neighbours, learned MAC addresses, ARP and neighbour discovery."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import MacEntry, Neighbor, NeighborEntry
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.hosts.linux.addresses import parse_ip_neigh
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.text import mac_address

_MAC = re.compile(r"(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")


@section(
    "nv-show-interface-lldp-detail-json",
    Cli("nv show interface lldp-detail -o json"),
    yields=(Neighbor,),
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``nv show interface lldp-detail -o json`` (also ``... lldp``): neighbours per port under ``lldp.neighbor``.

    A neighbour is keyed by its name, or by a number where it gave none, as a NIC's own LLDP agent does not.
    ``port.name`` is the port id; with ``port.type`` mac it is a MAC address. A port without a neighbour has an empty
    object.

    Sources: the NAPALM driver for NVUE; Cumulus Linux 5.12 user guide, Link Layer Discovery Protocol.
    """
    found = False
    for port, node in document(output.stdout).members():
        for name, seen in node.get("lldp").get("neighbor").members():
            found = True
            yield _neighbor(port, name, seen)
    if not found:
        yield Missing(Neighbor.TABLE, Why.ABSENT, "no port has a neighbour")


def _neighbor(port: str, name: str, seen: Node) -> Neighbor:
    chassis, remote = seen.get("chassis"), seen.need("port")
    port_id = remote.need("name", "id").text() or ""
    chassis_id = chassis.get("chassis-id", "id").text()
    return Neighbor(
        port=port,
        system_name=chassis.get("system-name", "name").text() or ("" if name.isdigit() else name),
        port_id=_identifier(port_id, remote.line),
        chassis_id=_identifier(chassis_id, chassis.line) if chassis_id else None,
        port_description=remote.get("description").text() or None,
        by="lldp",
        line=seen.line,
    )


def _identifier(text: str, line: int) -> str:
    return mac_address(text, line) if _MAC.fullmatch(text) else text


@section(
    "nv-show-bridge-domain-mac-table-json",
    Cli("nv show bridge domain br_default mac-table -o json"),
    yields=(MacEntry,),
    proven=Provenance.CONSTRUCTED,
    timeout_s=60.0,
)
def parse_mac_table(output: Output) -> Iterator[Answer]:
    """``nv show bridge domain br_default mac-table -o json``: entries by number.

    The switch's own addresses are ``permanent`` and left out; so are those behind a VXLAN tunnel, which are no
    neighbours. A switch that only routes has no such bridge and says so.

    Source: member names as NVIDIA's nv-config-manager reads them.
    """
    found = False
    for _, entry in document(output.stdout).members():
        port = entry.need("interface").text() or ""
        kind = entry.get("entry-type", "type").text() or ""
        if kind == "permanent" or port.startswith(("vxlan", "br_", "bridge")):
            continue
        found = True
        yield MacEntry(
            port=port,
            mac=mac_address(entry.need("mac").text() or "", entry.line),
            vlan=entry.get("vlan").integer(),
            line=entry.line,
        )
    if not found:
        yield Missing(MacEntry.TABLE, Why.ABSENT, "no learned address")


@section("ip-neigh", Cli("ip -j neigh show"), yields=(NeighborEntry,), proven=Provenance.DOCUMENT)
def parse_neighbor_table(output: Output) -> Iterator[Answer]:
    """``ip -j neigh show``: the ARP and neighbour discovery tables, for Cumulus Linux is Linux.

    Source: iproute2 ``ip/ipneigh.c``.
    """
    yield from parse_ip_neigh(output)
