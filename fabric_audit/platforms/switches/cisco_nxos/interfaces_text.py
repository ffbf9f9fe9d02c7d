"""Interfaces of NX-OS as text: outputs that were saved without ``| json``."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.platforms.columns import columns
from fabric_audit.platforms.model import Answer, Output, Provenance, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical, kind
from fabric_audit.platforms.text import decimal, integer, numbered, some, speed_bps, torn, whole

_DOWN = (
    "disabled",
    "sfpAbsent",
    "xcvrAbsen",
    "xcvrAbsent",
    "notconnec",
    "notconnect",
    "noOperMem",
    "suspended",
    "down",
)
_STATUSES = (
    "connected",
    *_DOWN,
    "err-disabl",
    "errDisable",
    "inactive",
    "linkFlapE",
    "channelDo",
    "vpcPeerLk",
    "faulty",
)


@section("show-interface-status", yields=(Interface,), proven=Provenance.FIELD)
def parse_status(output: Output) -> Iterator[Answer]:
    """``show interface status``: one row per port, by the columns of the header, for names hold blanks.

    ``disabled`` is shut down by configuration; words are cut to nine letters (``notconnec``, ``xcvrAbsen``). Speed
    and duplex of a port that is down are what is configured: auto, or a speed.
    """
    yield from some(_status(output.stdout), output, "a table with Port, Name, Status, Vlan, Duplex, Speed, Type")
    yield from torn(output.stdout)


def _status(text: str) -> Iterator[Answer]:
    table = None
    for number, line in numbered(whole(text)):
        header = columns(line, ("Port", "Name", "Status", "Vlan", "Duplex", "Speed", "Type"))
        if header:
            table = header
        elif table and line.strip() and not re.fullmatch(r"[-\s]+|\S+[#>].*", line):
            cells = table.cells(line, number)
            name = canonical(cells["Port"])
            if not kind(name) or not cells["Status"] or " " in cells["Status"] or not cells["Speed"]:
                raise ParseError(number, line, f"a port, and a status such as {', '.join(_STATUSES[:4])}")
            speed = cells["Speed"].removeprefix("a-")
            yield Interface(
                port=name,
                admin_up=cells["Status"] != "disabled",
                oper_up=cells["Status"] == "connected",
                speed_bps=_speed(speed, number),
                description=None if cells["Name"] in ("--", "") else cells["Name"],
                kind=kind(name),
                down_reason=None if cells["Status"] == "connected" else cells["Status"],
                line=number,
            )


def _speed(text: str, line: int) -> int | None:
    """``100G``, or a bare number in Mb/s."""
    if text.isdigit():
        return int(text) * 10**6
    return speed_bps(text, line) if text[:1].isdigit() else None


@section("show-interface-flowcontrol", yields=(Interface, Counter), proven=Provenance.CONSTRUCTED)
def parse_flowcontrol(output: Output) -> Iterator[Answer]:
    """``show interface flowcontrol``: 802.3x pause per port, configured and in force, with the frames counted.

    Seven words a row: port, send configured and in force, receive configured and in force, RxPause, TxPause. Header
    and rows are not aligned in every release, so rows are split at blanks.
    """
    yield from some(_flowcontrol(output.stdout), output, "a table with Send and Receive FlowControl, RxPause, TxPause")
    yield from torn(output.stdout)


def _flowcontrol(text: str) -> Iterator[Answer]:
    seen_header = False
    states = {"on": True, "off": False}
    for number, line in numbered(whole(text)):
        words = line.split()
        if re.match(r"\s*Port\s+Send", line):
            seen_header = True
        elif seen_header and words and re.search(r"\d", words[0]) and words[0][:1].isalpha():
            if len(words) != 7 or not {words[2], words[4]} <= {"on", "off"}:  # noqa: PLR2004 - the columns above
                raise ParseError(number, line, "port, two states each for send and receive, and two counters")
            port = canonical(words[0])
            send, receive = states[words[2]], states[words[4]]
            yield Interface(port=port, link_pause_tx=send, link_pause_rx=receive, kind=kind(port), line=number)
            classes = {"RxPause": CounterClass.PAUSE_RECEIVED, "TxPause": CounterClass.PAUSE_SENT}
            for (name, counter_class), word in zip(classes.items(), words[5:], strict=True):
                yield Counter(
                    port=port,
                    name=name,
                    value=integer(word, number),
                    counter_class=counter_class,
                    unit="frames",
                    scope="since_clear",
                    source="show interface flowcontrol",
                    line=number,
                )


@section("show-interface-capabilities", yields=(PfcPort,), proven=Provenance.FIELD)
def parse_capabilities(output: Output) -> Iterator[Answer]:
    """``show interface capabilities``: what the hardware of each port could do; of that, PFC."""
    port = ""
    found = False
    for number, line in numbered(whole(output.stdout)):
        if line[:1].strip() and kind(canonical(line)):
            port = canonical(line)
        told = re.fullmatch(r"\s+PFC capable:\s+(yes|no)", line)
        if told and port:
            found = True
            source = "show interface capabilities"
            yield PfcPort(port=port, capable=told[1] == "yes", source=source, line=number)
    if not found:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "the name of a port, and `PFC capable: yes` below it")
    yield from torn(output.stdout)


@section("show-interface-counters-brief", yields=(Counter,), proven=Provenance.FIELD)
def parse_counters_brief(output: Output) -> Iterator[Answer]:
    """``show interface counters brief``: average rates of each port over an interval of seconds.

    MB/s and frames per second, in and out; the interval is 30 s unless ``load-interval`` says otherwise. A rate goes
    up and down: it is a gauge, and no counter of what was sent.
    """
    yield from some(_rates(output.stdout), output, "a table with Input Rate, Output Rate and interval")
    yield from torn(output.stdout)


def _rates(text: str) -> Iterator[Answer]:
    seen_header = False
    names = (
        ("input MB/s", "MB/s"),
        ("input frames/s", "frames"),
        ("output MB/s", "MB/s"),
        ("output frames/s", "frames"),
    )
    for number, line in numbered(whole(text)):
        words = line.split()
        if re.match(r"\s*Interface\s+Input Rate", line):
            seen_header = True
        elif seen_header and words and kind(canonical(words[0])):
            if len(words) != 6:  # noqa: PLR2004 - the columns above
                raise ParseError(number, line, "port, two rates in, two rates out, and the interval")
            for (name, unit), word in zip(names, words[1:5], strict=True):
                rate = decimal(word, number)
                yield Counter(
                    port=canonical(words[0]),
                    name=name,
                    value=None if rate is None else round(rate),
                    counter_class=CounterClass.TRAFFIC,
                    unit=unit,
                    scope="gauge",
                    refresh_s=decimal(words[5], number),
                    source="show interface counters brief",
                    line=number,
                )
