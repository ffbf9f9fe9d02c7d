"""Counters of network interfaces as ``ethtool -S`` prints them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.platforms.counter_meanings import CounterTable, counter_fact, table_that_fits
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Each,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    When,
    Why,
    section,
)
from fabric_audit.platforms.text import numbered, torn, whole, whole_rows

_ROW = re.compile(r"\s*(?P<name>(?:\[?[0-9]{1,5}\]?: )?[A-Za-z][\w.\-+/#\[\]()]{0,63})\s*:\s+(?P<value>[0-9]{1,20})")
_DIGIT = re.compile("[0-9]")
_HEADER = re.compile(r"\s*(?:NIC|Per queue|Standard) (?:statistics|stats)\b.*:")
_RING = re.compile(
    r"\[[0-9]+\]: |(?:rx|tx|ch|ptp_cq|qos_tx|ptp_tx|ptp_rx|xdp|xsk)[0-9]+_"
    r"|(?:rx|tx)_(?:queue_|q-?)[0-9]+_|(?:rx|tx)-[0-9]+\.|queue_[0-9]+_"
)
_DULL = (CounterClass.TRAFFIC, CounterClass.OTHER)


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    value: int | None
    line: int


@section(
    "ethtool-S",
    Each("rdma_netdevs", Run("ethtool", "-S", "{}")),
    yields=(Counter, PfcCounter),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def parse_ethtool_stats(output: Output) -> Iterator[Answer]:
    """``ethtool -S``: the driver's statistics of one interface, ``name: number`` each.

    The heading ``NIC statistics:`` and the indent may be missing. mlx5 of older kernels prints a blank behind
    ``tx_pause_storm_*_events``; bnxt_en names hold ``[ring]: ``, those of ice end in ``.nic`` where they come from
    the port. ``--all-groups`` prints ``eth-mac-...`` rows under ``Standard stats for ...:``.

    Counters of single rings are kept where they tell drops, and left out where they only repeat a total by parts.
    Counters of a priority's pause also become rows of ``pfc_counter``: mlx5 has them only where PFC is on for that
    priority, and durations in microseconds, of bnxt_en too. With PFC off mlx5 has ``*_global_pause`` instead.

    All count since the driver was loaded, except shares such as ``outbound_pci_stalled_wr``, which are gauges. A
    virtual function lacks the port's counters. Source: the drivers and documents named in the tables of counter
    meanings.
    """
    missing = tuple(refused(output, Counter)) or tuple(_no_statistics(output))
    if missing:
        yield from missing
        return
    rows, skipped, headed = _rows(output.stdout)
    skipped.extend(torn(output.stdout))
    if (not rows and not headed) or len(skipped) > len(rows):
        first = skipped[0] if skipped else Skipped(0, "", "")
        raise ParseError(first.line, first.text, "NIC statistics: and lines of NAME: NUMBER")
    yield from skipped
    table = table_that_fits("ethtool", (row.name for row in rows))
    counters = tuple(_counters(table, output.item, rows))
    yield from counters
    pauses = tuple(_pfc(table, output.item, rows))
    yield from pauses
    if not pauses and not skipped:
        words = "no pause counter of any priority: PFC is off, or the driver counts none"
        yield Missing("pfc_counter", Why.ABSENT, words)
    if not counters and not skipped:
        yield Missing("counter", Why.ABSENT, "the driver has no statistics but those of single rings")


def _no_statistics(output: Output) -> Iterator[Missing]:
    said = output.stderr.strip()
    if not output.stdout.strip() and "no stats available" in said:
        yield Missing("counter", Why.NOT_SUPPORTED, said)


def _rows(text: str) -> tuple[list[_Row], list[Skipped], bool]:
    rows: dict[str, _Row] = {}
    skipped: list[Skipped] = []
    headed = False
    for number, line, found in whole_rows(numbered(whole(text)), _ROW, _DIGIT):
        if found:
            row = _Row(found["name"], int(found["value"]), number)
            known = rows.setdefault(row.name, row)
            if known.value != row.value:
                skipped.append(Skipped(number, line, f"one value of it; line {known.line} has another"))
                rows[row.name] = replace(known, value=None)
        elif _HEADER.fullmatch(line):
            headed = True
        else:
            skipped.append(Skipped(number, line, "NAME: NUMBER"))
    return list(rows.values()), skipped, headed


def _counters(table: CounterTable, port: str, rows: Iterable[_Row]) -> Iterator[Counter]:
    for row in rows:
        known, value = table.meaning(row.name), row.value
        made = counter_fact(known, port=port, name=row.name, value=value, source="ethtool -S", line=row.line)
        if not (_RING.match(row.name) and made.counter_class in _DULL):
            yield made


def _pfc(table: CounterTable, port: str, rows: Iterable[_Row]) -> Iterator[PfcCounter]:
    found: dict[int, dict[str, int | None]] = {}
    lines: dict[int, int] = {}
    for row in rows:
        known = table.meaning(row.name)
        if known.meaning.pfc and known.priority is not None:
            found.setdefault(known.priority, {})[known.meaning.pfc] = row.value
            lines.setdefault(known.priority, row.line)
    for priority, values in sorted(found.items()):
        yield PfcCounter(
            port=port,
            priority=priority,
            tx_frames=values.get("tx_frames"),
            rx_frames=values.get("rx_frames"),
            tx_pause_us=values.get("tx_pause_us"),
            rx_pause_us=values.get("rx_pause_us"),
            rx_transitions=values.get("rx_transitions"),
            scope="absolute",
            source="ethtool -S",
            line=lines[priority],
        )
