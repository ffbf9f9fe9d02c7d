"""PFC of NX-OS as it runs: state per port and frames per priority."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter, PfcPort
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical, kind
from fabric_audit.platforms.text import integer, numbered, some, torn, whole

_SINCE_CLEAR = "since_clear"
_ROW = re.compile(
    r"(?P<port>[A-Za-z-]+[0-9][0-9/.]*)\s+(?P<mode>On|Off|Auto)\s+(?P<oper>On|Off)\s*"
    r"(?:\((?P<bitmap>[0-9a-fA-F]{1,2})\))?\s+(?P<rx>[0-9,]+)\s+(?P<tx>[0-9,]+)"
)
_SOURCE = "show interface priority-flow-control"


def priorities(bitmap: str) -> str:
    """Priorities of a hexadecimal bitmap: ``20`` is 5, ``9`` is 0 and 3, ``0`` is none."""
    bits = int(bitmap, 16)
    return "".join(str(priority) for priority in range(8) if bits >> priority & 1)


def _port(name: str, mode: str, oper: str, bitmap: str | None, line: int) -> PfcPort:
    """What is in force is both: operation On, and a bit in the bitmap. On with an empty bitmap stops nothing."""
    in_force = priorities(bitmap) if oper == "On" and bitmap is not None else "" if oper == "Off" else None
    return PfcPort(port=canonical(name), mode=mode.lower(), oper_priorities=in_force, source=_SOURCE, line=line)


@section("show-interface-priority-flow-control", yields=(PfcPort, Counter), proven=Provenance.FIELD)
def parse_pfc(output: Output) -> Iterator[Answer]:
    """``show interface priority-flow-control``: mode, what is in force, and frames of all priorities together.

    ``(VL bmap)`` is hexadecimal: ``(8)`` is priority 3, ``(20)`` is priority 5. It is missing where PFC is off, so
    rows are read by form, not by columns. RxPPP are pauses the neighbour sent, TxPPP those this port sent; they
    stay after PFC went off. Nexus 5000 and UCS fabric interconnects print the same, with more kinds of ports.
    """
    yield from some(_rows(output.stdout), output, "a table with Port, Mode, Oper(VL bmap), RxPPP, TxPPP")
    yield from torn(output.stdout)


def _rows(text: str) -> Iterator[Answer]:
    seen_header = False
    for number, line in numbered(whole(text)):
        found = _ROW.fullmatch(line.strip())
        if re.match(r"\s*Port\s+Mode\s+Oper", line):
            seen_header = True
        elif seen_header and found:
            yield _port(found["port"], found["mode"], found["oper"], found["bitmap"], number)
            yield _total(found["port"], "RxPPP", found["rx"], number)
            yield _total(found["port"], "TxPPP", found["tx"], number)
        elif seen_header and line.strip() and not re.fullmatch(r"[=\s-]+|\S+[#>].*", line):
            raise ParseError(number, line, "port, mode, operation with bitmap, and two counters")


def _total(port: str, name: str, value: str, line: int) -> Counter:
    return Counter(
        port=canonical(port),
        name=name,
        value=integer(value, line),
        counter_class=CounterClass.PAUSE_RECEIVED if name == "RxPPP" else CounterClass.PAUSE_SENT,
        unit="frames",
        scope=_SINCE_CLEAR,
        source=_SOURCE,
        line=line,
    )


@dataclass(slots=True)
class _Stanza:
    """One port of the detailed text, as far as it was read."""

    port: str
    line: int
    words: dict[str, str] = field(default_factory=dict)
    frames: dict[str, tuple[int, list[int | None]]] = field(default_factory=dict)


@section(
    "show-interface-priority-flow-control-detail",
    Cli("show interface priority-flow-control detail"),
    yields=(PfcPort, PfcCounter),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_pfc_detail(output: Output) -> Iterator[Answer]:
    """``show interface priority-flow-control detail``: a stanza per port, with frames per priority.

    ``VL bitmap`` is hexadecimal, as in the short form. Rx are pauses the neighbour sent. A port whose rows of
    frames are missing (PFC was never on) has no counters.
    """
    stanza: _Stanza | None = None
    ports = 0
    for number, line in numbered(whole(output.stdout)):
        content = line.strip()
        if line[:1].strip() and kind(canonical(content)):
            yield from _told(stanza)
            stanza, ports = _Stanza(canonical(content), number), ports + 1
        elif line[:1].strip() and ports:
            yield from _told(stanza)
            stanza = None
            if not re.fullmatch(r"\S+[#>].*", line):
                yield Skipped(number, line, "the name of a port")
        elif stanza:
            _read(stanza, content, number)
    if not ports:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "the name of a port, then Admin Mode, Oper Mode, VL bitmap")
    yield from _told(stanza)
    yield from torn(output.stdout)


def _read(stanza: _Stanza, content: str, number: int) -> None:
    said = re.fullmatch(r"(Admin Mode|Oper Mode|VL bitmap): \(?([A-Za-z0-9]+)\)?", content)
    counted = re.fullmatch(r"(Rx|Tx)((?:\s*\|\s*[0-9,]+){8})\s*\|?", content)
    if said:
        if said[1] in stanza.words:
            raise ParseError(number, content, f"the name of a port before a second {said[1]}")
        stanza.words[said[1]] = said[2]
    elif counted:
        values = [integer(value, number) for value in counted[2].split("|")[1:]]
        stanza.frames[counted[1]] = (number, values)
    elif re.match(r"(Rx|Tx)\b", content):
        raise ParseError(number, content, "eight counters")


def _told(stanza: _Stanza | None) -> Iterator[Answer]:
    if stanza is None:
        return
    words = stanza.words
    if not {"Admin Mode", "Oper Mode"} <= words.keys():
        yield Skipped(stanza.line, stanza.port, "Admin Mode and Oper Mode below the port")
        return
    bitmap = words.get("VL bitmap")
    if bitmap and not re.fullmatch(r"[0-9a-fA-F]{1,2}", bitmap):
        raise ParseError(stanza.line, bitmap, "a hexadecimal bitmap of eight priorities")
    yield _port(stanza.port, words["Admin Mode"], words["Oper Mode"], bitmap, stanza.line)
    rx, tx = stanza.frames.get("Rx"), stanza.frames.get("Tx")
    for priority in range(8) if rx or tx else ():
        yield PfcCounter(
            port=stanza.port,
            priority=priority,
            rx_frames=rx[1][priority] if rx else None,
            tx_frames=tx[1][priority] if tx else None,
            scope=_SINCE_CLEAR,
            line=(rx or tx or (stanza.line,))[0],
        )
