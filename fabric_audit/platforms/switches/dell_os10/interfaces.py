"""Interfaces of OS10 as they run: state, sizes, speed, FEC, errors, drops, and the module in the port."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Interface, PortAlias, Transceiver
from fabric_audit.facts.routing import Lag
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.dell_os10.names import NAME, canonical, kind
from fabric_audit.platforms.text import consistent, mac_address, numbered, speed_bps

_FECS = {
    "cl91-rs": "rs",
    "cl108-rs": "rs",
    "cl119-rs": "rs",
    "cl74-fc": "fc",
    "off": "none",
    "none": "none",
    "auto": "auto",
}
_STATE = rf"(?P<port>{NAME}) is (?P<first>up|down|administratively down|testing), line protocol is (?P<link>up|down).*"
_GROUPS = {
    "Input": {
        "runts": (CounterClass.WIRE_ERROR, "frames"),
        "giants": (CounterClass.LOSS, "frames"),
        "throttles": (CounterClass.OTHER, "frames"),
        "CRC": (CounterClass.WIRE_ERROR, "frames"),
        "overrun": (CounterClass.LOSS, "frames"),
        "discarded": (CounterClass.LOSS, "packets"),
        "packets": (CounterClass.TRAFFIC, "packets"),
        "octets": (CounterClass.TRAFFIC, "bytes"),
    },
    "Output": {
        "throttles": (CounterClass.OTHER, "frames"),
        "discarded": (CounterClass.LOSS, "packets"),
        "Collisions": (CounterClass.WIRE_ERROR, "frames"),
        "packets": (CounterClass.TRAFFIC, "packets"),
        "octets": (CounterClass.TRAFFIC, "bytes"),
    },
}


@section(
    "show-interface",
    Cli("show interface"),
    yields=(Interface, PortAlias, Counter, Transceiver, Lag),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_interface(output: Output) -> Iterator[Answer]:
    """``show interface``: a block per interface that begins with ``Ethernet 1/1/1 is up, line protocol is up``.

    The first state is down for a port that was switched off and for one without a link: which it is cannot be told.
    MTU is that of the frame, 32 bytes more than the IP MTU beside it. A speed is that of the link, where it is up.
    Packets by size are printed as powers of ten when they are many, and are left out.

    Sources: outputs of OS10 10.5 in Microsoft's tools for Azure Local and in Intel's switch management library.
    """
    yield from consistent(of_whole_lines(output.stdout, _interfaces, (Interface,), "no interface"))


def _interfaces(text: str) -> Iterator[Answer]:
    block: list[tuple[int, str]] = []
    for number, line in numbered(text):
        if is_noise(line):
            continue
        content = line.strip()
        if re.match(rf"{NAME} is \w+", content):
            yield from _block(block)
            block = []
        elif not block:
            raise ParseError(number, line, "`Ethernet 1/1/1 is up, line protocol is up`")
        block.append((number, content))
    if not block:
        raise ParseError(1, text.strip().partition("\n")[0], "`Ethernet 1/1/1 is up, line protocol is up`")
    yield from _block(block)


def _block(block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    if not block:
        return
    number, first = block[0]
    head = re.fullmatch(_STATE, first)
    if not head:
        raise ParseError(number, first, "`Ethernet 1/1/1 is up, line protocol is up`")
    port = canonical(head["port"])
    row = Interface(
        port=port,
        admin_up=True if head["first"] == "up" else False if head["first"].startswith("admin") else None,
        oper_up=head["first"] == head["link"] == "up",
        kind=kind(port),
        line=number,
    )
    for line, content in block[1:]:
        row = _told(row, content, line)
    yield row
    for line, content in block[1:]:
        address = re.fullmatch(r"Hardware is Eth, address is ((?:[0-9a-f]{2}:){5}[0-9a-f]{2})", content)
        module = re.fullmatch(r"Pluggable media present, (\S+) type is (.+)", content)
        if address and row.kind in ("physical", "management"):
            yield PortAlias(port=port, alias=mac_address(address[1], line), kind="mac", line=line)
        elif module and row.kind == "physical":
            yield _module(port, module, line)
    if row.kind == "bond":
        yield Lag(lag=port, oper_up=row.oper_up, min_links=_least(block), line=number)
    if row.kind in ("physical", "bond"):
        yield from _counters(port, block)


def _told(row: Interface, content: str, line: int) -> Interface:
    """The row with what one line adds."""
    size = re.fullmatch(r"MTU (\d{3,5}) bytes, IP MTU \d{3,5} bytes", content)
    speed = re.fullmatch(r"LineSpeed (\d+[MG])(?:, Auto-Negotiation (on|off).*)?", content)
    fec = re.fullmatch(r"Configured FEC is (\S+), Negotiated FEC is (\S+)", content)
    pause = re.fullmatch(r"Flowcontrol rx (on|off) tx (on|off)", content)
    described = re.fullmatch(r"Description: (.+)", content)
    if size:
        row = replace(row, mtu_bytes=int(size[1]), mtu_kind="l2")
    if speed:
        rate = speed_bps(speed[1], line) if row.oper_up else None
        row = replace(row, speed_bps=rate, autoneg=speed[2] == "on" if speed[2] else None)
    if fec:
        row = replace(row, fec_mode=_FECS.get(fec[1]), fec_oper=_FECS.get(fec[2]))
    if pause:
        row = replace(row, link_pause_rx=pause[1] == "on", link_pause_tx=pause[2] == "on")
    if described and row.description is not None:
        raise ParseError(line, content, "one description a port: this is another command's")
    return replace(row, description=described[1]) if described else row


def _module(port: str, found: re.Match[str], line: int) -> Transceiver:
    length = re.search(r"-(\d{1,4}(?:\.\d+)?)M$", found[2])
    return Transceiver(
        port=port,
        form=found[1],
        passive=True if re.search(r"BASE-CR\d*\b", found[2]) else None,
        length_m=float(length[1]) if length else None,
        line=line,
    )


def _least(block: Sequence[tuple[int, str]]) -> int | None:
    pattern = r"Minimum number of links to bring Port-channel up is (\d+)"
    return next((int(found[1]) for _, line in block if (found := re.fullmatch(pattern, line))), None)


def _counters(port: str, block: Sequence[tuple[int, str]]) -> Iterator[Answer]:
    way = ""
    seen = set()
    for number, content in block:
        headed = re.fullmatch(r"(Input|Output) statistics:", content)
        if headed:
            way = headed[1]
        elif content.startswith(("Rate Info", "Time since")):
            way = ""
        for value, word in re.findall(r"(?<!\S)(\d{1,20}) ([A-Za-z]+)(?=,|$)", content) if way and not headed else ():
            if word in _GROUPS[way] and (way, word) not in seen:
                seen.add((way, word))
                counter_class, unit = _GROUPS[way][word]
                yield Counter(
                    port=port,
                    name=f"{way.lower()} {word}",
                    value=int(value),
                    counter_class=counter_class,
                    unit=unit,
                    scope="since_clear",
                    source="show interface",
                    line=number,
                )
