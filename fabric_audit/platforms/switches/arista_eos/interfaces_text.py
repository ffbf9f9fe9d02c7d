"""Interfaces of EOS as text: outputs that were saved without ``| json``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.ports import Address, Interface
from fabric_audit.platforms.columns import columns
from fabric_audit.platforms.model import Answer, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.arista_eos.interfaces import meter
from fabric_audit.platforms.switches.arista_eos.names import canonical, kind
from fabric_audit.platforms.text import mac_address, numbered, some, speed_bps, torn, whole

_HEADER = re.compile(
    r"(?P<name>[A-Z]\S*\d) is (?P<admin>administratively down|up|down), line protocol is (?P<protocol>\w+)"
    r"(?: \((?P<status>\w+)\))?"
)
_EXPECTED = "`NAME is up, line protocol is up`"
_FIELDS = {
    " MTU ": re.compile(r"\s+(?P<kind>IP|Ethernet) MTU (?P<mtu>\d+) bytes\b.*"),
    "address is": re.compile(r".*\baddress is (?P<mac>[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})\b.*"),
    "Description:": re.compile(r"\s+Description: (?P<description>.+)"),
    "-duplex": re.compile(r"\s+\w+-duplex, (?P<speed>[\d.]+ ?[KMGT]b/s|Unconfigured|Auto-speed\S*).*"),
    "Internet address": re.compile(r"\s+Internet address is (?P<address>\d+\.\d+\.\d+\.\d+/\d+).*"),
}
_COUNTERS = {
    r"(\d+) packets input, (\d+) bytes": (None, "inOctets"),
    r"(\d+) packets output, (\d+) bytes": (None, "outOctets"),
    r"(\d+) runts, (\d+) giants": ("runtFrames", "giantFrames"),
    r"\d+ input errors, (\d+) CRC, (\d+) alignment, (\d+) symbol, (\d+) input discards": (
        "fcsErrors",
        "alignmentErrors",
        "symbolErrors",
        "inDiscards",
    ),
    r"\d+ input errors, (\d+) input discards": ("inDiscards",),
    r"\d+ late collision, \d+ deferred, (\d+) output discards": ("outDiscards",),
    r"\d+ output errors, (\d+) output discards": ("outDiscards",),
    r"(\d+) PAUSE input": ("rxPause",),
    r"(\d+) PAUSE output": ("txPause",),
    r"(\d+) link status changes since last clear": ("linkStatusChanges",),
}
_STATUSES = (
    "connected",
    "notconnect",
    "disabled",
    "errdisabled",
    "inactive",
    "unknown",
    "notpresent",
    "monitoring",
)


@dataclass(slots=True)
class _Stanza:
    """One interface of the text, as far as it was read."""

    line: int
    header: re.Match[str]
    found: dict[str, str] = field(default_factory=dict)
    meters: list[tuple[str, int, int]] = field(default_factory=list)
    scope: str | None = None
    hardware: bool = False


@section("show-interfaces", yields=(Interface, Address, Counter), proven=Provenance.FIELD)
def parse_interfaces(output: Output) -> Iterator[Answer]:
    """``show interfaces`` as text: a stanza per interface, from the line ``X is up, line protocol is up``.

    ``IP MTU`` is that of a routed interface, ``Ethernet MTU`` that of a bridged one. Counters count since the
    clearing that the stanza names; ``never`` is since boot. A value whose line is cut is not read.
    """
    stanza: _Stanza | None = None
    headers = 0
    for number, line in numbered(whole(output.stdout)):
        header = _HEADER.fullmatch(line)
        if header or line[:1].strip():
            yield from _told(stanza)
            stanza = _Stanza(number, header) if header else None
            headers += header is not None
            if headers and not header:
                yield Skipped(number, line, _EXPECTED)
        elif stanza and line.strip():
            _read(stanza, number, line)
    if not headers:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, _EXPECTED)
    yield from _told(stanza)
    yield from torn(output.stdout)


def _read(stanza: _Stanza, number: int, line: str) -> None:
    content = line.strip()
    if content.startswith("Hardware is"):
        if stanza.hardware:
            raise ParseError(number, line, f"{_EXPECTED} before a second `Hardware is`")
        stanza.hardware = True
    for word, field_pattern in _FIELDS.items():
        found = field_pattern.fullmatch(line) if word in line else None
        stanza.found |= found.groupdict() if found else {}
    if content.startswith('Last clearing of "show interface" counters'):
        stanza.scope = "absolute" if content.endswith("never") else "since_clear"
    for pattern, names in _COUNTERS.items():
        counted = re.fullmatch(pattern, content)
        if counted:
            values = zip(names, counted.groups(), strict=True)
            stanza.meters += [(name, int(value), number) for name, value in values if name]


def _told(stanza: _Stanza | None) -> Iterator[Answer]:
    if stanza is None:
        return
    header, found = stanza.header, stanza.found
    name = canonical(header["name"])
    speed = found.get("speed", "")
    yield Interface(
        port=name,
        admin_up=header["admin"] != "administratively down",
        oper_up=header["protocol"] == "up",
        mtu_bytes=int(found["mtu"]) if "mtu" in found else None,
        mtu_kind={"IP": "ip", "Ethernet": "l2"}.get(found.get("kind", "")),
        speed_bps=speed_bps(speed, stanza.line) if speed[:1].isdigit() else None,
        mac=mac_address(found["mac"], stanza.line) if "mac" in found else None,
        description=found.get("description"),
        kind=kind(name),
        down_reason=None if header["protocol"] == "up" else header["status"],
        line=stanza.line,
    )
    if "address" in found:
        yield Address(port=name, address=found["address"], line=stanza.line)
    for counter, value, number in stanza.meters:
        yield meter(name, counter, value, scope=stanza.scope, line=number)


@section("show-interfaces-status", yields=(Interface,), proven=Provenance.FIELD)
def parse_interfaces_status(output: Output) -> Iterator[Answer]:
    """``show interfaces status``: one row per port, by the columns of the header, for names hold blanks.

    ``Speed`` of a port that is down is what it would run at; ``unconf`` and ``auto`` are none. ``disabled`` is shut
    down by configuration; errdisabled and inactive ports are switched on and down.
    """
    yield from some(_status_rows(output.stdout), output, "a table with Port, Name, Status, Vlan, Duplex, Speed, Type")
    yield from torn(output.stdout)


def _status_rows(text: str) -> Iterator[Answer]:
    table = None
    for number, line in numbered(whole(text)):
        header = columns(line, ("Port", "Name", "Status"))
        if header:
            table = header
        elif table and line.strip():
            cells = table.cells(line, number)
            status, _vlan, _duplex, speed = [*cells["Status"].split(), "", "", "", ""][:4]
            name = canonical(cells["Port"])
            if status not in _STATUSES or not speed or not kind(name):
                raise ParseError(number, line, f"a port, and a status of {', '.join(_STATUSES)}")
            speed = speed.removeprefix("a-")
            yield Interface(
                port=name,
                admin_up=status != "disabled",
                oper_up=status == "connected",
                speed_bps=speed_bps(speed, number) if speed[:1].isdigit() else None,
                description=cells["Name"] or None,
                kind=kind(name),
                down_reason=None if status == "connected" else status,
                line=number,
            )
