"""ECN of VRP as it runs: thresholds in force, those that the switch computes, marks, and drop profiles."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.profiles import EcnProfile
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.huawei_vrp.lines import BYTES_PER_KB, answers, kilobytes, lines, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME

_UNITS = {"Bytes": 1, "KBytes": BYTES_PER_KB, "MBytes": BYTES_PER_KB**2}
_FULL = 100


@section(
    "display-ai-ecn-calculated-state",
    Cli("display ai-ecn calculated state"),
    yields=(Queue,),
    proven=Provenance.DOCUMENT,
)
def parse_ai_ecn(output: Output) -> Iterator[Answer]:
    """``display ai-ecn calculated state``: thresholds that the switch has computed for queues, in bytes.

    They replace those of the configuration, which shows none.

    Source: Huawei CE6800 V300R023C00 command reference, AI ECN Configuration Commands.
    """
    yield from answers(output.stdout, _computed, (Queue,), "no queue with AI ECN")


def _computed(text: str) -> Iterator[Answer]:
    header = r"Interface\s+Queue\s+Low-Threshold\s+High-Threshold\s+Probability\s+Mode.*"
    pattern = rf"(?:(?P<port>{NAME})\s+)?(?P<queue>[0-7])\s+(?P<low>\d+|-)\s+(?P<high>\d+|-)\s+(?P<share>\d+|-)\s+\S+.*"
    for row in rows(text, header, pattern):
        share = row.count("share")
        yield Queue(
            port=row.port,
            queue=int(row["queue"]),
            ecn=True,
            ecn_dynamic=True,
            ecn_min_bytes=row.count("low"),
            ecn_max_bytes=row.count("high"),
            ecn_mark_pct=None if share is None else float(share),
            line=row.line,
        )


@section("display-qos-ecn-threshold", Cli("display qos ecn threshold"), yields=(Queue,), proven=Provenance.DOCUMENT)
def parse_ecn_threshold(output: Output) -> Iterator[Answer]:
    """``display qos ecn threshold [interface PORT]``: thresholds in force per queue, in KB.

    Three zeros are a queue without ECN. ``*`` behind a queue is one whose thresholds the switch computes; a value in
    brackets is the whole buffer of the queue.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _thresholds, (Queue,), "no queue")


def _thresholds(text: str) -> Iterator[Answer]:
    pattern = (
        rf"(?:(?P<port>{NAME})\s+)?(?P<queue>[0-7])(?P<ai>\*?)\s+(?P<low>\[?\d+\]?|-)\s+(?P<high>\[?\d+\]?|-)"
        r"\s+(?P<share>\d+|-)\s+(?P<size>\d+|-)"
    )
    for row in rows(text, r"Interface\s+Queue\s+Min\s+Max\s+Probability\s+Queue Size", pattern):
        low, high = (int(found[0]) if (found := re.search(r"\d+", row[name])) else None for name in ("low", "high"))
        share, dynamic = row.count("share"), row["ai"] == "*"
        on = dynamic or bool(low or high or share)
        yield Queue(
            port=row.port,
            queue=int(row["queue"]),
            ecn=on,
            ecn_dynamic=dynamic,
            ecn_min_bytes=kilobytes(low) if on else None,
            ecn_max_bytes=kilobytes(high) if on else None,
            ecn_mark_pct=float(share) if on and share is not None else None,
            ecn_raw=f"{row['low']} to {row['high']} KB" if on else None,
            line=row.line,
        )


@section(
    "display-qos-ecn-statistics",
    Cli("display qos ecn statistics"),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_ecn_statistics(output: Output) -> Iterator[Answer]:
    """``display qos ecn statistics [interface PORT]``: packets marked on a port, all queues together.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _marks, (Counter,), "no port")


def _marks(text: str) -> Iterator[Answer]:
    for row in rows(text, r"Interface\s+ECN-marked packets", rf"(?P<port>{NAME})\s+(?P<marked>\d+|-)"):
        yield Counter(
            port=row.port,
            name="ECN-marked packets",
            value=row.count("marked"),
            counter_class=CounterClass.CONGESTION,
            unit="packets",
            scope="since_clear",
            source="display qos ecn statistics",
            line=row.line,
        )


@section("display-drop-profile", Cli("display drop-profile"), yields=(EcnProfile,), proven=Provenance.DOCUMENT)
def parse_drop_profile(output: Output) -> Iterator[Answer]:
    """``display drop-profile``: WRED and ECN thresholds by profile.

    The row Green is that of WRED: packets are dropped from it on. ECN has a row of its own on models that have it; at
    100 % it never marks before the queue is full, whatever the other rows say. Models without that row mark by the row
    Green where a queue has ECN. Units differ by row: percent, Bytes, KBytes, cells.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _profiles, (EcnProfile,), "no drop profile")


_FORM = "`Drop-profile[N]: NAME`, rows Green, Yellow, Red and ECN, and a rule of dashes"


def _profiles(text: str) -> Iterator[Answer]:
    name, first = "", 0
    found: dict[str, re.Match[str]] = {}
    for number, line in lines(text):
        content = line.strip()
        headed = re.fullmatch(r"Drop-profile\[\d+\]\s*:\s*(\S+)", content)
        row = re.fullmatch(
            r"(Green|Yellow|Red|ECN)\s+(\S+)\s+(?P<low>\d+)\s+(?P<high>\d+)\s+(?P<unit>%|[KM]?Bytes|Cells?)\s+(?P<share>\d+)",
            content,
        )
        if headed and not found:
            name, first = headed[1], number
        elif row and name:
            found[row[1]] = row
        elif found and re.fullmatch("-{8,}", content):
            yield from _profile(name, found, first)
            name, found = "", {}
        elif not re.match(r"Color\s+Mode|-{8,}", content):
            raise ParseError(number, line, _FORM)
    if name or not first:
        raise ParseError(first or 1, name or text.strip().partition("\n")[0], _FORM)


def _profile(name: str, found: dict[str, re.Match[str]], line: int) -> Iterator[Answer]:
    if "Green" not in found or "Red" not in found:
        raise ParseError(line, name, "rows Green, Yellow and Red")
    green, marks = found["Green"], found.get("ECN")
    dropping = not _never(green)
    yield EcnProfile(
        profile=name,
        ecn=None if marks is None else not _never(marks),
        ecn_min_bytes=_bytes(marks, "low") if marks else None,
        ecn_max_bytes=_bytes(marks, "high") if marks else None,
        ecn_mark_pct=float(marks["share"]) if marks else None,
        wred_drops=dropping,
        ecn_raw="; ".join(
            f"{row[1]} {row['low']} to {row['high']} {row['unit']}, {row['share']} %" for row in (green, marks) if row
        ),
        line=line,
    )


def _never(row: re.Match[str]) -> bool:
    """At 100 % nothing happens before the queue is full."""
    return row["unit"] == "%" and int(row["low"]) >= _FULL


def _bytes(row: re.Match[str], name: str) -> int | None:
    return int(row[name]) * _UNITS[row["unit"]] if row["unit"] in _UNITS else None
