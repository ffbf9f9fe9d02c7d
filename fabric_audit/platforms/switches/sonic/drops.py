"""Drops: of priority groups, and those that configurable drop counters count by reason."""

import re
from collections.abc import Iterator, Mapping

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.sonic.polling import PG_DROP_S, PORT_S
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows
from fabric_audit.platforms.text import numbered

_DISABLED = re.compile(r"Warning: PG counters are disabled\..*")


@section(
    "show-priority-group-drop-counters",
    Cli("show priority-group drop counters"),
    yields=(QueueCounter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def show_priority_group_drop_counters(output: Output) -> Iterator[Answer]:
    """``show priority-group drop counters``: packets that each ingress priority group dropped.

    On a lossless group any drop is a violation: its headroom was too small, or pause came too late. Differences to
    the last ``sonic-clear priority-group drop counters`` of the user, up to 10 s old. A warning instead of the table:
    nobody polls them (``counterpoll pg-drop enable``). Source: sonic-utilities scripts/pg-drop.
    """
    for _, line in numbered(output.stdout):
        if _DISABLED.match(line.strip()):
            yield Missing(QueueCounter.TABLE, Why.NOT_COLLECTED, line.strip(), field="drop_packets")
            return
    title = "Ingress PG dropped packets"
    yield from read_rows(output.stdout, ("Port", "PG0"), _groups, (QueueCounter,), heading=title)


def _groups(row: Row) -> Iterator[Answer]:
    for title in row.cells:
        if re.fullmatch(r"PG\d", title):
            yield QueueCounter(
                port=row.port("Port"),
                queue=int(title[2]),
                group=True,
                drop_packets=row.count(title),
                scope="since_clear",
                refresh_s=PG_DROP_S,
                line=row.line,
            )


_MEANINGS: Mapping[str, CounterClass] = {
    "RX_ERR": CounterClass.WIRE_ERROR,
    "RX_DROPS": CounterClass.LOSS,
    "TX_ERR": CounterClass.WIRE_ERROR,
    "TX_DROPS": CounterClass.LOSS,
}


@section(
    "show-dropcounters-counts",
    Cli("show dropcounters counts"),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
)
def show_dropcounters_counts(output: Output) -> Iterator[Answer]:
    """``show dropcounters counts``: errors and drops of each port, then drop counters that somebody configured.

    A second table has those of the switch as a whole; its name stands where the port would. What a configured counter
    counts, ``show dropcounters configuration`` says. Differences to the last ``sonic-clear dropcounters`` of the user.
    Source: sonic-utilities scripts/dropstat.
    """
    yield from read_rows(output.stdout, (), _drops, (Counter,))


def _drops(row: Row) -> Iterator[Answer]:
    owner, *names = row.cells
    if owner != "DEVICE" and (owner != "IFACE" or "RX_DROPS" not in names):
        raise ParseError(row.line, "  ".join(row.cells), "a table with IFACE and RX_DROPS, or with DEVICE")
    for name in names:
        if name != "STATE":
            yield Counter(
                port=row.port(owner) if owner == "IFACE" else row.name(owner),
                name=name,
                value=row.count(name),
                counter_class=_MEANINGS.get(name, CounterClass.LOSS),
                unit="packets",
                scope="since_clear",
                refresh_s=PORT_S if name in _MEANINGS else None,
                line=row.line,
            )
