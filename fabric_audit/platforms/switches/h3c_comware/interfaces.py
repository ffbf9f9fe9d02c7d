"""Interfaces of Comware as they run: state, sizes, speed, errors, pauses, and drops by cause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.facts.routing import Lag
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.h3c_comware.lines import answers, first_line, lines
from fabric_audit.platforms.switches.h3c_comware.names import NAME, aliases, canonical, kind
from fabric_audit.platforms.text import mac_address

_FACTORS = {"M": 10**6, "G": 10**9}
_STATE = r"(?:Current state|current state)\s*:\s*(?P<words>.*)"
_CLASSES = {
    "pauses": (CounterClass.PAUSE_RECEIVED, "frames"),
    "unicasts": (CounterClass.TRAFFIC, "packets"),
    "input errors": (CounterClass.WIRE_ERROR, "frames"),
    "runts": (CounterClass.WIRE_ERROR, "frames"),
    "giants": (CounterClass.LOSS, "frames"),
    "CRC": (CounterClass.WIRE_ERROR, "frames"),
    "frame": (CounterClass.WIRE_ERROR, "frames"),
    "overruns": (CounterClass.LOSS, "frames"),
    "aborts": (CounterClass.WIRE_ERROR, "frames"),
    "ignored": (CounterClass.LOSS, "frames"),
    "parity errors": (CounterClass.WIRE_ERROR, "frames"),
    "output errors": (CounterClass.LOSS, "frames"),
    "underruns": (CounterClass.LOSS, "frames"),
    "buffer failures": (CounterClass.LOSS, "frames"),
}
_GROUPS = {
    "Input (total)": ("input", ("unicasts", "pauses")),
    "Input": ("input", ("input errors", "runts", "giants", "CRC", "frame", "overruns", "ignored", "parity errors")),
    "Output (total)": ("output", ("unicasts", "pauses")),
    "Output": ("output", ("output errors", "underruns", "buffer failures", "aborts")),
}
_GROUP = re.compile(r"(?:Input|Output)(?: \((?:total|normal)\))?:")
_DROPS = (
    (r"ECN.*mark", CounterClass.CONGESTION),
    (r"WRED", CounterClass.LOSS),
    (r"data buffer|GBP full|insufficient bandwidth", CounterClass.LOSS),
    (r"", CounterClass.OTHER),
)


@section(
    "display-interface",
    Cli("display interface"),
    yields=(Interface, PortAlias, Counter, Lag),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_interface(output: Output) -> Iterator[Answer]:
    """``display interface``: a block per interface that begins with its name, then ``Current state: UP``.

    ``Maximum frame length`` is the size of frames a port carries, ``Maximum transmission unit`` that of IP packets of
    a routed interface. ``-`` is a counter that the hardware does not have. Older releases write name and state in one
    line: ``GigabitEthernet1/0/1 current state: UP``.

    Source: outputs of Comware 7, as ntc-templates keeps them.
    """
    yield from answers(output.stdout, _interfaces, (Interface,), "no interface")


def _interfaces(text: str) -> Iterator[Answer]:
    block: list[tuple[int, str]] = []
    for number, line in lines(text):
        if re.fullmatch(rf"{NAME}(?: current state\s*:.*)?", line.rstrip()):
            yield from _block(block)
            block = []
        elif not block:
            raise ParseError(number, line, "the name of an interface")
        block.append((number, line.strip()))
    if not block:
        raise ParseError(*first_line(text), "the name of an interface")
    yield from _block(block)


def _block(block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    if not block:
        return
    number, first = block[0]
    named = re.match(NAME, first)
    port = canonical(named[0]) if named else first
    stated = next((found for _, line in block[:3] if (found := re.search(_STATE, line))), None)
    if not stated:
        raise ParseError(number, first, "`Current state: UP` below the name")
    state = re.fullmatch(r"(Administratively )?(UP|DOWN)\b.*", stated["words"])
    if not state:
        raise ParseError(number, stated[0], "Current state UP, DOWN or Administratively DOWN")
    again = [row for row in block[3:] if re.match(_STATE, row[1])]
    again += [row for row in block if row[1].startswith("Description:")][1:]
    if again:
        raise ParseError(*again[0], "the name of another interface above it")
    off = "dministratively" in stated["words"]
    row = Interface(port=port, admin_up=not off, oper_up=state[2] == "UP", kind=kind(port), line=number)
    why = re.search(r"\(\s*([^()]*?)\s*\)", stated["words"])
    if why and state[2] == "DOWN" and not off:
        row = replace(row, down_reason=why[1])
    for _, line in block[1:]:
        row = _told(row, line)
    yield row
    yield from _aliases(port, block)
    if row.kind == "bond":
        yield Lag(lag=port, oper_up=row.oper_up, line=number)
    if row.kind in ("physical", "bond"):
        yield from _counters(port, block)


def _told(row: Interface, line: str) -> Interface:
    """The row with what one line adds."""
    size = re.fullmatch(r"(?:The )?[Mm]aximum (frame length|transmission unit)(?: is)?:? (\d{2,5})\b.*", line)
    speed = re.match(r"(\d+)([MG])bps-speed mode", line)
    described = re.fullmatch(r"Description:\s*(\S.*)", line)
    pause = re.fullmatch(r"Flow-control is (not enabled|enabled|receive enabled|send enabled)", line)
    fec = re.fullmatch(r"(?:Port )?FEC mode: (\S+)", line)
    if size and (size[1] == "frame length" or row.mtu_kind is None):
        kind_of = "l2" if size[1] == "frame length" else "ip"
        row = replace(row, mtu_bytes=int(size[2]), mtu_kind=kind_of)
    if speed and row.oper_up:
        row = replace(row, speed_bps=int(speed[1]) * _FACTORS[speed[2]])
    if pause:
        takes, sends = pause[1] in ("enabled", "receive enabled"), pause[1] in ("enabled", "send enabled")
        row = replace(row, link_pause_rx=takes, link_pause_tx=sends)
    if fec:
        told = fec[1].lower()
        row = replace(row, fec_mode={"rs-fec": "rs", "base-r": "fc", "none": "none", "auto": "auto"}.get(told))
    return replace(row, description=described[1]) if described else row


def _aliases(port: str, block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    if kind(port) not in ("physical", "management"):
        return
    for other in aliases(port):
        yield PortAlias(port=port, alias=other, kind="abbreviation", line=block[0][0])
    for number, line in block:
        found = re.search(r"hardware address: ([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})$", line, re.IGNORECASE)
        if found:
            yield PortAlias(port=port, alias=mac_address(found[1], number), kind="mac", line=number)
            return


def _counters(port: str, block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    way, words = "", tuple[str, ...]()
    for number, line in block:
        group = _GROUP.search(line)
        if re.match(r"IPv[46] traffic statistics", line):
            return
        if group:
            way, words = _GROUPS.get(line[: group.end() - 1], ("", ()))
        for word in words:
            found = re.search(rf"(?<!\S)(\d{{1,20}}) {word}(?:,|$)", line)
            if found:
                yield _counter(port, way, word, int(found[1]), number)


def _counter(port: str, way: str, word: str, value: int, line: int) -> Counter:
    counter_class, unit = _CLASSES[word]
    if way == "output" and word == "pauses":
        counter_class = CounterClass.PAUSE_SENT
    return Counter(
        port=port,
        name=word if word.startswith(way) else f"{way} {word}",
        value=value,
        counter_class=counter_class,
        unit=unit,
        scope="since_clear",
        source="display interface",
        line=line,
    )


@section(
    "display-packet-drop-interface",
    Cli("display packet-drop interface"),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_packet_drop(output: Output) -> Iterator[Answer]:
    """``display packet-drop interface``: drops by cause and packets marked by ECN, a block per port.

    Drops for lack of buffer are told for both directions where a release has both. Packets that the Fast Filter
    Processor or spanning tree dropped were not to be forwarded: they say nothing of congestion.

    Sources: H3C S6850 and HPE 5900 command references, Ethernet interface commands.
    """
    yield from answers(output.stdout, _drops, (Counter,), "no port")


def _drops(text: str) -> Iterator[Answer]:
    port = ""
    for number, line in lines(text):
        headed = re.fullmatch(rf"({NAME}):", line.strip())
        said = re.fullmatch(
            r"Packets (.+?)(?:\. (Input) dropped: (\d{1,20}) +(Output) dropped)?: ?(\d{1,20})", line.strip()
        )
        if headed:
            port = canonical(headed[1])
        elif not said or not port:
            raise ParseError(number, line, "`NAME:`, then `Packets dropped by CAUSE: N`")
        else:
            for way, value in ((said[2], said[3]), (said[4], said[5])) if said[2] else (("", said[5]),):
                yield _drop(port, said[1], way, int(value), number)
    if not port:
        raise ParseError(*first_line(text), "`NAME:`, then `Packets dropped by CAUSE: N`")


def _drop(port: str, cause: str, way: str, value: int, line: int) -> Counter:
    return Counter(
        port=port,
        name=f"{cause}, {way.lower()}" if way else cause,
        value=value,
        counter_class=next(sort for pattern, sort in _DROPS if re.search(pattern, cause)),
        unit="packets",
        scope="since_clear",
        source="display packet-drop",
        line=line,
    )
