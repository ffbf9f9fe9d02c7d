"""One row a thing: what several sections say of the same key is joined, and where they disagree is kept.

`ip link`, sysfs and ethtool each know a part of an interface. The first section that has a value wins, in the order
of the capture; a later one that says something else becomes a :class:`Disagreement`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from fabric_audit.facts import Column, Fact, Kind, all_tables, columns, exact, key, passing
from fabric_audit.facts.performance import PerftestRow
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import Stamped, key_of

NAMELESS = ("",)
"""Key of a system whose output does not tell its host name."""


@passing
class Disagreement(Fact):
    """Two sections of one target that say different things of the same field."""

    of_table: str = key("table")
    of_key: str = key("key of the row, parts joined by blanks")
    of_field: str = key("field")
    first: str | None = exact("value that was used, and where it was read")
    second: str | None = exact("the other value, and where it was read")


def merged(stamped: Iterable[Stamped], baseline: str) -> Iterator[Stamped]:
    """Facts joined by target, phase, table and key.

    Tables without counters are state: only what the baseline phase says of them is kept. The order of first
    appearance is kept.
    """
    counting = {name for name, fact in all_tables().items() if any(c.kind is Kind.COUNTER for c in columns(fact))}
    groups: dict[tuple[object, ...], list[Stamped]] = {}
    for one in stamped:
        name = one.fact.TABLE
        if name == PerftestRow.TABLE:
            yield one
        elif name in counting or one.phase == baseline:
            groups.setdefault((one.target, one.phase, name, key_of(one.fact)), []).append(one)
    _named(groups)
    for group in groups.values():
        yield from _joined(group)


def _named(groups: dict[tuple[object, ...], list[Stamped]]) -> None:
    """What a target says of itself without its name joins what it says with it."""
    names: dict[object, tuple[object, ...]] = {}
    for place in groups:
        target, _, table_name, keys = place
        if table_name == System.TABLE and keys != NAMELESS:
            names.setdefault(target, place)
    for target, place in names.items():
        nameless = groups.pop((target, place[1], System.TABLE, NAMELESS), [])
        groups[place] += nameless


def joined(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Facts of one target and one phase, one row a thing; where sections disagree, the first is believed."""
    anonymous = (Stamped("", "", "", fact) for fact in facts)
    return tuple(one.fact for one in merged(anonymous, "") if not isinstance(one.fact, Disagreement))


def _joined(group: list[Stamped]) -> Iterator[Stamped]:
    first = group[0]
    if len(group) == 1:
        yield first
        return
    values: dict[str, Any] = {}
    said_by: dict[str, Stamped] = {}
    for one in group:
        for column in columns(type(one.fact)):
            value = getattr(one.fact, column.name)
            if column.kind is Kind.KEY or value is None:
                continue
            if column.name not in values:
                values[column.name], said_by[column.name] = value, one
            elif _differ(column, value, values[column.name]):
                yield _disagreement(first, column.name, (values[column.name], said_by[column.name]), (value, one))
    yield first._replace(fact=replace(first.fact, **values))


def _differ(column: Column, one: Any, other: Any) -> bool:
    """Whether two values contradict each other: more than in who says it, in how, or in what hardware rounds."""
    told_otherwise = column.name == "source" or column.name.endswith("_raw")
    if column.kind is not Kind.EXACT or told_otherwise or one == other:
        return False
    if isinstance(one, str) and isinstance(other, str):
        return not _says_less(*sorted((one, other), key=len))
    return not column.tolerance or abs(one - other) > column.tolerance * max(abs(one), abs(other))


def _says_less(short: str, long: str) -> bool:
    """Whether a text is the whole beginning of another: EOS tells a model with its airflow, ``64S-F``, and without."""
    return bool(short) and long.startswith(short) and long[len(short)] in "- ("


def _disagreement(row: Stamped, name: str, first: tuple[object, Stamped], second: tuple[object, Stamped]) -> Stamped:
    fact = Disagreement(
        of_table=row.fact.TABLE,
        of_key=" ".join(str(part) for part in key_of(row.fact)),
        of_field=name,
        first=f"{first[0]} ({first[1].path}:{first[1].line})",
        second=f"{second[0]} ({second[1].path}:{second[1].line})",
    )
    return Stamped(row.target, row.phase, second[1].path, fact, second[1].line, row.at_s)
