"""Facts as rows and as pandas frames with fixed columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from sys import float_info
from typing import TYPE_CHECKING, Any, NamedTuple

from fabric_audit.facts import Column, Fact, Kind, all_tables, columns

if TYPE_CHECKING:
    import pandas as pd

STAMPS = ("target", "phase", "at_s", "evidence", "evidence_line")
"""Columns every table has in front: where and when a fact was seen, and the output it was read from."""

_DTYPES = {"int": "Int64", "float": "Float64", "bool": "boolean", "str": "string"}
_COUNTS = "UInt64"
"""Dtype of counters: a 64-bit register may stand above the half of its range, after an underflow in a driver say."""
_RANGES = {"Int64": (-(2**63), 2**63 - 1), _COUNTS: (0, 2**64 - 1), "Float64": (-float_info.max, float_info.max)}


class Stamped(NamedTuple):
    """A fact with its target, its phase and its evidence: path in the capture and line of that file, 0 for none.

    ``at_s`` is when it was read, in seconds after the capture began.
    """

    target: str
    phase: str
    path: str
    fact: Fact
    line: int = 0
    at_s: float = 0.0


def row(fact: Fact) -> dict[str, object]:
    """One fact as a mapping of its columns; ``None`` where there is no value."""
    return {column.name: getattr(fact, column.name) for column in columns(type(fact))}


def rows_by_table(facts: Iterable[Fact]) -> dict[str, list[dict[str, object]]]:
    """Facts as rows, by table, in the order they came."""
    found: dict[str, list[dict[str, object]]] = {}
    for fact in facts:
        found.setdefault(fact.TABLE, []).append(row(fact))
    return found


def frame(name: str, stamped: Sequence[Stamped] = ()) -> "pd.DataFrame":
    """One table as a frame: the stamps, then the table's columns, with nullable types.

    Columns never depend on the rows: an empty table has them all. A column that is called as a stamp is has an
    underscore behind its name (``evidence_``). Counters are unsigned: subtract them as Python
    numbers (:func:`fabric_audit.analysis.deltas.delta`), never as columns.
    """
    import pandas as pd  # noqa: PLC0415 - pandas takes half a second to load; --help must not wait for it

    described = columns(all_tables()[name])
    data: dict[str, Any] = {
        "target": pd.Categorical([s.target for s in stamped]),
        "phase": pd.Categorical([s.phase for s in stamped]),
        "at_s": pd.array([s.at_s for s in stamped], dtype="Float64"),
        "evidence": pd.Categorical([s.path for s in stamped]),
        "evidence_line": pd.array([s.line for s in stamped], dtype="Int64"),
    }
    facts = [s.fact for s in stamped]
    for column in described:
        values = list(map(attrgetter(column.name), facts))
        name_in_frame = f"{column.name}_" if column.name in STAMPS else column.name
        data[name_in_frame] = pd.array(values, dtype=_dtype(column))  # type: ignore[call-overload]
    return pd.DataFrame(data)


def _dtype(column: Column) -> str:
    dtype = _DTYPES[column.type.split("|")[0].strip()]
    return _COUNTS if dtype == "Int64" and column.kind is Kind.COUNTER else dtype


@cache
def _ranges(fact: type[Fact]) -> tuple[tuple[str, float, float], ...]:
    dtypes = ((column.name, _dtype(column)) for column in columns(fact))
    return tuple((name, *_RANGES[dtype]) for name, dtype in dtypes if dtype in _RANGES)


def out_of_range(fact: Fact) -> str:
    """The column whose number is larger than any register or smaller than any count; empty where all are sound."""
    for name, least, most in _ranges(type(fact)):  # type: ignore[arg-type]  # a class hashes by its identity
        value = getattr(fact, name)
        if value is not None and not least <= value <= most:
            return name
    return ""


def frames(stamped: Iterable[Stamped]) -> Mapping[str, "pd.DataFrame"]:
    """Every table as a frame, empty ones too; each is made when it is first looked at."""
    groups: dict[str, list[Stamped]] = {name: [] for name in all_tables()}
    for one in stamped:
        groups[one.fact.TABLE].append(one)
    return _Frames(groups)


class _Frames(Mapping[str, "pd.DataFrame"]):
    def __init__(self, groups: Mapping[str, Sequence[Stamped]]) -> None:
        self._groups = groups
        self._made: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> "pd.DataFrame":
        if name not in self._made:
            self._made[name] = frame(name, self._groups[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)


def key_of(fact: Fact) -> tuple[object, ...]:
    """What names the fact within its target."""
    return tuple([getattr(fact, name) for name in _keys(type(fact))])  # type: ignore[arg-type]  # as above


@cache
def _keys(fact: type[Fact]) -> tuple[str, ...]:
    return tuple(column.name for column in columns(fact) if column.kind is Kind.KEY)
