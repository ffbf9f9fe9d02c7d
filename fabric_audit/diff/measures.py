"""Measurements that differ by more than their noise: every field of kind *measure* of every table.

The noise is what repetitions of the same measurement within a capture differ by; where there are too few of them, it is
the field's own tolerance.
"""

from collections.abc import Iterator
from math import sqrt
from statistics import median
from typing import TypeAlias

from fabric_audit.diff.names import Names, Tables
from fabric_audit.diff.rows import Key, in_frame, plain, renamed, shape, subject
from fabric_audit.facts import Column, Fact, Kind, all_tables
from fabric_audit.findings import Shift

ENOUGH = 8
"""Degrees of freedom from which on the spread of repeats says more than the field's tolerance."""
SIGMAS = 3.0
"""Standard deviations of a difference that count as noise: one test in 370 exceeds them by chance."""
LEAST = 0.01
"""Share below which no difference matters, however still the repeats were."""

Values: TypeAlias = dict[Key, list[float]]


def shifts(before: Tables, after: Tables, names: Names) -> Iterator[Shift]:
    """Every measurement that both captures have and that is another now, the largest loss first."""
    found: list[Shift] = []
    for table, fact in all_tables().items():
        form = shape(fact, Kind.MEASURE)
        if fact.PASSING or not form.columns or before[table].empty or after[table].empty:
            continue
        for column in form.columns:
            found.extend(_shifted(fact, column, before, after, names))
    yield from sorted(found, key=lambda shift: (-abs(shift.share), shift.subject, shift.name))


def _shifted(fact: type[Fact], column: Column, before: Tables, after: Tables, names: Names) -> Iterator[Shift]:
    was, now = _values(before, fact, column, names), _values(after, fact, column, None)
    noise, repeats = _noise((was, now), column.tolerance)
    keys = shape(fact, Kind.MEASURE).keys
    for key in was.keys() & now.keys():
        old, new = median(was[key]), median(now[key])
        if old and abs(new / old - 1) > noise:
            told = subject(key, keys)
            yield Shift(subject=told, name=column.name, before=old, after=new, noise=noise, repeats=repeats)


def _values(tables: Tables, fact: type[Fact], column: Column, names: Names | None) -> Values:
    keys = shape(fact, Kind.MEASURE).keys
    used = ("target", *map(in_frame, keys), in_frame(column))
    frame = tables[fact.TABLE]
    found: Values = {}
    for row in plain(frame[frame[used[-1]].notna()], used):
        found.setdefault(renamed(row[:-1], names), []).append(float(row[-1]))
    return found


def _noise(both: tuple[Values, Values], tolerance: float) -> tuple[float, int]:
    """Share within which two captures differ by chance, and the repeats that it rests on."""
    squares, freedom, repeats = 0.0, 0, 0
    for values in both:
        for group in values.values():
            middle = sum(group) / len(group)
            if len(group) > 1 and middle:
                squares += sum((value / middle - 1) ** 2 for value in group)
                freedom += len(group) - 1
                repeats += len(group)
    if freedom < ENOUGH:
        return tolerance, 0
    return max(LEAST, SIGMAS * sqrt(2 * squares / freedom)), repeats
