"""What checks need to walk frames and cite evidence."""

from collections import namedtuple
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from fabric_audit.facts import FactT, columns
from fabric_audit.findings import Evidence, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd


def rows(frame: "pd.DataFrame", **where: object) -> Iterator[Any]:
    """Rows of a frame as named tuples, in a stable order; missing values are ``None``, never NA.

    ``where`` keeps the rows whose columns have these values; a set stands for any of its members.
    """
    for name, value in where.items():
        frame = frame[frame[name].isin(value if isinstance(value, set | frozenset) else [value])]
    columns = [frame[name].array.to_numpy(dtype=object, na_value=None) for name in frame.columns]
    yield from map(_row_type(tuple(frame.columns))._make, zip(*columns, strict=True))


@cache
def _row_type(columns: tuple[str, ...]) -> Any:
    return namedtuple("Row", columns)  # noqa: PYI024 - the columns are known only now


def facts(frame: "pd.DataFrame", kind: type[FactT]) -> dict[str, list[FactT]]:
    """Rows of a frame as the facts they were made of, by target."""
    names = [column.name for column in columns(kind)]
    found: dict[str, list[FactT]] = {}
    for row in rows(frame):
        values = {name: getattr(row, name) for name in names}
        found.setdefault(row.target, []).append(kind(line=row.evidence_line or None, **values))
    return found


def not_asked(subject: tuple[str, ...], value: str) -> Finding:
    """What is said of a subject of which the policy does not ask what the check looks for."""
    return Finding(verdict=Verdict.SKIPPED, subject=subject, message=f"the policy does not ask for it ({value})")


def evidence(*found: Any) -> tuple[Evidence, ...]:
    """Where these rows were read, each place once."""
    cited = (Evidence(str(row.evidence), int(row.evidence_line or 0)) for row in found if row is not None)
    return tuple(dict.fromkeys(cited))
