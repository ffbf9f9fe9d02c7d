"""Interfaces of Junos as text: outputs that were saved without ``| display xml``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.platforms.model import Answer, Output, Provenance, Skipped, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.switches.juniper_junos.interfaces import meter
from fabric_audit.platforms.switches.juniper_junos.names import kind
from fabric_audit.platforms.text import mac_address, numbered, some, speed_bps, torn, whole

_HEADING = re.compile(
    r"Physical interface: (?P<name>[^,\s]+), (?P<admin>Enabled|Administratively down|Disabled), "
    r"Physical link is (?P<link>Up|Down)"
)
_LINK = re.compile(r"\s+(?:Type: [^,]+, )?(?:Link-level type: [^,]+, )?MTU: (?P<mtu>\d+|Unlimited)\b.*")
_LINK_WORDS = re.compile(r"\b(Speed|Flow control): ([^,]+)")
_ONE = {
    r"\s+Interface index: \d+, SNMP ifIndex: (\d+)(?:, Generation: \d+)?": "index",
    r"\s+Description: (.+)": "description",
    r"\s+Current address: ([0-9a-f:]{17}), Hardware address: [0-9a-f:]{17}": "mac",
    r"\s+Statistics last cleared: (.+)": "cleared",
}
_LISTED = {
    "Input errors": {
        "Errors": "input-errors",
        "Drops": "input-drops",
        "Framing errors": "framing-errors",
        "Runts": "input-runts",
        "Resource errors": "input-resource-errors",
    },
    "Output errors": {
        "Carrier transitions": "carrier-transitions",
        "Drops": "output-drops",
        "MTU errors": "mtu-errors",
        "Resource errors": "output-resource-errors",
    },
}
_SINGLE = {
    "Input  bytes": "input-bytes",
    "Output bytes": "output-bytes",
    "Input  packets": "input-packets",
    "Output packets": "output-packets",
}
_COLUMNS = {
    ("MAC statistics", "CRC/Align errors"): ("input-crc-errors", None),
    ("MAC statistics", "MAC pause frames"): ("input-mac-pause-frames", "output-mac-pause-frames"),
    ("Ethernet FEC statistics", "FEC Corrected Errors"): ("fec_ccw_count", None),
    ("Ethernet FEC statistics", "FEC Uncorrected Errors"): ("fec_nccw_count", None),
    ("PCS statistics", "Bit errors"): ("bit-error-seconds", None),
}
"""Part of the stanza, name of the row → counters of its one or two columns."""


@dataclass(slots=True)
class _Stanza:
    """One interface of the text, as far as it was read."""

    heading: re.Match[str]
    line: int
    words: dict[str, str] = field(default_factory=dict)
    part: str = ""
    answers: list[Answer] = field(default_factory=list)
    meters: dict[str, tuple[int, int]] = field(default_factory=dict)


@section(
    "show-interfaces-extensive",
    yields=(Interface, PortAlias, Counter, QueueCounter, PfcCounter),
    proven=Provenance.FIELD,
)
def parse_interfaces_extensive(output: Output) -> Iterator[Answer]:
    """``show interfaces extensive`` as text: a stanza from ``Physical interface: X, Enabled, Physical link is Up``.

    Tables of MAC and PFC statistics have *Receive* before *Transmit*: received PFC means that the neighbour asked
    this port to stop. ``Flow control`` is 802.3x. ``Bit errors`` of the PCS are seconds. The IPv6 transit statistics
    repeat names and are left out.
    """
    yield from some(_stanzas(output), output, "`Physical interface: NAME, Enabled, Physical link is Up`")
    yield from torn(output.stdout)


def _stanzas(output: Output) -> Iterator[Answer]:
    stanza: _Stanza | None = None
    for number, line in numbered(whole(output.stdout)):
        heading = _HEADING.fullmatch(line)
        if heading:
            yield from _told(stanza)
            stanza = _Stanza(heading, number)
        elif line and not line[0].isspace() and not is_noise(line) and not line.startswith("{"):
            yield from _told(stanza)
            yield Skipped(number, line, "Physical interface: NAME, Enabled, Physical link is Up")
            stanza = None
        elif stanza and line.startswith("  Logical interface"):
            stanza.part = "Logical interface"
        elif stanza and stanza.part != "Logical interface":
            _read(stanza, line, number)
    yield from _told(stanza)


def _read(stanza: _Stanza, line: str, number: int) -> None:
    named = re.fullmatch(r"\s{2,3}([A-Z][\w /]*?)( statistics)?:(?:\s+[A-Z].*)?", line)
    link = _LINK.fullmatch(line)
    if link:
        stanza.words |= {"mtu": link["mtu"], **dict(_LINK_WORDS.findall(line))}
    for pattern, name in _ONE.items():
        one = re.fullmatch(pattern, line)
        if one:
            stanza.words[name] = one[1]
    if named or re.match(r"\s{2}(PCS|Ethernet FEC) statistics\s", line):
        stanza.part = line.strip()
    elif stanza.part.startswith("Queue counters"):
        _queue(stanza, line, number)
    elif stanza.part.startswith("MAC Priority Flow Control"):
        _pfc(stanza, line, number)
    else:
        _count(stanza, line, number)


def _queue(stanza: _Stanza, line: str, number: int) -> None:
    row = re.fullmatch(r"\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)", line)
    if row:
        stanza.answers.append(
            QueueCounter(
                port=stanza.heading["name"],
                queue=int(row[1]),
                group=False,
                tx_packets=int(row[3]),
                drop_packets=int(row[4]),
                scope="since_clear",
                line=number,
            )
        )


def _pfc(stanza: _Stanza, line: str, number: int) -> None:
    row = re.fullmatch(r"\s+Priority :\s+([0-7])\s+(\d+)\s+(\d+)", line)
    if row:
        rx, tx = int(row[2]), int(row[3])
        name = stanza.heading["name"]
        priority = int(row[1])
        stanza.answers.append(
            PfcCounter(port=name, priority=priority, rx_frames=rx, tx_frames=tx, scope="since_clear", line=number)
        )


def _count(stanza: _Stanza, line: str, number: int) -> None:
    """Counters of one line: listed after a name and a colon, or in columns after a name."""
    part = stanza.part.partition(":")[0].partition("  ")[0]
    single = re.fullmatch(r"\s+((?:In|Out)put  ?(?:bytes|packets))\s*:\s+(\d+)(?:\s+\d+ [bp]ps)?", line)
    columns = re.fullmatch(r"\s+([A-Z][\w/ ]*?)\s{2,}(\d+)(?:\s+(\d+))?", line)
    if single and part == "Traffic statistics":
        stanza.meters[_SINGLE[single[1]]] = (int(single[2]), number)
    elif part in _LISTED:
        for name, value in re.findall(r"([A-Z][\w ]*): (\d+)", line):
            if name in _LISTED[part]:
                stanza.meters[_LISTED[part][name]] = (int(value), number)
    elif columns:
        names = _COLUMNS.get((part, columns[1]), (None, None))
        for name, value in zip(names, columns.groups()[1:], strict=True):
            if name and value is not None:
                stanza.meters[name] = (int(value), number)


def _told(stanza: _Stanza | None) -> Iterator[Answer]:
    if stanza is None:
        return
    heading, words = stanza.heading, stanza.words
    if "mtu" not in words:
        yield Skipped(stanza.line, heading[0], "a line `Link-level type: …, MTU: …` below it")
        return
    name, mtu, speed = heading["name"], words["mtu"], words.get("Speed", "")
    pause = {"Enabled": True, "Disabled": False, "None": False}.get(words.get("Flow control", ""))
    yield Interface(
        port=name,
        admin_up=heading["admin"] == "Enabled",
        oper_up=heading["link"] == "Up",
        mtu_bytes=int(mtu) if mtu.isdigit() else None,
        mtu_kind="l2" if kind(name) in ("physical", "bond") else None,
        speed_bps=speed_bps(speed, stanza.line) if speed[:1].isdigit() else None,
        link_pause_rx=pause,
        link_pause_tx=pause,
        mac=mac_address(words["mac"], stanza.line) if "mac" in words else None,
        description=words.get("description"),
        kind=kind(name),
        line=stanza.line,
    )
    if "index" in words:
        yield PortAlias(port=name, alias=words["index"], kind="ifindex", line=stanza.line)
    cleared = words.get("cleared")
    scope = None if cleared is None else "absolute" if cleared == "Never" else "since_clear"
    for meter_name, (value, line) in stanza.meters.items():
        yield meter(name, meter_name, value, scope=scope, line=line)
    yield from stanza.answers
