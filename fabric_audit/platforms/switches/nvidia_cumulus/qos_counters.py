"""What the queues, priority groups and priorities of a Cumulus port have counted."""

from collections.abc import Iterator

from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Output, Provenance, section
from fabric_audit.platforms.partial import of_whole_lines, settled
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Row, Shown, numbers, shown, size_bytes
from fabric_audit.platforms.switches.nvidia_cumulus.shown_json import of_ports, shown_json

_YIELDS = (QueueCounter, PfcCounter, Counter)
_SINCE_CLEAR = "since_clear"
_SOURCE = "nv show interface counters qos"
_PORT_STATS = {
    "ecn-marked-packets": (CounterClass.CONGESTION, CounterClass.CONGESTION),
    "mc-buffer-discards": (CounterClass.LOSS, CounterClass.LOSS),
    "pause-frames": (CounterClass.PAUSE_RECEIVED, CounterClass.PAUSE_SENT),
}


@section("nv-show-interface-counters-qos", yields=_YIELDS, proven=Provenance.DOCUMENT)
def parse_counters(output: Output) -> Iterator[Answer]:
    """``nv show interface PORT counters qos`` as text (before 5.5: ``... qos counters``), whole or one of its tables.

    Discards are frames, although the text prints them with a unit of bytes: 76,993 frames show as ``75.19 KB``. Such
    values are the frames rounded to hundredths of 1,024; the JSON has all digits. Both kinds of ingress discards of
    a priority group are loss. Pause is counted per switch priority, its time in microseconds. ``n/a`` is no counter.

    Sources: Cumulus Linux 5.12 user guide, Quality of Service; units of the per-priority counters of Spectrum's
    register PPCNT (Linux drivers/net/ethernet/mellanox/mlxsw/reg.h).
    """
    yield from of_whole_lines(output.stdout, lambda text: _facts(shown(text), output.item), _YIELDS, "no counters")


@section("nv-show-interface-counters-qos-json", yields=_YIELDS, proven=Provenance.CONSTRUCTED)
def parse_counters_json(output: Output) -> Iterator[Answer]:
    """``nv show interface PORT counters qos -o json``, or an object of several ports: plain numbers of frames.

    Source: member names as operators' collectors read them.
    """
    told = document(output.stdout)
    one = any(told.get(name).there for name in ("egress-queue-stats", "pfc-stats", "ingress-buffer-stats"))
    ports = [(output.item, told)] if one else of_ports(told, "counters", "qos")
    yield from settled(
        (fact for port, node in ports for fact in _facts(shown_json(node), port)), _YIELDS, "no counters"
    )


def _facts(told: Shown, item: str) -> Iterator[Answer]:
    port = told.port(item)
    for table in told.tables:
        for row in table.rows:
            if table.title.startswith("Ingress Buffer"):
                yield _group(port, row)
            elif table.title.startswith("Egress Queue"):
                yield _queue(port, row)
            elif table.title.startswith("PFC Stat"):
                yield _priority(port, row)
            elif table.title.startswith("Qos Port"):
                yield from _port(port, row)


def _number(row: Row, name: str) -> int:
    (number,) = numbers(row.need(name), row.line, 15) or (-1,)
    return number


def _count(row: Row, name: str) -> int | None:
    return size_bytes(row.cells.get(name, ""), row.line)


def _group(port: str, row: Row) -> QueueCounter:
    lost = [_count(row, name) for name in ("rx-buffer-discards", "rx-shared-buffer-discards")]
    return QueueCounter(
        port=port,
        queue=_number(row, "priority-group"),
        group=True,
        drop_packets=None if None in lost else sum(one or 0 for one in lost),
        scope=_SINCE_CLEAR,
        line=row.line,
    )


def _queue(port: str, row: Row) -> QueueCounter:
    return QueueCounter(
        port=port,
        queue=_number(row, "traffic-class"),
        group=False,
        tx_packets=_count(row, "tx-frames"),
        tx_bytes=_count(row, "tx-bytes"),
        drop_packets=_count(row, "tx-uc-buffer-discards"),
        wred_drop_packets=_count(row, "wred-discards"),
        ecn_marked_packets=_count(row, "ecn-marked-frames"),
        scope=_SINCE_CLEAR,
        line=row.line,
    )


def _priority(port: str, row: Row) -> PfcCounter:
    return PfcCounter(
        port=port,
        priority=_number(row, "switch-priority"),
        tx_frames=_count(row, "tx-pause-frames"),
        rx_frames=_count(row, "rx-pause-frames"),
        tx_pause_us=_count(row, "tx-pause-duration"),
        rx_pause_us=_count(row, "rx-pause-duration"),
        scope=_SINCE_CLEAR,
        source=_SOURCE,
        line=row.line,
    )


def _port(port: str, row: Row) -> Iterator[Answer]:
    name = row.need("Counter")
    for way, column, counter_class in zip(
        ("rx", "tx"), ("Receive", "Transmit"), _PORT_STATS.get(name, (CounterClass.OTHER,) * 2), strict=True
    ):
        value = _count(row, column)
        if value is not None:
            yield Counter(
                port=port,
                name=f"{way}.{name}",
                value=value,
                counter_class=counter_class,
                unit="frames" if name == "pause-frames" else "packets",
                scope=_SINCE_CLEAR,
                source=_SOURCE,
                line=row.line,
            )
