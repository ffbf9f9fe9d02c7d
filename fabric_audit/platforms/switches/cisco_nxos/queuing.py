"""Queues, buffers and drops of NX-OS as text: ``show queuing interface`` and ``show queuing summary``."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import PriorityGroup, QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical
from fabric_audit.platforms.text import integer, numbered, some, torn, whole

SINCE_CLEAR = "since_clear"
_PORT = re.compile(r"(?:(Egress|Ingress) Queuing for (\S+?\d)(?: \[\w+\])?|(\S+\d) queuing information:)")
_ECHO = re.compile(r"\S+[#>] ?sh\w* queuing interface (\S+\d)\b.*")
_CONFIG = re.compile(r"([0-7])((?:\s+(?:-|[\d.]+)){5,6})\s+(\d+\([A-Z]\)|-|\d+)")
_PAUSE = re.compile(r"([0-7])\s+(-|[\d,]+)\s+(-|[\d,]+)\s+(-|[\d,]+)")
_GROUP = re.compile(r"\|\s*(CONTROL |SPAN )?QOS GROUP ?(\d?)\s*\|")
_PFC = re.compile(r"([0-7])\s+(?:-|\d+)\s+(?:(?:-|\d+)\s+)?\w+\s+([\d,]+)\s+\w+\s+([\d,]+)")
_REST = re.compile(r"[0-9.,]+|[0-9.,|\s]*[0-9][0-9.,|\s]*\|[0-9.,|\s]*")
_DROP = re.compile(r"(.*\bDrop (?:Pkts|Bytes|Byts))\s+([\d,]+)")
_FIELDS = {
    "Tx Pkts": "tx_packets",
    "Tx Byts": "tx_bytes",
    "Dropped Pkts": "drop_packets",
    "Dropped Byts": "drop_bytes",
    "WRED/AFD & Tail Drop Pkts": "drop_packets",
    "WRED/AFD & Tail Drop Byts": "drop_bytes",
    "WRED & Tail Drop Pkts": "drop_packets",
    "WRED & Tail Drop Byts": "drop_bytes",
    "ECN Pkts": "ecn_marked_packets",
    "ECN Byts": "ecn_marked_bytes",
}


@dataclass(slots=True)
class _Reader:
    """Where in the text we are: port, part, group; and what the group counted so far."""

    port: str = ""
    group: int | None = None
    part: str = ""
    slice: str = ""
    line: int = 0
    counted: dict[str, int] = field(default_factory=dict)


@section(
    "show-queuing-interface",
    yields=(Queue, QueueCounter, PriorityGroup, PfcCounter, Counter),
    proven=Provenance.FIELD,
)
def parse_queuing(output: Output) -> Iterator[Answer]:
    """``show queuing interface`` as text, of one port or all, also cut out with ``grep``.

    Three layouts. Cloud Scale: per group unicast and multicast, ``WRED/AFD & Tail Drop``, ``ECN`` where it is
    configured. Nexus 3000: a column OOBFC, ``Dropped``. Nexus 5000: ``q-size``, ``HW MTU``, ``drop-type``. The
    counters of one group are the sums of their columns. *Ingress* drops (``Ingress Overflow``, ``MMU Drop``,
    ``discarded on ingress``) are what a lossless class must never have: they come as counters of the port, and those
    of a slice as such.

    Ingress buffers, in bytes: ``Pause Th`` is the fill at which pause is sent, ``Resume Th`` the one at which the
    neighbour may go on; what ``Buff Size`` has above ``Pause Th`` is headroom. A group with ``-`` is lossy. The
    thresholds of Nexus 5000 are cells and are not read.

    Text that was filtered has no heading; then the echoed command tells the port.
    """
    expected = "`Egress Queuing for NAME`, and tables of its queues"
    yield from some(_answers(output.stdout), output, expected)
    yield from torn(output.stdout)


def _answers(text: str) -> Iterator[Answer]:
    reader = _Reader()
    for number, line in numbered(whole(text)):
        heading = _PORT.fullmatch(line.strip())
        echo = _ECHO.fullmatch(line.strip())
        if heading or echo:
            yield from _counted(reader)
            name = canonical((heading[2] or heading[3]) if heading else echo[1] if echo else "")
            reader = _Reader(port=name)
        elif line.strip():
            yield from _read(reader, line.strip(), number)
    yield from _counted(reader)


def _read(reader: _Reader, line: str, number: int) -> Iterator[Answer]:
    if _REST.fullmatch(line) or (line.startswith("|") and not line.endswith("|")):
        raise ParseError(number, line, "a whole row: numbers alone go on with the line above them")
    group = _GROUP.fullmatch(line)
    if group:
        yield from _counted(reader)
        reader.group = int(group[2]) if group[2] and not group[1] else None
        reader.line, reader.counted = number, {}
        return
    if re.match(r"Per Slice", line):
        reader.slice = "slice "
    elif re.match(r"(Per )?Port (Egress|Ingress) Statistics|Per Port", line):
        reader.slice = ""
    if "QOS GROUP" in line:
        raise ParseError(number, line, "the heading of a group on a line of its own")
    if line.startswith("|"):
        _count(reader, line, number)
    elif reader.port:
        yield from _row(reader, line, number)


def _row(reader: _Reader, line: str, number: int) -> Iterator[Answer]:
    config, paused, pfc, dropped = (form.fullmatch(line) for form in (_CONFIG, _PAUSE, _PFC, _DROP))
    if config and not reader.part:
        yield configured(reader.port, int(config[1]), config[2].split(), config[3], number)
    elif paused:
        sizes = [integer(cell, number) for cell in paused.groups()[1:]]
        yield buffered(reader.port, int(paused[1]), sizes, number)
    elif pfc:
        tx, rx = integer(pfc[2], number), integer(pfc[3], number)
        yield PfcCounter(
            port=reader.port, priority=int(pfc[1]), tx_frames=tx, rx_frames=rx, scope=SINCE_CLEAR, line=number
        )
    elif dropped:
        yield drop(reader.port, f"{reader.slice}{dropped[1].strip()}", integer(dropped[2], number), number)
    else:
        yield from _old(reader, line, number)


def _count(reader: _Reader, line: str, number: int) -> None:
    """Cells of one line of a group; a name with its numbers, of which some lines hold two."""
    if reader.group is None:
        return
    name = ""
    for cell in (part.strip() for part in line.strip("|").split("|")):
        if re.match(r"[A-Za-z]", cell):
            name = re.sub(r"\s+", " ", cell)
        elif name in _FIELDS or name.startswith("WD & Tail Drop"):
            known = _FIELDS.get(name, name)
            reader.counted[known] = reader.counted.get(known, 0) + (integer(cell, number) or 0)


def _counted(reader: _Reader) -> Iterator[Answer]:
    """The counters of the group that ends here; one that lacks what was sent was cut."""
    if reader.group is None:
        return
    if "tx_packets" not in reader.counted or not reader.port:
        yield Skipped(reader.line, f"QOS GROUP {reader.group}", "the port's name above, and Tx Pkts below it")
    else:
        known = {name: value for name, value in reader.counted.items() if name in _FIELDS.values()}
        yield QueueCounter(
            port=reader.port, queue=reader.group, group=False, scope=SINCE_CLEAR, line=reader.line, **known
        )
        for name in reader.counted.keys() - known.keys():
            yield drop(reader.port, f"QOS GROUP {reader.group} {name}", reader.counted[name], reader.line)
    reader.group, reader.counted = None, {}


def configured(port: str, group: int, cells: list[str], limit: str, line: int) -> Queue:
    """Bandwidth, priority level and limit of a group as they are in force; no bandwidth means strict priority."""
    bandwidth, level = cells[0], cells[1]
    return Queue(
        port=port,
        queue=group,
        scheduler="strict" if level != "-" else "dwrr",
        weight_pct=None if bandwidth == "-" else float(bandwidth),
        limit_raw=None if limit == "-" else limit,
        line=line,
    )


def buffered(port: str, group: int, sizes: Sequence[int | None], line: int) -> PriorityGroup:
    """The ingress buffer of a group (size, pause threshold, resume threshold); above the pause lies the headroom."""
    size, pause, resume = sizes
    lossless = size is not None and pause is not None
    return PriorityGroup(
        port=port,
        pg=group,
        lossless=lossless,
        size_bytes=size,
        pause_at_bytes=pause,
        xon_bytes=resume,
        xoff_bytes=size - pause if size is not None and pause is not None else None,
        line=line,
    )


def drop(port: str, name: str, value: int | None, line: int) -> Counter:
    """A counter of packets that were lost."""
    return Counter(
        port=port,
        name=name,
        value=value,
        counter_class=CounterClass.LOSS,
        unit="bytes" if name.endswith(("Bytes", "Byts")) else "packets",
        scope=SINCE_CLEAR,
        source="show queuing interface",
        line=line,
    )


def _old(reader: _Reader, line: str, number: int) -> Iterator[Answer]:
    """Nexus 5000: a group's lines below ``RX Queuing``."""
    group = re.fullmatch(r"qos-group (\d)", line)
    size = re.fullmatch(r"q-size: (\d+), HW MTU: (\d+) \((\d+) configured\)", line)
    kind = re.fullmatch(r"drop-type: (drop|no-drop), xon: \d+, xoff: \d+", line)
    lost = re.fullmatch(r"Pkts discarded on ingress\s*: (\d+)", line)
    if group:
        reader.part, reader.line = group[1], number
    elif reader.part.isdigit() and size:
        yield Queue(port=reader.port, queue=int(reader.part), mtu_bytes=int(size[3]), line=number)
    elif reader.part.isdigit() and kind:
        yield PriorityGroup(port=reader.port, pg=int(reader.part), lossless=kind[1] == "no-drop", line=number)
    elif reader.part.isdigit() and lost:
        yield QueueCounter(
            port=reader.port,
            queue=int(reader.part),
            group=True,
            drop_packets=int(lost[1]),
            scope=SINCE_CLEAR,
            line=number,
        )


@section("show-queuing-summary", yields=(Queue,), proven=Provenance.FIELD)
def parse_queuing_summary(output: Output) -> Iterator[Answer]:
    """``show queuing summary``: bandwidth, priority level and limit per group of each port.

    A limit such as ``9(D)`` is the index of a dynamic threshold; it is kept as printed.
    """
    port, rows = "", 0
    for number, line in numbered(whole(output.stdout)):
        heading, config = _PORT.fullmatch(line.strip()), _CONFIG.fullmatch(line.strip())
        if heading:
            port = canonical(heading[2] or heading[3])
        elif config and port:
            rows += 1
            yield configured(port, int(config[1]), config[2].split(), config[3], number)
        elif port and re.match(r"\s+[0-7]\s", line):
            raise ParseError(number, line, "group, bandwidth, priority, shape and limit")
    if not rows:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "`Egress Queuing for NAME`, and rows of its groups")
    yield from torn(output.stdout)
