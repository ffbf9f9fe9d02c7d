"""What the queues of EOS counted: packets, drops and ECN marks."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.arista_eos.names import canonical, kind
from fabric_audit.platforms.text import integer, numbered, some, torn, whole

_SINCE_CLEAR = "since_clear"


@section(
    "show-qos-interfaces-ecn-counters-queue-json",
    Cli("show qos interfaces ecn counters queue | json"),
    yields=(QueueCounter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_ecn_counters_json(output: Output) -> Iterator[Answer]:
    """``show qos interfaces ecn counters queue | json``: marked packets per port and queue.

    Numbers come as text. ``-`` means that nothing counts there: the queue lacks ``random-detect ecn count``, or the
    box ``hardware counter feature ecn out``; that is no zero.

    Source: the model as Arista's ANTA reads it.
    """
    ports = document(output.stdout).need("intfQueueCounters")
    if ports.empty:
        yield Missing(QueueCounter.TABLE, Why.ABSENT, "intfQueueCounters: {}")
    for port, node in ports.members():
        for queue, counted in node.need("queueCounters").members():
            if not re.fullmatch(r"\d{1,2}", queue):
                raise counted.wrong("a queue number")
            marked = counted.integer()
            if marked is None:
                words = f"{port} queue {queue}: - (no `random-detect ecn count` on the queue)"
                yield Missing(QueueCounter.TABLE, Why.NOT_SUPPORTED, words, "ecn_marked_packets")
            yield QueueCounter(
                port=port,
                queue=int(queue),
                group=False,
                ecn_marked_packets=marked,
                scope=_SINCE_CLEAR,
                line=counted.line,
            )


@section(
    "show-interfaces-counters-queue-detail",
    Cli("show interfaces counters queue detail"),
    yields=(QueueCounter, Counter),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_queue_detail(output: Output) -> Iterator[Answer]:
    """``show interfaces counters queue detail``: packets, bytes and drops of every queue, as text.

    Six columns: port, queue (UC3 or 3 for unicast, MC3 for multicast), packets, bytes, packets dropped, bytes
    dropped. Multicast queues share their number with a unicast one and come as counters of the port.

    Source: the columns as AMD's node-scraper reads them.
    """
    yield from some(_detail_rows(output.stdout), output, "rows of port, queue and four counters")
    yield from torn(output.stdout)


def _detail_rows(text: str) -> Iterator[Answer]:
    seen_header = False
    for number, line in numbered(whole(text)):
        words = line.split()
        if "TxQ" in line or "Txq" in line:
            seen_header = True
        elif seen_header and words and kind(canonical(words[0])):
            queue = re.fullmatch(r"(UC|MC|TC|VOQ)?(\d{1,2})", words[1]) if len(words) == 6 else None  # noqa: PLR2004 - the columns above
            if not queue:
                raise ParseError(number, line, "port, queue, packets, bytes, packets dropped, bytes dropped")
            yield from _queue(canonical(words[0]), queue, [integer(w, number) for w in words[2:]], number)
        elif seen_header and words and not re.fullmatch(r"[-\s]+", line):
            raise ParseError(number, line, "a row that starts with a port")


def _queue(port: str, queue: re.Match[str], counted: list[int | None], number: int) -> Iterator[Answer]:
    packets, octets, dropped, dropped_octets = counted
    if queue[1] == "MC":
        yield _dropped(port, f"{queue[0]}.dropPkts", dropped, number)
        return
    yield QueueCounter(
        port=port,
        queue=int(queue[2]),
        group=False,
        tx_packets=packets,
        tx_bytes=octets,
        drop_packets=dropped,
        drop_bytes=dropped_octets,
        scope=_SINCE_CLEAR,
        line=number,
    )


def _dropped(port: str, name: str, value: int | None, number: int) -> Counter:
    return Counter(
        port=port,
        name=name,
        value=value,
        counter_class=CounterClass.LOSS,
        unit="packets",
        bits=64,
        saturates=False,
        scope=_SINCE_CLEAR,
        source="show interfaces counters queue",
        line=number,
    )


@section(
    "show-interfaces-counters-queue",
    Cli("show interfaces counters queue"),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_queue_drops(output: Output) -> Iterator[Answer]:
    """``show interfaces counters queue``: packets dropped on the way in and out of each port, as text.

    Four columns: port, dropped on ingress (on a lossless class this is headroom that ran over), unicast and
    multicast packets dropped on egress.

    Source: the columns as AMD's node-scraper reads them.
    """
    yield from some(_drop_rows(output.stdout), output, "rows of port and three counters of drops")
    yield from torn(output.stdout)


def _drop_rows(text: str) -> Iterator[Answer]:
    names = ("InDropPkts", "OutUcDropPkts", "OutMcDropPkts")
    seen_header = False
    for number, line in numbered(whole(text)):
        words = line.split()
        if re.match(r"\s*Port\s+\S*In\S*Drop", line):
            seen_header = True
        elif seen_header and words and kind(canonical(words[0])):
            if len(words) != 1 + len(names):
                raise ParseError(number, line, "port and three counters of drops")
            for name, word in zip(names, words[1:], strict=True):
                yield _dropped(canonical(words[0]), name, integer(word, number), number)
        elif seen_header and words and not re.fullmatch(r"[-\s]+", line):
            raise ParseError(number, line, "a row that starts with a port")
