"""Interfaces of VRP as they run: state, sizes, speed, counters, and the members of an Eth-Trunk."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.facts.routing import Lag, LagMember
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.huawei_vrp.lines import answers, lines, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME, canonical, kind
from fabric_audit.platforms.text import mac_address

_MBIT = 10**6
_FECS = {"RS": "rs", "RS-FEC": "rs", "BASE-R": "fc", "BASE": "fc", "BASE-FEC": "fc", "NONE": "none", "DISABLE": "none"}
_CLASSES = {
    "CRC": (CounterClass.WIRE_ERROR, "frames"),
    "Symbols": (CounterClass.WIRE_ERROR, "frames"),
    "Alignments": (CounterClass.WIRE_ERROR, "frames"),
    "Runts": (CounterClass.WIRE_ERROR, "frames"),
    "Jabbers": (CounterClass.WIRE_ERROR, "frames"),
    "Fragments": (CounterClass.WIRE_ERROR, "frames"),
    "Total Error": (CounterClass.WIRE_ERROR, "frames"),
    "inErrors": (CounterClass.WIRE_ERROR, "frames"),
    "outErrors": (CounterClass.WIRE_ERROR, "frames"),
    "Giants": (CounterClass.LOSS, "frames"),
    "Discard": (CounterClass.LOSS, "packets"),
    "OutDiscards": (CounterClass.LOSS, "packets"),
    "DropEvents": (CounterClass.LOSS, "events"),
    "Buffers Purged": (CounterClass.LOSS, "packets"),
    "Unicast": (CounterClass.TRAFFIC, "packets"),
}
_PAUSES = {"Input": CounterClass.PAUSE_RECEIVED, "Output": CounterClass.PAUSE_SENT}
_TOTALS = r"(?P<way>Input|Output)\s*:(?:\s+(?P<first>\d+) (?:bytes|packets),\s*\d+ (?:bytes|packets))?"


@section(
    "display-interface",
    Cli("display interface"),
    yields=(Interface, PortAlias, Counter, Lag, LagMember),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_interface(output: Output) -> Iterator[Answer]:
    """``display interface [main]``: a block per interface that begins with ``NAME current state``.

    ``Maximum Frame Length`` is the size of frames that a port carries; ``Maximum Transmit Unit``, which routed ports
    print too, is that of IP packets it sends, and stands for the port only where there is no frame length. A speed is
    that of the link, where it is up. Eth-Trunks list their members. Older layouts and access routers write the same
    lines with other blanks.

    Source: Huawei CE6800 V300R023C00 command reference, Interface Basic Configuration Commands.
    """
    yield from answers(output.stdout, _interfaces, (Interface,), "no interface")


def _interfaces(text: str) -> Iterator[Answer]:
    block: list[tuple[int, str]] = []
    for number, line in lines(text):
        if re.match(rf"{NAME} current state\s*:", line):
            yield from _block(block)
            block = []
        elif not block:
            raise ParseError(number, line, "`NAME current state : UP`")
        if re.fullmatch(r"[\d.,]+", line.strip()):
            raise ParseError(number, line, "a line with words: a number alone goes on with the line above it")
        block.append((number, line.strip()))
    if not block:
        raise ParseError(1, text.strip().partition("\n")[0], "`NAME current state : UP`")
    yield from _block(block)


def _block(block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    if not block:
        return
    number, first = block[0]
    head = re.fullmatch(rf"({NAME}) current state\s*:\s*(Administratively )?([A-Z]+)([^A-Za-z].*)?", first)
    if not head or head[3] not in ("UP", "DOWN", "ERROR", "STANDBY"):
        raise ParseError(number, first, "`NAME current state : UP`, DOWN or Administratively DOWN")
    again = [row for row in block if row[1].startswith("Description:")][1:]
    if again:
        raise ParseError(*again[0], "one description a port: this is another command's")
    port = canonical(head[1])
    up = head[3] == "UP"
    why = re.search(r"\(([^()]+)\)", head[4] or "")
    row = Interface(
        port=port,
        admin_up=head[2] is None,
        oper_up=up,
        kind=kind(port),
        down_reason=why[1] if why and not up and not why[1].startswith("ifindex") else None,
        line=number,
    )
    for _, content in block[1:]:
        row = _told(row, content)
    yield row
    for line, content in block[1:]:
        found = re.search(r"Hardware address is ([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})$", content)
        if found and row.kind in ("physical", "management"):
            yield PortAlias(port=port, alias=mac_address(found[1], line), kind="mac", line=line)
    if row.kind in ("physical", "bond"):
        yield from _counters(port, block)
    if row.kind == "bond":
        yield Lag(lag=port, oper_up=up, line=number)
        yield from _members(port, block)


def _told(row: Interface, content: str) -> Interface:
    """The row with what one line adds."""
    size = re.search(r"The Maximum Frame Length is (\d{2,5})(?!\d)", content)
    packet = re.search(r"The Maximum Transmit Unit is (\d{2,5})(?!\d)", content)
    speed = re.match(r"Speed\s*:\s*(\d+),", content)
    pauses = re.fullmatch(r"Input Flow-control\s*:\s*(\w+),\s*Output Flow-control\s*:\s*(\w+)", content)
    fec = re.search(r"(?<!\w)Fec\s*:\s*([A-Z-]+)$", content)
    described = re.fullmatch(r"Description:\s*(\S.*)", content)
    if size or packet:
        found = size or packet
        row = replace(row, mtu_bytes=int(found[1]), mtu_kind="l2" if size else "ip") if found else row
    if speed and row.oper_up:
        row = replace(row, speed_bps=int(speed[1]) * _MBIT)
    if pauses:
        states = {"DISABLE": False, "ENABLE": True}
        row = replace(row, link_pause_rx=states.get(pauses[1]), link_pause_tx=states.get(pauses[2]))
    if fec:
        row = replace(row, fec_oper=_FECS.get(fec[1]))
    return replace(row, description=described[1]) if described else row


def _counters(port: str, block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    way = ""
    seen: set[str] = set()
    for number, content in block:
        total = re.fullmatch(_TOTALS, content)
        if total:
            way = total["way"]
        elif way:
            for word, value in re.findall(r"([A-Z][A-Za-z ]*?)\s*:\s+(\d+)(?=,|$)", content):
                name = f"{way} {word}"
                if name not in seen and (word in _CLASSES or word == "Pause"):
                    seen.add(name)
                    yield _counter(port, way, word, int(value), number)


def _counter(port: str, way: str, word: str, value: int, line: int) -> Counter:
    counter_class, unit = (_PAUSES[way], "frames") if word == "Pause" else _CLASSES[word]
    return Counter(
        port=port,
        name=f"{way} {word}",
        value=value,
        counter_class=counter_class,
        unit=unit,
        scope="since_clear",
        source="display interface",
        line=line,
    )


def _members(lag: str, block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    for number, content in block:
        found = re.fullmatch(rf"({NAME})\s+(UP|DOWN)\s+\d+", content)
        if found:
            yield LagMember(lag=lag, port=canonical(found[1]), bundled=found[2] == "UP", line=number)


@section(
    "display-interface-brief",
    yields=(Interface, Counter, LagMember),
    proven=Provenance.DOCUMENT,
)
def parse_brief(output: Output) -> Iterator[Answer]:
    """``display interface brief``: state and errors, a row per interface; members of an Eth-Trunk stand indented.

    ``*down`` is switched off by configuration, ``^down`` a standby.

    Source: Huawei CE6800 V300R023C00 command reference, Interface Basic Configuration Commands.
    """
    yield from answers(output.stdout, _brief, (Interface,), "no interface")


def _brief(text: str) -> Iterator[Answer]:
    header = r"Interface\s+PHY\s+Protocol\s+InUti\s+OutUti\s+inErrors\s+outErrors"
    pattern = (
        rf"(?P<port>{NAME})(?:\(\w+\))?\s+(?P<phy>[*^]?(?:up|down))(?P<marks>(?:\(\w+\))*)\s+(?P<protocol>[*^]?(?:up|down)\S*)"
        r"\s+(?P<in>\S+)\s+(?P<out>\S+)\s+(?P<inErrors>\d+|--)\s+(?P<outErrors>\d+|--)"
    )
    indented = {number for number, line in lines(text) if line[:1] == " "}
    trunk = ""
    for row in rows(text, header, pattern, ruled=False):
        port, sort = row.port, kind(row.port)
        trunk = port if sort == "bond" else trunk if row.line in indented else ""
        yield Interface(
            port=port, admin_up=not row["phy"].startswith("*"), oper_up=row["phy"] == "up", kind=sort, line=row.line
        )
        if trunk and sort == "physical":
            yield LagMember(lag=trunk, port=port, line=row.line)
        for name in ("inErrors", "outErrors") if sort == "physical" else ():
            yield Counter(
                port=port,
                name=name,
                value=row.count(name),
                counter_class=CounterClass.WIRE_ERROR,
                unit="frames",
                scope="since_clear",
                source="display interface brief",
                line=row.line,
            )


@section(
    "display-interface-counters-errors",
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
)
def parse_errors(output: Output) -> Iterator[Answer]:
    """``display interface counters errors [slot N]``: errors by kind, a block per interface.

    Source: Huawei CE6800 V300R023C00 command reference, Interface Basic Configuration Commands.
    """
    yield from answers(output.stdout, _errors, (Counter,), "no interface")


def _errors(text: str) -> Iterator[Answer]:
    port = ""
    for number, line in lines(text):
        content = line.strip()
        headed = re.fullmatch(rf"interface ({NAME}) Errors:", content)
        cells = re.findall(r"([A-Z][A-Za-z]*)\s*:(\d+)(?=\s|$)", content)
        if headed:
            port = canonical(headed[1])
        elif not port or not re.fullmatch(r"(?:[A-Z][A-Za-z]*\s*:\d+\s*)+", content):
            raise ParseError(number, line, "`interface NAME Errors:`, then `CRC :0   Giants :0`")
        for name, value in cells if port and not headed else ():
            counter_class, unit = _CLASSES.get(name, (CounterClass.OTHER, "frames"))
            yield Counter(
                port=port,
                name=name,
                value=int(value),
                counter_class=counter_class,
                unit=unit,
                scope="since_clear",
                source="display interface counters errors",
                line=number,
            )
    if not port:
        raise ParseError(1, text.strip().partition("\n")[0], "`interface NAME Errors:`")
