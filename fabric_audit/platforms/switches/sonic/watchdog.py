"""The PFC watchdog: what is configured, and the storms it saw."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.partial import kept
from fabric_audit.platforms.switches.sonic.database import Database, Entry, holder
from fabric_audit.platforms.switches.sonic.pfc import priorities
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows
from fabric_audit.platforms.text import integer, numbered

DEFAULT_POLL_MS = 100  # sonic-swss orchagent/orchdaemon.cpp PFC_WD_POLL_MSECS
_WHOLE_PORT = -1
_ACTIONS = frozenset({"drop", "forward", "alert"})
_STATES = {"operational": "operational", "stormed": "stormed", "n/a": "stopped"}


def configured(database: Database) -> Iterator[Answer]:
    """The watchdog of every physical port, as a row for the port (queue -1).

    Off where ``PFC_WD`` has no entry. Without ``action`` it drops, and without ``restoration_time`` a storm never
    ends by itself (pfcwdorch.cpp, createEntry). ``pfcwd start_default`` scales its times with the number of
    ports, in steps of 32: 200 ms on 32 ports is 3200 ms on 512 (sonic-utilities pfcwd/main.py).

    Images since 2022 watch the priorities of ``pfcwd_sw_enable`` and no others (sonic-swss pull request 2171):
    where a box knows that field, a lossless priority that is not in it gets a row of its own, with the watchdog
    off.
    """
    bindings = database.bound("PORT_QOS_MAP")
    watched = database.table("PFC_WD")
    selective = any(entry.text("pfcwd_sw_enable") for entry in database.table("PORT_QOS_MAP").values())
    overall = watched.get("GLOBAL") or Entry("GLOBAL", 0, {}, {})
    for port in database.ports:
        entry = watched.get(port)
        nearest = entry or database.table("PORT").get(port) or next(iter(bindings.get(port, ())), overall)
        mask = holder(bindings.get(port, ()), "pfcwd_sw_enable")
        lossless = holder(bindings.get(port, ()), "pfc_enable")
        if database.complete or entry:
            yield from kept(_whole_port(port, entry, nearest, overall, selective and mask is None))
        if entry and selective and lossless:
            yield from kept(_unwatched(port, lossless, mask))


def _whole_port(port: str, entry: Entry | None, nearest: Entry, overall: Entry, masked: bool) -> Iterator[Answer]:
    poll = overall.number("POLL_INTERVAL")
    action = (entry.text("action") or "drop") if entry else None
    if action is not None and action not in _ACTIONS:
        raise ParseError(nearest.at("action"), action, "the action drop, forward or alert")
    yield PfcWatchdog(
        port=port,
        queue=_WHOLE_PORT,
        enabled=entry is not None and not masked,
        action=action,
        detect_ms=entry.number("detection_time") if entry else None,
        restore_ms=(entry.number("restoration_time") or 0) if entry else None,
        poll_ms=DEFAULT_POLL_MS if poll is None else poll,
        big_red_switch=overall.text("BIG_RED_SWITCH") == "enable",
        line=nearest.line,
    )


def _unwatched(port: str, lossless: Entry, mask: Entry | None) -> Iterator[Answer]:
    seen = priorities(mask.text("pfcwd_sw_enable") or "", mask.at("pfcwd_sw_enable")) if mask else ""
    for priority in priorities(lossless.text("pfc_enable") or "", lossless.at("pfc_enable")):
        if priority not in seen:
            line = (mask or lossless).at("pfcwd_sw_enable")
            yield PfcWatchdog(port=port, queue=int(priority), enabled=False, line=line)


@section("show-pfcwd-config", Cli("show pfcwd config"), yields=(PfcWatchdog,), proven=Provenance.DOCUMENT)
def show_pfcwd_config(output: Output) -> Iterator[Answer]:
    """``show pfcwd config``: one row for each port that has a watchdog; a port without one is missing.

    Times are milliseconds. The poll interval stands in a line before the table, one for each ASIC, in spite of its
    words ``Changed polling interval to`` nothing was changed; no line: the default. Images before 202405 have no
    column ``HISTORY``. ``infinite``: a storm ends only by hand. Source: sonic-utilities pfcwd/main.py.
    """
    polls = [int(found[1]) for _, line in numbered(output.stdout) if (found := _POLL.match(line))]
    switches = [found[1] for _, line in numbered(output.stdout) if (found := _BIG_RED_SWITCH.match(line))]

    def read(row: Row) -> Iterator[Answer]:
        yield PfcWatchdog(
            port=row.port("PORT"),
            queue=_WHOLE_PORT,
            enabled=True,
            action=row.choice("ACTION", {action: action for action in sorted(_ACTIONS)}),
            detect_ms=row.count("DETECTION TIME"),
            restore_ms=0 if row["RESTORATION TIME"] == "infinite" else row.count("RESTORATION TIME"),
            poll_ms=max(polls, default=DEFAULT_POLL_MS),
            big_red_switch="enable" in switches,
            line=row.line,
        )

    required = ("PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME")
    chatter = f"{_POLL.pattern}|{_BIG_RED_SWITCH.pattern}"
    answers = list(read_rows(output.stdout, required, read, (PfcWatchdog,), chatter=chatter))
    unsure = not polls and any(isinstance(answer, Skipped) for answer in answers)  # which may be that of the interval
    for answer in answers:
        yield replace(answer, poll_ms=None) if unsure and isinstance(answer, PfcWatchdog) else answer


_POLL = re.compile(r"Changed polling interval to (\d{1,9})\s?ms(?: on \S+)?$")
_BIG_RED_SWITCH = re.compile(r"BIG_RED_SWITCH status is (\w+)")


@section(
    "show-pfcwd-stats",
    Cli("show pfcwd stats"),
    yields=(PfcWatchdog,),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def show_pfcwd_stats(output: Output) -> Iterator[Answer]:
    """``show pfcwd stats``: one row for each queue that ever had a storm or dropped; none is the healthy answer.

    Status ``N/A`` is a watchdog that was stopped; its history stays. ``1/0`` detected/restored is a storm that goes
    on. Dropped packets are those of both directions since the switch started: ``TX OK/DROP`` leaving the queue,
    ``RX OK/DROP`` entering its priority group. Source: sonic-utilities pfcwd/main.py.

    Known to count wrongly on some images: sonic-buildimage issues 5821, 17434 and 19067.
    """
    required = ("QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP")
    yield from read_rows(output.stdout, required, _storms, (PfcWatchdog,))


def _storms(row: Row) -> Iterator[Answer]:
    port, _, queue = row["QUEUE"].rpartition(":")
    number = integer(queue, row.line, "a queue")
    if not port or number is None:
        raise ParseError(row.line, row["QUEUE"], "a queue such as Ethernet0:3")
    detected, restored = _pair(row, "STORM DETECTED/RESTORED")
    state = row["STATUS"].lower()
    yield PfcWatchdog(
        port=port,
        queue=number,
        enabled=state != "n/a",
        state=_STATES.get(state, "unknown"),
        storms_detected=detected,
        storms_restored=restored,
        dropped_packets=_pair(row, "TX OK/DROP")[1] + _pair(row, "RX OK/DROP")[1],
        line=row.line,
    )


def _pair(row: Row, title: str) -> tuple[int, int]:
    found = re.fullmatch(r"([\d,]{1,40})/([\d,]{1,40})", row[title])
    if not found:
        raise ParseError(row.line, row[title], f"{title}: two numbers with a slash between them")
    return int(found[1].replace(",", "")), int(found[2].replace(",", ""))
