"""How much the counter columns of a table grew from one reading of a row to the next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.deltas import Delta, delta

if TYPE_CHECKING:
    import pandas as pd

BITS = 64
"""Width of what switches and NICs count by queue and priority: it wraps in no run, so that less is a reset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """One row between two phases; ``row`` is the later reading."""

    target: str
    port: str
    key: tuple[Any, ...]
    """The rest of what names the row, such as a priority."""
    before: str
    after: str
    elapsed_s: float
    growth: Mapping[str, Delta]
    row: Any

    def grew(self, *columns: str) -> int:
        """By how much these columns grew together; 0 for those that are not told."""
        return sum(self.growth[name].value or 0 for name in columns)


def intervals(frame: "pd.DataFrame", keys: Sequence[str], columns: Sequence[str]) -> Iterator[Interval]:
    """Every row of a table, from each of its readings to the next, in the order of time.

    Args:
        frame: a table whose rows have a ``port``.
        keys: columns that name a row within its port.
        columns: counters.
    """
    plain = frame.astype(object).where(frame.notna(), None).sort_values("at_s", kind="stable")
    last: dict[tuple[Any, ...], Any] = {}
    rows: Iterator[Any] = plain.itertuples(index=False, name="Row")
    for row in rows:
        key = tuple(getattr(row, name) for name in keys)
        old = last.get((row.target, row.port, *key))
        last[row.target, row.port, *key] = row
        if old is not None and old.phase != row.phase:
            yield Interval(
                target=row.target,
                port=row.port,
                key=key,
                before=old.phase,
                after=row.phase,
                elapsed_s=row.at_s - old.at_s,
                growth={n: delta(getattr(old, n), getattr(row, n), bits=BITS, saturates=False) for n in columns},
                row=row,
            )
