"""Queues of VRP as they run: shares, kinds, use and drops."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool, QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.profiles import SchedulerPolicy
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.huawei_vrp.lines import Row, answers, echoed_port, kilobytes, lines, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME, canonical

_SINCE_CLEAR = "since_clear"


@section(
    "display-dcb-ets-profile", Cli("display dcb ets-profile"), yields=(SchedulerPolicy,), proven=Provenance.DOCUMENT
)
def parse_ets_profile(output: Output) -> Iterator[Answer]:
    """``display dcb ets-profile``: priority groups with their weight, and the queues in each.

    Groups share by weight (DRR) or come first (PQ); queues within a group are served strictly. A queue's weight is that
    of its group.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _ets, (SchedulerPolicy,), "no ETS profile")


def _ets(text: str) -> Iterator[Answer]:
    name, group, seen = "", None, False
    for number, line in lines(text):
        content = line.strip()
        named = re.fullmatch(r"ETS Profile\s*:\s*(\S+)", content)
        headed = re.fullmatch(r"\d{1,2}\(\d{1,2}\)\s+-\s+(DRR|PQ|WRR)\s+(?:(\d+)\(\d+\)|(\d+)|-)\s+\S+\s+\S+", content)
        queue = re.fullmatch(r"([0-7])\s+(?:PQ|DRR|WRR)\s+\S+\s+\S+\s+\S+", content)
        if named:
            name, group, seen = named[1], None, True
        elif headed and name:
            group = headed
        elif queue and group:
            weight = group[2] or group[3]
            yield SchedulerPolicy(
                policy=name,
                queue=int(queue[1]),
                scheduler="strict" if group[1] == "PQ" else "dwrr",
                weight=int(weight) if weight else None,
                line=number,
            )
        elif name and re.match(r"\d", content):
            raise ParseError(number, line, "a group such as `0(0) - DRR 50(50)`, or a queue of it")
    if not seen:
        raise ParseError(1, text.strip().partition("\n")[0], "`ETS Profile: NAME`")


@section("display-qos-buffer-egress-usage", yields=(Queue,), proven=Provenance.DOCUMENT)
def parse_egress_usage(output: Output) -> Iterator[Answer]:
    """``display qos buffer egress-usage interface PORT``: whether each queue is lossy or lossless.

    This is what is in force: a queue is Lossless only where PFC works on the port.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _egress, (Queue,), "no queue")


def _egress(text: str) -> Iterator[Answer]:
    pattern = rf"(?:(?P<port>{NAME})\s+)?(?P<queue>[0-7])\s+(?P<type>\S+)\s+(?P<used>\d+)/(?P<limit>\d+\*?)"
    for row in rows(text, r"Interface\s+Queue\s+Type\s+Shared", pattern):
        if row["type"] not in ("Lossy", "Lossless"):
            raise ParseError(row.line, row["type"], "Lossy or Lossless")
        yield Queue(
            port=row.port,
            queue=int(row["queue"]),
            lossless=row["type"] == "Lossless",
            limit_raw=f"{row['limit']} KBytes",
            line=row.line,
        )


@section("display-qos-buffer-ingress-statistics", yields=(Counter,), proven=Provenance.DOCUMENT)
def parse_ingress_statistics(output: Output) -> Iterator[Answer]:
    """``display qos buffer ingress-statistics slot N``: packets dropped on the way in, per chip.

    The switch does not say which port they came in by.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _dropped, (Counter,), "no chip")


def _dropped(text: str) -> Iterator[Answer]:
    slot = chip = ""
    seen = False
    for number, line in lines(text):
        told = re.fullmatch(r"\s*(Slot|Chip|Dropped packets)\s*:\s*(\d+)\s*", line)
        if told and told[1] == "Slot":
            slot, chip, seen = told[2], "", True
        elif told and told[1] == "Chip":
            chip = told[2]
        elif told and slot and chip:
            yield Counter(
                port=f"slot {slot} chip {chip}",
                name="ingress dropped packets",
                value=int(told[2]),
                counter_class=CounterClass.LOSS,
                unit="packets",
                scope=_SINCE_CLEAR,
                source="display qos buffer ingress-statistics",
                line=number,
            )
        elif not re.match(r"\s*(Last dropping time|Tail drop occurs|WRED drop (?:occurs|interface))\s*:", line):
            raise ParseError(number, line, "Slot, Chip, Dropped packets")
    if not seen:
        raise ParseError(1, text.strip().partition("\n")[0], "`Slot : N`")


@section("display-qos-buffer-usage", yields=(BufferPool, QueueCounter), proven=Provenance.DOCUMENT)
def parse_buffer_usage(output: Output) -> Iterator[Answer]:
    """``display qos buffer-usage interface PORT``: the buffer of a port, and how full each queue has been.

    Cells and KBytes stand side by side; KBytes are read. The port is that of the echoed command, else of ``--item``.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, lambda text: _usage(text, output.item), (BufferPool, QueueCounter), "no queue")


def _usage(text: str, item: str) -> Iterator[Answer]:
    port = echoed_port(text, item)
    said = {
        found[1]: (int(found[2]), number)
        for number, line in lines(text)
        if (found := re.fullmatch(r"(Total|Peak used)\s*:\s*\d+ cells \((\d+) KBytes\)", line.strip()))
    }
    if "Total" in said and "Peak used" in said:
        total, peak = said["Total"], said["Peak used"]
        yield BufferPool(
            pool=port,
            direction="egress",
            size_bytes=kilobytes(total[0]),
            watermark_bytes=kilobytes(peak[0]),
            line=total[1],
        )
    pattern = r"(?P<queue>[0-7])\s+\d+/\d+\s+\d+/(?P<peak>\d+)\s+\d+/\d+"
    for row in rows(text, r"QueueIndex\s+Current\s+Peak\s+Average", pattern):
        yield QueueCounter(
            port=port,
            queue=int(row["queue"]),
            group=False,
            watermark_bytes=kilobytes(row.count("peak")),
            scope=_SINCE_CLEAR,
            line=row.line,
        )


@section(
    "display-qos-queue-statistics",
    Cli("display qos queue statistics"),
    yields=(QueueCounter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_queue_statistics(output: Output) -> Iterator[Answer]:
    """``display qos queue statistics [slot N | interface PORT]``: packets and bytes per queue, two lines a queue.

    The first line has packets, the second bytes, of what was passed and what was dropped. ``-`` and the sign ``<`` of
    small rates are kept out of the counts.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _statistics, (QueueCounter,), "no queue")


def _statistics(text: str) -> Iterator[Answer]:
    port, first, seen = "", None, False
    packets = re.compile(r"(?P<queue>[0-7])\s+\S+\s+(?P<passed>\d+|-)\s+\S+\s+(?P<dropped>\d+|-)\s+\S+\s+\S+(?: \S+)?")
    octets = re.compile(r"\S+\s+(?P<passed>\d+|-)\s+\S+\s+(?P<dropped>\d+|-)\s+\S+(?:\s+\S+)?")
    for number, line in lines(text):
        content = line.strip()
        named = re.fullmatch(rf"Queue statistics info: interface ({NAME})", content)
        above = packets.fullmatch(content)
        below = octets.fullmatch(content)
        if named:
            port, seen = canonical(named[1]), True
        elif re.match(r"-{8,}|Queue\s+CIR|\(% or kbps\)", content):
            continue
        elif above and port and first is None:
            first = Row(number, above, port)
        elif below and first is not None:
            yield _counted(first, Row(number, below, port))
            first = None
        else:
            raise ParseError(number, line, "two lines a queue: packets, then bytes")
    if first is not None:
        raise ParseError(first.line, first.cells[0], "a second line with bytes")
    if not seen:
        raise ParseError(1, text.strip().partition("\n")[0], "`Queue statistics info: interface PORT`")


def _counted(packets: Row, octets: Row) -> QueueCounter:
    return QueueCounter(
        port=packets.port,
        queue=int(packets["queue"]),
        group=False,
        tx_packets=packets.count("passed"),
        tx_bytes=octets.count("passed"),
        drop_packets=packets.count("dropped"),
        drop_bytes=octets.count("dropped"),
        scope=_SINCE_CLEAR,
        line=packets.line,
    )
