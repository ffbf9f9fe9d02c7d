"""Whom VRP sees: LLDP neighbours, learned MAC addresses, ARP."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import MacEntry, Neighbor, NeighborEntry
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.huawei_vrp.lines import answers, lines, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME, canonical
from fabric_audit.platforms.text import mac_address

_MAC = r"[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}"
_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}"


@dataclass(slots=True)
class _Seen:
    """One neighbour, as far as it was read."""

    port: str
    line: int
    system_name: str | None = None
    port_id: str | None = None
    chassis_id: str | None = None
    description: str | None = None


@section("display-lldp-neighbor", Cli("display lldp neighbor"), yields=(Neighbor,), proven=Provenance.DOCUMENT)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``display lldp neighbor``: ``PORT has N neighbor(s):``, then a stanza for each.

    A neighbour that sends no name or description has ``--`` there; a stanza without its ``System name`` was cut. The
    system description runs over several lines, and the type-length-values that VRP does not know follow in hex: both
    are left out.

    Source: Huawei CE6800 V300R023C00 command reference, LLDP Configuration Commands.
    """
    yield from answers(output.stdout, _neighbors, (Neighbor,), "no neighbour")


def _neighbors(text: str) -> Iterator[Answer]:
    port, seen, ports = "", None, 0
    for number, line in lines(text):
        headed = re.fullmatch(rf"({NAME}) has \d+ neighbor\(?s?\)?\s*:", line.strip())
        if headed or re.match(r"Neighbor index\s*:", line):
            yield from _told(seen)
            seen = None if headed else _Seen(port, number)
        if headed:
            port, ports = canonical(headed[1]), ports + 1
        elif seen:
            _read(seen, line.strip(), number)
    if not ports:
        first = next(((n, line) for n, line in lines(text)), (0, ""))
        raise ParseError(*first, "`PORT has N neighbor(s):`")
    yield from _told(seen)


def _read(seen: _Seen, content: str, number: int) -> None:
    found = re.fullmatch(r"(Chassis ID|Port ID|Port description|System name)\s*:\s*(.*)", content)
    if not found:
        return
    told = "" if found[2] == "--" else found[2]
    bare = mac_address(told, number) if re.fullmatch(_MAC, told) else told
    if found[1] == "Chassis ID":
        seen.chassis_id = bare or None
    elif found[1] == "Port ID":
        seen.port_id = bare
    elif found[1] == "Port description":
        seen.description = told or None
    else:
        seen.system_name = told


def _told(seen: _Seen | None) -> Iterator[Answer]:
    if seen is None:
        return
    if seen.port_id is None or seen.system_name is None or not seen.port:
        yield Skipped(seen.line, f"a neighbour on {seen.port}", "its Port ID and System name")
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


@section("display-lldp-neighbor-brief", yields=(Neighbor,), proven=Provenance.DOCUMENT)
def parse_lldp_brief(output: Output) -> Iterator[Answer]:
    """``display lldp neighbor brief``: a row per neighbour; several on one port are a switch or hub between.

    Older releases print the columns as Local Intf, Neighbor Dev, Neighbor Intf and Exptime.

    Source: Huawei CE6800 V300R023C00 command reference, LLDP Configuration Commands.
    """
    yield from answers(output.stdout, _brief, (Neighbor,), "no neighbour")


def _brief(text: str) -> Iterator[Answer]:
    older = r"Local Intf\s+Neighbor Dev\s+Neighbor Intf\s+Exptime.*"
    header = r"Local Interface\s+Exptime\(s\)\s+Neighbor Interface\s+Neighbor Device"
    pattern = rf"(?P<port>{NAME})\s+(?P<left>\d+)\s+(?P<theirs>\S+)\s+(?P<device>\S.*)"
    if any(re.fullmatch(older, line.strip()) for _, line in lines(text)):
        header, pattern = older, rf"(?P<port>{NAME})\s+(?P<device>\S+)\s+(?P<theirs>\S+)\s+(?P<left>\d+)"
    for row in rows(text, header, pattern, ruled=header is not older):
        theirs = mac_address(row["theirs"], row.line) if re.fullmatch(_MAC, row["theirs"]) else row["theirs"]
        name = "" if row["device"] == "--" else row["device"]
        yield Neighbor(port=row.port, system_name=name, port_id=theirs, by="lldp", line=row.line)


@section("display-mac-address", Cli("display mac-address"), yields=(MacEntry,), proven=Provenance.FIELD)
def parse_mac_table(output: Output) -> Iterator[Answer]:
    """``display mac-address``: learned and static addresses, with VLAN, virtual switch or bridge domain.

    Access switches leave the column Age out, and write the VLAN alone.

    Source: Huawei CE6800 V300R023C00 command reference, MAC Address Configuration Commands.
    """
    yield from answers(output.stdout, _macs, (MacEntry,), "no address in the table")


def _macs(text: str) -> Iterator[Answer]:
    header = r"MAC Address\s+VLAN/VSI/BD\s+Learned-From\s+Type(?:\s+Age)?"
    pattern = (
        rf"[*#]?\s*(?P<mac>{_MAC})\s+(?P<vlan>\d{{1,4}}|-)(?:/\S*)?\s+(?P<from>\S+)\s+(?P<type>\S+)(?:\s+(?:\d+|-))?"
    )
    also = r"Total items.*"
    for row in rows(text, header, pattern, also=also):
        if re.fullmatch(NAME, row["from"]):
            yield MacEntry(
                port=canonical(row["from"]),
                mac=mac_address(row["mac"], row.line),
                vlan=row.count("vlan"),
                line=row.line,
            )


@section("display-arp", Cli("display arp"), yields=(NeighborEntry,), proven=Provenance.FIELD)
def parse_arp(output: Output) -> Iterator[Answer]:
    """``display arp``: addresses and the interface each is reached by; own ones (type I) are left out.

    ``Incomplete`` is an address that does not answer.

    Source: Huawei CE6800 V300R023C00 command reference, ARP Configuration Commands.
    """
    yield from answers(output.stdout, _arp, (NeighborEntry,), "no address in the table")


def _arp(text: str) -> Iterator[Answer]:
    header = r"IP ADDRESS\s+MAC ADDRESS\s+EXP\(M\) TYPE/VLAN(?:/CEVLAN)?\s+INTERFACE(?:\s+VPN-INSTANCE)?"
    pattern = (
        rf"(?P<address>{_ADDRESS})\s+(?P<mac>{_MAC}|Incomplete)\s+(?:\d+\s+)?(?P<type>I|D|S|O|RD)(?:/\S+)?"
        r"\s+(?P<by>\S+)(?:\s+\S+)?|(?P<rest>\s*\d+/\d+\s*|\(src:.*)"
    )
    for row in rows(text, header, pattern, also=r"Total\s*:.*|Redirect\s*:.*"):
        if not row["address"] or row["type"] == "I":
            continue
        known = row["mac"] != "Incomplete"
        yield NeighborEntry(
            port=canonical(row["by"]),
            address=row["address"],
            mac=mac_address(row["mac"], row.line) if known else None,
            state="incomplete" if not known else "static" if row["type"] == "S" else "reachable",
            line=row.line,
        )
