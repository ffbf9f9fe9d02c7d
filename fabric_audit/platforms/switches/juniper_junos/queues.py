"""What the queues of Junos counted, as text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.text import numbered, torn, whole

_ROW = re.compile(r"\s+([A-Z][\w -]*?)\s*:\s+(\d+)\s+(\d+) [bp]ps")


@dataclass(slots=True)
class _Queue:
    """One queue of the text, as far as it was read."""

    port: str
    number: int
    line: int
    part: str = ""
    counted: dict[str, int] = field(default_factory=dict)


@section(
    "show-interfaces-queue",
    Cli("show interfaces queue | no-more"),
    yields=(QueueCounter,),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_interfaces_queue(output: Output) -> Iterator[Answer]:
    """``show interfaces queue``: a stanza per queue, what was queued, then what was sent and dropped.

    A queue drops at its tail (``Tail-dropped``) and by its drop profile (``RED-dropped``); where a QFX prints ``Not
    Available`` for these it has ``Total-dropped``. ``ECN-CE`` are marked packets, printed where the platform counts
    them. Ingress queues, where a platform has them, are left out. A stanza that was cut is left out and listed.
    """
    port, egress, queue = "", True, None
    found = False
    for number, line in numbered(whole(output.stdout)):
        heading = re.match(r"Physical interface: ([^,\s]+),", line)
        start = re.match(r"Queue: (\d+), Forwarding classes:", line)
        side = re.match(r"(Egress|Ingress) queues: ", line)
        if heading or start or side:
            yield from _told(queue)
            queue = None
        if heading:
            port, egress = heading[1], True
        elif side:
            egress = side[1] == "Egress"
        elif start and port and egress:
            queue, found = _Queue(port, int(start[1]), number), True
        elif queue:
            _read(queue, line)
    if not found:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "`Physical interface: NAME`, and `Queue: N` below it")
    yield from _told(queue)
    yield from torn(output.stdout)


def _read(queue: _Queue, line: str) -> None:
    row = _ROW.fullmatch(line)
    if re.fullmatch(r"\s+(Queued|Transmitted):", line):
        queue.part = line.strip().rstrip(":")
    elif row and queue.part == "Transmitted":
        queue.counted[row[1].strip()] = int(row[2])


def _told(queue: _Queue | None) -> Iterator[Answer]:
    if queue is None:
        return
    counted = queue.counted
    red, tail = counted.get("RED-dropped packets"), counted.get("Tail-dropped packets")
    dropped = tail + red if tail is not None and red is not None else counted.get("Total-dropped packets")
    if "Packets" not in counted or dropped is None:
        yield Skipped(queue.line, f"{queue.port} queue {queue.number}", "Packets and dropped packets of both kinds")
        return
    yield QueueCounter(
        port=queue.port,
        queue=queue.number,
        group=False,
        tx_packets=counted["Packets"],
        tx_bytes=counted.get("Bytes"),
        drop_packets=dropped,
        wred_drop_packets=red,
        ecn_marked_packets=counted.get("ECN-CE packets"),
        ecn_marked_bytes=counted.get("ECN-CE bytes"),
        scope="since_clear",
        line=queue.line,
    )
