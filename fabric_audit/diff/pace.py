"""Counters that run at another pace: every field of kind *counter* of every table, but for those of plain traffic."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.analysis.deltas import delta
from fabric_audit.diff.names import Names, Tables
from fabric_audit.diff.rows import Key, in_frame, plain, renamed, shape, subject
from fabric_audit.facts import Column, Fact, Kind, all_tables
from fabric_audit.facts.counters import CounterClass
from fabric_audit.findings import Pace

if TYPE_CHECKING:
    import pandas as pd

TIMES = 2.0
"""Factor from which on two paces are different: counters of one load differ by half as much between runs. Ours."""
LEAST = 10
"""Growth below which a counter that already ran is no news."""
_BITS = 64

Growths: TypeAlias = dict[Key, tuple[int, float, str]]
"""Row → growth, seconds it took, class."""


def paces(before: Tables, after: Tables, names: Names) -> Iterator[Pace]:
    """Counters that began or ceased to run, or run twice as fast or half as fast as they did."""
    found: list[Pace] = []
    for table, fact in all_tables().items():
        form = shape(fact, Kind.COUNTER)
        for column in form.columns:
            if not (fact.PASSING or column.traffic):
                was = _growths(before[table], form.keys, column, names)
                now = _growths(after[table], form.keys, column, None)
                found.extend(_differing(fact, column, form.keys, was, now))
    yield from sorted(found, key=lambda pace: (-pace.after_per_s, pace.subject, pace.name))


def _differing(fact: type[Fact], column: Column, keys: Sequence[Column], was: Growths, now: Growths) -> Iterator[Pace]:
    for key in was.keys() & now.keys():
        (old, old_s, kind), (new, new_s, _) = was[key], now[key]
        if not (old_s > 0 and new_s > 0) or kind == CounterClass.TRAFFIC:
            continue
        slow, fast = sorted((old / old_s, new / new_s))
        if (bool(old) != bool(new)) or (max(old, new) >= LEAST and fast > TIMES * slow):
            name = "" if column.name == "value" else f" {column.name}"
            told = subject(key, keys)
            yield Pace(
                subject=told[:-1] if name == "" else told,
                name=told[-1] if name == "" else f"{fact.TABLE}{name}",
                counter_class=kind,
                before_per_s=old / old_s,
                after_per_s=new / new_s,
            )


def _growths(frame: "pd.DataFrame", keys: Sequence[Column], column: Column, names: Names | None) -> Growths:
    """Growth of each row that was read twice; most of them stand still, and cost no more than their name."""
    own = [name for name in ("bits", "saturates", "counter_class", "scope") if name in frame.columns]
    used = ["target", *map(in_frame, keys)]
    told = frame[frame[in_frame(column)].notna()].sort_values("at_s", kind="stable")
    size = len(used)
    last: dict[Key, tuple[Any, float, float]] = {}
    found: Growths = {}
    for row in plain(told, [*used, in_frame(column), "at_s", *own]):
        key = renamed(row[:size], names)
        value, at_s, more = row[size], row[size + 1], dict(zip(own, row[size + 2 :], strict=True))
        if more.get("scope") == "gauge":
            continue
        if key in last:
            old, began, then = last[key]
            grown = delta(
                old,
                value,
                bits=more.get("bits", _BITS),
                saturates=more.get("saturates", False),
                elapsed_s=at_s - then,
            )
            so_far = found.get(key, (0, 0.0, ""))[0]
            found[key] = so_far + (grown.value or 0), at_s - began, str(more.get("counter_class") or "")
            last[key] = value, began, at_s
        else:
            last[key] = value, at_s, at_s
    return found
