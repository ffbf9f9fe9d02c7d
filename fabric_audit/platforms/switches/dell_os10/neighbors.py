"""Whom OS10 sees: LLDP neighbours and learned MAC addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import MacEntry, Neighbor
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.dell_os10.names import NAME, canonical
from fabric_audit.platforms.text import consistent, mac_address, numbered

_MAC = r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}"
_FIELDS = {
    "Remote Chassis ID": "chassis_id",
    "Remote Port ID": "port_id",
    "Remote Port Description": "description",
    "Local Port ID": "port",
    "Remote System Name": "name",
}


@dataclass(slots=True)
class _Seen:
    """One neighbour, as far as it was read."""

    line: int
    port: str = ""
    name: str = ""
    port_id: str = ""
    chassis_id: str = ""
    description: str = ""


@section("show-lldp-neighbors-detail", Cli("show lldp neighbors detail"), yields=(Neighbor,), proven=Provenance.FIELD)
def parse_lldp(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors detail``: a stanza per neighbour, each ended by a rule of dashes.

    The own port stands among the neighbour's fields. ``Not Advertised`` is what the neighbour does not send: NICs whose
    firmware speaks LLDP have no system name. A stanza without its rule was cut.

    Source: outputs of OS10 10.5 in Microsoft's tools for Azure Local.
    """
    yield from consistent(of_whole_lines(output.stdout, _neighbors, (Neighbor,), "no neighbour"))


def _neighbors(text: str) -> Iterator[Answer]:
    seen: _Seen | None = None
    told = 0
    for number, line in numbered(text):
        content = line.strip()
        found = re.fullmatch(r"([A-Z][A-Za-z() -]+?):\s*(.*)", content)
        if found and found[1] == "Remote Chassis ID Subtype":
            yield from _cut(seen)
            seen, told = _Seen(number), told + 1
        elif seen and re.fullmatch(r"-{20,}", content):
            yield from _told(seen)
            seen = None
        elif seen and found and found[1] in _FIELDS:
            value = "" if found[2] == "Not Advertised" else found[2]
            bare = mac_address(value, number) if re.fullmatch(_MAC, value.lower()) else value
            setattr(seen, _FIELDS[found[1]], canonical(bare) if found[1] == "Local Port ID" else bare)
        elif not seen and not is_noise(line) and not told:
            raise ParseError(number, line, "`Remote Chassis ID Subtype: ...`")
    if not told:
        raise ParseError(1, text.strip().partition("\n")[0], "`Remote Chassis ID Subtype: ...`")
    yield from _cut(seen)


def _cut(seen: _Seen | None) -> Iterator[Answer]:
    if seen:
        yield Skipped(seen.line, f"a neighbour on {seen.port}", "a stanza that ends with a rule of dashes")


def _told(seen: _Seen) -> Iterator[Answer]:
    if not seen.port or not seen.port_id:
        yield Skipped(seen.line, f"a neighbour on {seen.port}", "Local Port ID and Remote Port ID")
        return
    yield Neighbor(
        port=seen.port,
        system_name=seen.name,
        port_id=seen.port_id,
        chassis_id=seen.chassis_id or None,
        port_description=seen.description or None,
        by="lldp",
        line=seen.line,
    )


@section("show-mac-address-table", Cli("show mac address-table"), yields=(MacEntry,), proven=Provenance.FIELD)
def parse_mac_table(output: Output) -> Iterator[Answer]:
    """``show mac address-table``: learned and static addresses.

    Source: outputs of OS10 10.5 in Intel's switch management library.
    """
    yield from consistent(of_whole_lines(output.stdout, _macs, (MacEntry,), "no address in the table"))


def _macs(text: str) -> Iterator[Answer]:
    inside = False
    for number, line in numbered(text):
        content = line.strip()
        row = re.fullmatch(rf"(?:pv <\d+> )?(\d{{1,4}})\s+({_MAC})\s+(\w+)\s+(\S+)", content)
        if re.fullmatch(r"VlanId\s+Mac Address\s+Type\s+Interface", content):
            inside = True
        elif row and inside:
            if re.fullmatch(NAME, row[4]):
                yield MacEntry(port=canonical(row[4]), mac=mac_address(row[2], number), vlan=int(row[1]), line=number)
        elif not is_noise(line) and not content.startswith("Codes:"):
            raise ParseError(number, line, "a table VlanId, Mac Address, Type, Interface")
    if not inside:
        raise ParseError(1, text.strip().partition("\n")[0], "a table VlanId, Mac Address, Type, Interface")
