"""Priority flow control: what is configured, and the pause frames that were counted."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcCounter, PfcPort
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.partial import kept
from fabric_audit.platforms.switches.sonic.database import Database, Entry, holder
from fabric_audit.platforms.switches.sonic.polling import PORT_S
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows

_PRIORITIES = range(8)
_ON_OFF = {"on": True, "off": False}


def priorities(text: str, line: int) -> str:
    """``3,4`` as ``34``; empty for none.

    Raises:
        ParseError: it is no list of priorities.
    """
    found = [part.strip() for part in text.split(",")] if text.strip() else []
    if not all(part.isdecimal() and len(part) == 1 and int(part) in _PRIORITIES for part in found):
        raise ParseError(line, text, "priorities from 0 to 7, comma separated")
    return "".join(sorted(set(found)))


def configured(database: Database) -> Iterator[Answer]:
    """PFC of every physical port.

    A port without ``pfc_enable`` has PFC off on every priority: orchagent pauses for no priority it was not told
    (qosorch.cpp). ``pfc_asym`` is off where absent (YANG sonic-port.yang).
    """
    if not database.complete and "PORT_QOS_MAP" not in database.tables:
        return
    bindings = database.bound("PORT_QOS_MAP")
    for port in database.ports:
        yield from kept(_port(port, database.table("PORT").get(port), bindings.get(port, ()), database.source))


def _port(port: str, entry: Entry | None, bindings: tuple[Entry, ...], source: str) -> Iterator[Answer]:
    bound = holder(bindings, "pfc_enable")
    lossless = priorities(bound.text("pfc_enable") or "", bound.at("pfc_enable")) if bound else ""
    nearest = bound or next(iter(bindings), entry)
    yield PfcPort(
        port=port,
        mode="on" if lossless else "off",
        admin_priorities=lossless,
        asymmetric=entry.text("pfc_asym") == "on" if entry else None,
        source=source,
        line=nearest.at("pfc_enable") if nearest else None,
    )


_COLUMNS = tuple(f"PFC{priority}" for priority in _PRIORITIES)
_HISTORY_POLL_S = 1.0  # the watchdog's poll interval, at most 1000 ms: sonic-utilities pfcwd/main.py


@section(
    "show-pfc-counters",
    Cli("show pfc counters"),
    yields=(PfcCounter,),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def show_pfc_counters(output: Output) -> Iterator[Answer]:
    """``show pfc counters``: a table ``Port Rx``, then a table ``Port Tx``, a column for each priority.

    Rx: pause frames the switch received, so the other end could not absorb; Tx: those it sent. The values are
    differences to the last ``sonic-clear pfccounters`` of the user who is logged in: a zero may mean that someone
    cleared. ``N/A``: the hardware has no such counter, or it is not polled. Source: sonic-utilities
    scripts/pfcstat.
    """
    ports: dict[str, set[str]] = {"Port Rx": set(), "Port Tx": set()}

    def half(row: Row) -> Iterator[Answer]:
        title = "Port Tx" if "Port Tx" in row.cells else "Port Rx"
        yield from _half(row, title)
        ports[title].add(row[title])

    yield from both_directions(read_rows(output.stdout, _COLUMNS, half, (PfcCounter,)))
    lacking = sorted(ports["Port Rx"] ^ ports["Port Tx"])
    if lacking:
        yield Skipped(output.stdout.count("\n") + 1, "", f"rows in both tables for {', '.join(lacking)}")


def _half(row: Row, title: str) -> Iterator[PfcCounter]:
    """One row of either table: facts that know one direction."""
    for priority, column in enumerate(_COLUMNS):
        frames = row.count(column)
        yield PfcCounter(
            port=row.port(title),
            priority=priority,
            tx_frames=frames if title == "Port Tx" else None,
            rx_frames=frames if title == "Port Rx" else None,
            scope="since_clear",
            refresh_s=PORT_S,
            line=row.line,
        )


def both_directions(answers: Iterable[Answer]) -> Iterator[Answer]:
    """The answers, with one row of what the tables of both directions say of a port's priority.

    A port that stands twice in one direction with two values: the titles of the other direction are lost.
    """
    counters: dict[tuple[str, int], PfcCounter] = {}
    for answer in answers:
        if not isinstance(answer, PfcCounter):
            yield answer
            continue
        known = counters.setdefault((answer.port, answer.priority), answer)
        new = {name: value for name in ("tx_frames", "rx_frames") if (value := getattr(answer, name)) is not None}
        if any(getattr(known, name) not in (None, value) for name, value in new.items()):
            yield Skipped(answer.line or 0, answer.port, f"one row for it in a table; line {known.line} has another")
        else:
            counters[answer.port, answer.priority] = replace(known, **new)
    yield from counters.values()


@section(
    "show-pfc-counters-history",
    Cli("show pfc counters --history"),
    yields=(PfcCounter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def show_pfc_counters_history(output: Output) -> Iterator[Answer]:
    """``show pfc counters --history``: how often and how long each priority was paused; images since 2025.

    The total is in the unit that its title names, ``MS`` on the first images and ``US`` since. It grows only on
    ports whose watchdog has ``pfc_stat_history`` enabled. Source: sonic-utilities scripts/pfcstat.
    """
    yield from read_rows(output.stdout, ("Port", "Priority", "RX Pause Transitions"), _history, (PfcCounter,))


def _history(row: Row) -> Iterator[Answer]:
    title = next((title for title in row.cells if title.startswith("Total RX Pause Time ")), "")
    microseconds = {"US": 1, "MS": 1000}.get(title.rpartition(" ")[2])
    number = re.fullmatch(r"PFC([0-7])", row["Priority"])
    if microseconds is None or not number:
        raise ParseError(row.line, "  ".join(row.cells.values()), "PFC0 to PFC7 and a total in US or MS")
    total = row.count(title)
    yield PfcCounter(
        port=row.port("Port"),
        priority=int(number[1]),
        rx_transitions=row.count("RX Pause Transitions"),
        rx_pause_us=None if total is None else total * microseconds,
        scope="since_clear",
        refresh_s=_HISTORY_POLL_S,
        line=row.line,
    )


@section("show-pfc-priority", Cli("show pfc priority"), yields=(PfcPort,), proven=Provenance.DOCUMENT)
def show_pfc_priority(output: Output) -> Iterator[Answer]:
    """``show pfc priority``: the lossless priorities of ports that have an entry in PORT_QOS_MAP.

    It reads CONFIG_DB, not the hardware, and leaves out every port that has no entry: a port that is missing here
    has no PFC, and only the running configuration says that it exists. ``N/A`` or nothing: no priority. Source:
    sonic-utilities pfc/main.py.
    """
    yield from read_rows(output.stdout, ("Interface", "Lossless priorities"), _priority, (PfcPort,))


def _priority(row: Row) -> Iterator[Answer]:
    listed = row.get("Lossless priorities")
    lossless = priorities("" if listed == "N/A" else listed, row.line)
    if row["Interface"] != "global":
        mode = "on" if lossless else "off"
        yield PfcPort(
            port=row.port("Interface"),
            mode=mode,
            admin_priorities=lossless,
            source="show pfc priority",
            line=row.line,
        )


@section("show-pfc-asymmetric", Cli("show pfc asymmetric"), yields=(PfcPort,), proven=Provenance.DOCUMENT)
def show_pfc_asymmetric(output: Output) -> Iterator[Answer]:
    """``show pfc asymmetric``: ports that honour pause on every priority and send it on the lossless ones only.

    ``N/A``: no ``pfc_asym`` in CONFIG_DB, which means off. Source: sonic-utilities pfc/main.py.
    """

    def read(row: Row) -> Iterator[Answer]:
        asymmetric = row.choice("Asymmetric", _ON_OFF)
        port, source = row.port("Interface"), "show pfc asymmetric"
        yield PfcPort(port=port, asymmetric=asymmetric or False, source=source, line=row.line)

    yield from read_rows(output.stdout, ("Interface", "Asymmetric"), read, (PfcPort,))
