"""Counters of egress queues: packets, drops, ECN marks."""

import re
from collections.abc import Iterator, Mapping

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.platforms.json_lines import JsonObject, json_documents
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.partial import kept, settled
from fabric_audit.platforms.switches.sonic.database import Entry
from fabric_audit.platforms.switches.sonic.polling import QUEUE_S
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows

_QUEUE = re.compile(r"(?:UC|MC|ALL|VOQ)(\d{1,3})")
_TIMES = frozenset({"time", "cached_time"})


def queue_number(text: str, line: int) -> int:
    """The index in ``UC3``, ``MC13``, ``ALL20`` or ``VOQ3``: it is unique within a port, whatever the type.

    Raises:
        ParseError: the text is something else.
    """
    found = _QUEUE.fullmatch(text)
    if not found:
        raise ParseError(line, text, "a queue such as UC3, MC13, ALL20 or VOQ3")
    return int(found[1])


def _queue_of(row: Row) -> int:
    return queue_number(row["Voq" if "Voq" in row.cells else "TxQ"], row.line)


@section(
    "show-queue-counters",
    Cli("show queue counters"),
    yields=(QueueCounter,),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def show_queue_counters(output: Output) -> Iterator[Answer]:
    """``show queue counters``: a table for each port, a row for each queue; UC unicast, MC multicast, ALL both.

    The values are differences to the last ``sonic-clear queuecounters`` of the user who is logged in, and up to
    10 s old. ``N/A``: the queue has no counters, which is usual for ALL queues. ``--nonzero`` leaves rows of
    zeros out. Source: sonic-utilities scripts/queuestat.
    """
    required = ("Port", "Counter/pkts", "Counter/bytes", "Drop/pkts", "Drop/bytes")
    yield from read_rows(output.stdout, required, _counters, (QueueCounter,))


def _counters(row: Row) -> Iterator[Answer]:
    yield QueueCounter(
        port=row.port("Port"),
        queue=_queue_of(row),
        group=False,
        tx_packets=row.count("Counter/pkts"),
        tx_bytes=row.count("Counter/bytes"),
        drop_packets=row.count("Drop/pkts"),
        drop_bytes=row.count("Drop/bytes"),
        scope="since_clear",
        refresh_s=QUEUE_S,
        line=row.line,
    )


@section(
    "show-queue-counters-json",
    Cli("show queue counters --json"),
    yields=(QueueCounter,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
    timeout_s=60.0,
)
def show_queue_counters_json(output: Output) -> Iterator[Answer]:
    """``show queue counters --json``: the same values as text in JSON; a document for each ASIC; images since 2022.

    Numbers are text with thousands separators where they are differences; ``time`` and ``cached_time`` say when.
    """
    fields = {
        "tx_packets": "totalpacket",
        "tx_bytes": "totalbytes",
        "drop_packets": "droppacket",
        "drop_bytes": "dropbytes",
    }
    yield from _from_json(output.stdout, fields)


@section(
    "show-queue-wredcounters",
    Cli("show queue wredcounters"),
    yields=(QueueCounter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def show_queue_wredcounters(output: Output) -> Iterator[Answer]:
    """``show queue wredcounters``: WRED drops and ECN marks of each queue; images since 2024.

    ``N/A`` until ``counterpoll wredqueue enable``, or where the ASIC cannot count them. Differences to the last
    ``sonic-clear queue wredcounters`` of the user, up to 10 s old. Source: sonic-utilities scripts/wredstat.
    """
    required = ("Port", "WredDrp/pkts", "WredDrp/bytes", "EcnMarked/pkts", "EcnMarked/bytes")
    yield from read_rows(output.stdout, required, _marks, (QueueCounter,))


def _marks(row: Row) -> Iterator[Answer]:
    row.count("WredDrp/bytes")
    yield QueueCounter(
        port=row.port("Port"),
        queue=_queue_of(row),
        group=False,
        ecn_marked_packets=row.count("EcnMarked/pkts"),
        ecn_marked_bytes=row.count("EcnMarked/bytes"),
        wred_drop_packets=row.count("WredDrp/pkts"),
        scope="since_clear",
        refresh_s=QUEUE_S,
        line=row.line,
    )


@section(
    "show-queue-wredcounters-json",
    Cli("show queue wredcounters --json"),
    yields=(QueueCounter,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
    timeout_s=60.0,
)
def show_queue_wredcounters_json(output: Output) -> Iterator[Answer]:
    """``show queue wredcounters --json``: the same values as text in JSON."""
    fields = {
        "ecn_marked_packets": "ecnmarkedpacket",
        "ecn_marked_bytes": "ecnmarkedbytes",
        "wred_drop_packets": "wreddroppacket",
    }
    yield from _from_json(output.stdout, fields)


def _from_json(text: str, fields: Mapping[str, str]) -> Iterator[Answer]:
    yield from settled(_of_documents(text, fields), (QueueCounter,), "the JSON names no queue")


def _of_documents(text: str, fields: Mapping[str, str]) -> Iterator[Answer]:
    for document in json_documents(text):
        if not isinstance(document, JsonObject):
            raise ParseError(1, str(document), "a JSON object with a member for each port")
        for port, queues in document.members.items():
            yield from kept(_port(port, document.lines[port], queues, fields))


def _port(port: str, line: int, queues: object, fields: Mapping[str, str]) -> Iterator[Answer]:
    if not isinstance(queues, JsonObject):
        raise ParseError(line, port, "a JSON object with a member for each queue")
    for name, values in queues.members.items():
        if name not in _TIMES:
            yield from kept(_queue(port, name, queues.lines[name], values, fields))


def _queue(port: str, name: str, line: int, values: object, fields: Mapping[str, str]) -> Iterator[Answer]:
    number = queue_number(name, line)
    if not isinstance(values, JsonObject) or not set(fields.values()) <= values.members.keys():
        raise ParseError(line, f"{port} {name}", f"a JSON object with {', '.join(fields.values())}")
    entry = Entry(name, line, values.members, values.lines)
    counts = {column: entry.number(field) for column, field in fields.items()}
    yield QueueCounter(
        port=port, queue=number, group=False, scope="since_clear", refresh_s=QUEUE_S, line=line, **counts
    )
