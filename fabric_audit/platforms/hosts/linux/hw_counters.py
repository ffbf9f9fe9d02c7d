"""Counters of RDMA ports as the kernel shows them in files."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.counters import Counter
from fabric_audit.platforms.counter_meanings import CounterTable, counter_fact, counter_tables, table_that_fits
from fabric_audit.platforms.hosts.linux.paths import PATHLESS
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.model import (
    Answer,
    Files,
    Missing,
    Output,
    Provenance,
    Skipped,
    When,
    Why,
    section,
)
from fabric_audit.platforms.text import numbered, torn, whole, whole_rows

_ROW = re.compile(
    r"/sys/class/infiniband/(?P<device>[^/:]+)/(?:ports/(?P<port>[0-9]{1,3})/)?"
    r"(?:(?P<folder>hw_counters|counters)/)?(?P<name>[^/:]+):(?P<value>.*)"
)
_NUMBER = re.compile("[0-9]{1,20}")
_UNREADABLE = re.compile(r"N/A \(no PMA\)|Invalid argument")
_STUCK_AT = 2**32 - 1
_DATA = ("port_xmit_data", "port_rcv_data", "port_xmit_packets", "port_rcv_packets")


@dataclass(frozen=True, slots=True)
class _Row:
    port: str
    folder: str
    name: str
    value: int | None
    line: int


@section(
    "hw_counters",
    Files(
        "/sys/class/infiniband/*/ports/*/counters/*",
        "/sys/class/infiniband/*/ports/*/hw_counters/*",
        "/sys/class/infiniband/*/hw_counters/*",
    ),
    yields=(Counter, NicSetting),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def parse_hw_counters(output: Output) -> Iterator[Answer]:
    """Port counters and hardware counters of RDMA devices, one file a counter.

    ``counters/`` are those of the port's management agent (PMA), the same for every driver. Error counters have
    4, 8 or 16 bits and stop at their largest value: 15, 255 and 65535 mean "at least". ``port_*_data`` count words
    of four bytes, in 64 bits; a device without the extended set stops at 4294967295, and a counter that stands
    there is told as one of 32 bits. A device without a PMA prints ``N/A (no PMA)``: no value.

    ``hw_counters/`` are the driver's own; which driver it is, the names tell. The Q counters of mlx5 have 32 bits
    and wrap. ``lifespan`` is no counter but how long the kernel keeps a reading, in milliseconds. On rxe a counter
    of the driver has the name of a port counter; it is told as ``hw_counters/link_downed``. Newer irdma names hold
    blanks. Device-wide ``hw_counters/`` (efa, hfi1) stand under the device's name without a port.

    Other attributes of the device among the lines are left alone. Source: Linux
    ``drivers/infiniband/core/sysfs.c`` and the drivers named in the tables of counter meanings.
    """
    rows, skipped = _rows(output.stdout)
    cut = tuple(torn(output.stdout))
    if cut and rows:  # which driver the last port has, the rest of its names would tell
        rows = [row for row in rows if row.port != rows[-1].port]
    skipped.extend(cut)
    if len(skipped) > len(rows):
        raise ParseError(skipped[0].line, skipped[0].text, skipped[0].expected)
    yield from nothing_matched(output, "no RDMA device shows counters", Counter)
    yield from skipped
    for port, group in _by_port(rows).items():
        yield from _port_counters([row for row in group if row.folder == "counters"])
        yield from _driver_counters(port, group)
    if output.stdout.strip() and not rows:
        yield Missing("counter", Why.ABSENT, "no counter among the attributes")


def _rows(text: str) -> tuple[list[_Row], list[Skipped]]:
    rows: dict[tuple[str, str, str], _Row] = {}
    skipped = []
    for number, line, found in whole_rows(numbered(whole(text)), _ROW, PATHLESS):
        if found and found["folder"] is None:
            continue
        value = found["value"].strip() if found else ""
        if found and (_NUMBER.fullmatch(value) or _UNREADABLE.fullmatch(value)):
            port = f"{found['device']}/{found['port']}" if found["port"] else found["device"]
            read = int(value) if value.isdecimal() else None
            row = _Row(port, found["folder"], found["name"], read, number)
            known = rows.setdefault((port, row.folder, row.name), row)
            if known.value != row.value:
                skipped.append(Skipped(number, line, f"one value of it; line {known.line} has another"))
                rows[(port, row.folder, row.name)] = replace(known, value=None)
        else:
            skipped.append(Skipped(number, line, "/sys/class/infiniband/DEVICE/ports/N/hw_counters/NAME:NUMBER"))
    return list(rows.values()), skipped


def _by_port(rows: Iterable[_Row]) -> Mapping[str, list[_Row]]:
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(row.port, []).append(row)
    return groups


def _port_counters(rows: list[_Row]) -> Iterator[Counter]:
    table = counter_tables()["pma"]
    for row in rows:
        made = _made(table, row, "sysfs counters")
        stuck = row.name in _DATA and row.value == _STUCK_AT
        yield replace(made, bits=32, saturates=True) if stuck else made


def _driver_counters(port: str, rows: list[_Row]) -> Iterator[Answer]:
    own = [row for row in rows if row.folder == "hw_counters" and row.name != "lifespan"]
    table = table_that_fits("hw_counters", (row.name for row in own), port)
    lifespan = next((row for row in rows if row.folder == "hw_counters" and row.name == "lifespan"), None)
    refresh_s = lifespan.value / 1000 if lifespan and lifespan.value is not None else None
    if lifespan and lifespan.value is not None:
        name, value = "hw_counters/lifespan", str(lifespan.value)
        yield NicSetting(device=port, name=name, value=value, source="sysfs", line=lifespan.line)
    for row in own:
        yield _made(table, row, "sysfs hw_counters", refresh_s)


def own_name(name: str) -> str:
    """The name of a driver's counter; told apart from the port counter where a driver (rxe) uses the same name."""
    return f"hw_counters/{name}" if name == "link_downed" else name


def _made(table: CounterTable, row: _Row, source: str, refresh_s: float | None = None) -> Counter:
    return counter_fact(
        table.meaning(row.name),
        port=row.port,
        name=own_name(row.name) if row.folder == "hw_counters" else row.name,
        value=row.value,
        source=source,
        line=row.line,
        refresh_s=refresh_s,
    )
