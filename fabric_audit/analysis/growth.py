"""How much each counter grew from one reading to the next, and over the whole capture."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.deltas import Delta, Reading, delta, reloaded

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """One counter between two phases; ``row`` is the later reading."""

    target: str
    port: str
    name: str
    counter_class: str
    before: str
    after: str
    delta: Delta
    elapsed_s: float
    row: Any


def growths(counter: "pd.DataFrame", classes: Iterable[str]) -> Iterator[Growth]:
    """Growth of every counter of these classes, from each of its readings to the next, in the order of time."""
    wanted = counter[counter["counter_class"].isin(list(classes))]
    plain = wanted.astype(object).where(wanted.notna(), None).sort_values("at_s", kind="stable")
    last: dict[tuple[str, str], dict[str, Any]] = {}
    readings: dict[tuple[str, str, str], list[Any]] = {}
    each: Iterator[Any] = plain.itertuples(index=False, name="Row")
    for row in each:
        readings.setdefault((row.target, row.port, row.phase), []).append(row)
    for (target, port, phase), rows in readings.items():
        before = last.setdefault((target, port), {})
        pairs = [(before.get(row.name), row) for row in rows]
        again = reloaded(_reading(old, new) for old, new in pairs if old is not None and _fell(old, new))
        for old, new in pairs:
            before[new.name] = new
            if old is not None:
                yield _growth(target, port, phase, old, new, reset=again)


def _fell(old: Any, new: Any) -> bool:
    return None not in (old.value, new.value) and bool(new.value < old.value)


def _reading(old: Any, new: Any) -> Reading:
    return Reading(before=old.value, after=new.value, bits=new.bits, saturates=new.saturates)


def _growth(target: str, port: str, phase: str, old: Any, new: Any, *, reset: bool) -> Growth:
    elapsed = new.at_s - old.at_s
    grown = delta(old.value, new.value, bits=new.bits, saturates=new.saturates, elapsed_s=elapsed, reloaded=reset)
    return Growth(
        target=target,
        port=port,
        name=new.name,
        counter_class=new.counter_class,
        before=old.phase,
        after=phase,
        delta=grown,
        elapsed_s=elapsed,
        row=new,
    )
