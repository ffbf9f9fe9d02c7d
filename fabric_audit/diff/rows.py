"""Rows of a fact table by what names them, with components under their new names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.facts import Column, Fact, Kind, columns
from fabric_audit.facts.tables import STAMPS

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.diff.names import Names

Key: TypeAlias = tuple[Any, ...]
"""The target, then the values of the table's key fields."""
NOT_TOLD = "not told"
_UNITS = {"_bps": (1e9, "Gb/s"), "_bytes": (1, "bytes"), "_us": (1, "µs"), "_ms": (1, "ms"), "_s": (1, "s")}


@dataclass(frozen=True, slots=True)
class Shape:
    """A table's columns by how they are compared."""

    keys: tuple[Column, ...]
    columns: tuple[Column, ...]


def shape(fact: type[Fact], kind: Kind) -> Shape:
    """Keys that are no repetition, and the columns of one kind."""
    found = columns(fact)
    keys = tuple(column for column in found if column.kind is Kind.KEY and not column.repeat)
    return Shape(keys, tuple(column for column in found if column.kind is kind))


def in_frame(column: Column) -> str:
    """The column's name in a frame."""
    return f"{column.name}_" if column.name in STAMPS else column.name


def plain(frame: "pd.DataFrame", names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Rows of these columns as Python values, None where there is none."""
    return zip(*(_values(frame[name]) for name in names), strict=True)


def _values(series: "pd.Series[Any]") -> list[Any]:
    no_value: Any = None  # the stubs know no None here, the library does
    return series.to_numpy(dtype=object, na_value=no_value).tolist()


def renamed(row: tuple[Any, ...], names: "Names | None") -> tuple[Any, ...]:
    """A row, target first, with its components under their new names."""
    if names is None or not names.new:
        return row
    return (row[0], *(names.of(row[0], value) for value in row[1:]))


def subject(key: Key, keys: Sequence[Column]) -> tuple[str, ...]:
    """A row's name for people: a port or device by its name alone, anything else with its word."""
    parts = (_part(column, value) for column, value in zip(keys, key[1:], strict=True))
    return (str(key[0]), *(part for part in parts if part and part != key[0]))


def _part(column: Column, value: object) -> str:
    alone = isinstance(value, str) and not isinstance(value, bool)
    return str(value) if alone else f"{column.name.replace('_', ' ')} {words(column, value)}"


def words(column: Column, value: object) -> str:
    """A value for people."""
    if value is None:
        return NOT_TOLD
    if isinstance(value, bool):
        return "yes" if value else "no"
    unit = next((unit for suffix, unit in _UNITS.items() if column.name.endswith(suffix)), None)
    if unit is not None and isinstance(value, int | float):
        return f"{value / unit[0]:,.6g} {unit[1]}" if unit[0] != 1 else f"{value:,} {unit[1]}"
    return str(value) or "none"
