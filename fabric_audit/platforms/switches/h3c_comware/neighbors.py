"""Whom Comware sees: LLDP neighbours, learned MAC addresses, ARP."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import MacEntry, Neighbor, NeighborEntry
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.h3c_comware.lines import answers, first_line, lines
from fabric_audit.platforms.switches.h3c_comware.names import NAME, canonical
from fabric_audit.platforms.text import mac_address

_MAC = r"[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}"
_FIELDS = {"Chassis ID": "chassis_id", "Port ID": "port_id", "Port description": "description", "System name": "name"}


@dataclass(slots=True)
class _Seen:
    """One neighbour, as far as it was read; ``last`` is the field that a wrapped line goes on with."""

    port: str
    line: int
    name: str | None = None
    port_id: str | None = None
    chassis_id: str | None = None
    description: str | None = None
    last: str = ""


@section(
    "display-lldp-neighbor-information-verbose",
    Cli("display lldp neighbor-information verbose"),
    yields=(Neighbor,),
    proven=Provenance.FIELD,
)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``display lldp neighbor-information verbose``: a stanza per port, agent and neighbour.

    A text that does not fit is wrapped within its column, in the middle of a word if need be. A stanza without its
    port id was cut, and so is a last one that ends with its system name: the name may go on. A neighbour may send
    none. A neighbour that several agents see is one neighbour.

    Source: outputs of Comware 7, as ntc-templates keeps them.
    """
    yield from answers(output.stdout, _neighbors, (Neighbor,), "no neighbour")


def _neighbors(text: str) -> Iterator[Answer]:
    port, seen, ports = "", None, 0
    for number, line in lines(text):
        headed = re.fullmatch(r"LLDP neighbor-information of port \d+\s*\[([^\]]+)\]:?", line.strip())
        if headed or re.match(r"\s*LLDP neighbor index\s*:", line):
            yield from _told(seen)
            seen = None if headed else _Seen(port, number)
        if headed:
            port, ports = canonical(headed[1]), ports + 1
        elif seen:
            _read(seen, line, number)
    if not ports:
        raise ParseError(*first_line(text), "`LLDP neighbor-information of port N[PORT]:`")
    yield from _told(seen, last=True)


def _read(seen: _Seen, line: str, number: int) -> None:
    found = re.fullmatch(r"\s*([A-Z][A-Za-z()/ -]*?)\s*:\s*(.*)", line)
    wrapped = re.fullmatch(r"\s{20,}(\S.*)", line)
    if wrapped and seen.last and not found:
        setattr(seen, seen.last, f"{getattr(seen, seen.last)}{wrapped[1]}")
    elif found:
        seen.last = _FIELDS.get(found[1], "")
        if seen.last:
            told = "" if found[2] in ("-", "--") else found[2]
            setattr(seen, seen.last, mac_address(told, number) if re.fullmatch(_MAC, told) else told)


def _told(seen: _Seen | None, *, last: bool = False) -> Iterator[Answer]:
    if seen is None:
        return
    if not seen.port_id or not seen.port or (last and (seen.name is None or seen.last)):
        yield Skipped(seen.line, f"a neighbour on {seen.port}", "its Port ID and System name")
        return
    yield Neighbor(
        port=seen.port,
        system_name=seen.name or "",
        port_id=seen.port_id,
        chassis_id=seen.chassis_id or None,
        port_description=seen.description or None,
        by="lldp",
        line=seen.line,
    )


@section("display-mac-address", Cli("display mac-address"), yields=(MacEntry,), proven=Provenance.DOCUMENT)
def parse_mac_table(output: Output) -> Iterator[Answer]:
    """``display mac-address``: learned and static addresses.

    Source: HPE 5900 Layer 2 command reference, MAC address table commands.
    """
    yield from answers(output.stdout, _macs, (MacEntry,), "no address in the table")


def _macs(text: str) -> Iterator[Answer]:
    inside = False
    for number, line in lines(text):
        content = line.strip()
        row = re.fullmatch(rf"({_MAC})\s+(\d{{1,4}})\s+([A-Z][\w ()/-]*?)\s+(\S+)\s+(?:Y|N|AGING|NOAGED)", content)
        if re.fullmatch(r"MAC A(?:ddress|DDR)\s+VLAN ID\s+S(?:tate|TATE)\s+P(?:ort|ORT)\S*(?: INDEX)?\s+A.*", content):
            inside = True
        elif not inside or not (row or re.match(r"-{3}.*-{3}", content)):
            raise ParseError(number, line, "a table MAC Address, VLAN ID, State, Port, Aging")
        elif row and re.fullmatch(NAME, row[4]):
            yield MacEntry(port=canonical(row[4]), mac=mac_address(row[1], number), vlan=int(row[2]), line=number)
    if not inside:
        raise ParseError(*first_line(text), "a table MAC Address, VLAN ID, State, Port, Aging")


@section("display-arp", Cli("display arp"), yields=(NeighborEntry,), proven=Provenance.DOCUMENT)
def parse_arp(output: Output) -> Iterator[Answer]:
    """``display arp``: addresses and the interface each is reached by.

    Source: HPE 5900 Layer 3 IP services command reference, ARP commands.
    """
    yield from answers(output.stdout, _arp, (NeighborEntry,), "no address in the table")


def _arp(text: str) -> Iterator[Answer]:
    inside = False
    for number, line in lines(text):
        content = line.strip()
        row = re.fullmatch(
            rf"(\d{{1,3}}(?:\.\d{{1,3}}){{3}})\s+({_MAC})\s+(\S+)\s+(\S+)\s+(?:\d+|--|N/A)\s+([SDORMI])\S*", content
        )
        if re.fullmatch(
            r"IP [Aa]ddress\s+MAC [Aa]ddress\s+\S+(?: \S+)?\s+Interface(?:/\S+(?: ID)?)?\s+Aging\s+Type", content
        ):
            inside = True
        elif not row and not re.match(r"Type: ", content):
            raise ParseError(number, line, "a table IP address, MAC address, VLAN, Interface, Aging, Type")
        elif row and inside and row[5] != "I":
            yield NeighborEntry(
                port=canonical(row[4]),
                address=row[1],
                mac=mac_address(row[2], number),
                state="static" if row[5] == "S" else "reachable",
                line=number,
            )
    if not inside:
        raise ParseError(*first_line(text), "a table IP address, MAC address, VLAN, Interface, Aging, Type")
