"""What hardware and software was audited; equal targets in one row."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.report.subjects import targets

if TYPE_CHECKING:
    import pandas as pd

_SAME = ("os", "os_version", "kernel", "model", "roce_mode")


@dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """Targets that run the same; an empty word where the target did not say."""

    targets: str
    count: int
    os: str
    os_version: str
    kernel: str
    model: str
    roce_mode: str


def versions(system: "pd.DataFrame") -> tuple[Software, ...]:
    """One row for each combination of system and version, the most frequent first."""
    return tuple(sorted(_grouped(system), key=lambda s: (-s.count, s.targets)))


def _grouped(system: "pd.DataFrame") -> Iterator[Software]:
    plain = system[["target", *_SAME]].astype("string").fillna("").drop_duplicates("target", keep="last")
    groups: dict[tuple[str, ...], list[str]] = {}
    rows: Iterator[Any] = plain.itertuples(index=False)
    for row in rows:
        groups.setdefault(tuple(row)[1:], []).append(row.target)
    for same, names in groups.items():
        yield Software(targets=targets(names), count=len(names), **dict(zip(_SAME, same, strict=True)))
