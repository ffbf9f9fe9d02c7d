"""The vendor-free vocabulary: one frozen dataclass per table.

A fact never says on which target or in which phase it was seen: the audit stamps that. A value is ``T | None``,
never a guess; why it is ``None`` stands in the coverage. Units are part of a field's name.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, dataclass_transform


class Kind(StrEnum):
    """How two captures compare a field."""

    KEY = "key"
    """Names the row."""
    EXACT = "exact"
    """Configuration or state: any difference is a change."""
    COUNTER = "counter"
    """Only grows, until it wraps, saturates or is reset; compared as a delta."""
    MEASURE = "measure"
    """A measurement; compared within a tolerance."""
    VOLATILE = "volatile"
    """Different on every reading; never compared."""


def _described(kind: Kind, meaning: str, source: str, default: Any, **more: Any) -> Any:
    metadata = {"kind": kind, "meaning": meaning, "source": source, **more}
    return field(metadata=metadata, default=default)


def key(meaning: str, *, source: str = "", repeat: bool = False) -> Any:
    """A field that names the row; it has no default. ``repeat``: it only numbers repetitions of the same thing."""
    return _described(Kind.KEY, meaning, source, MISSING, repeat=repeat)


def exact(meaning: str, *, source: str = "", default: Any = None, tolerance: float = 0.0) -> Any:
    """Configuration or state.

    ``tolerance`` (a share) is what hardware rounds: within it, what was set and what is in force are the same.
    """
    return _described(Kind.EXACT, meaning, source, default, tolerance=tolerance)


def counter(meaning: str, *, source: str = "", traffic: bool = False) -> Any:
    """A value that only grows. ``traffic``: it counts plain traffic, so that its growth says nothing."""
    return _described(Kind.COUNTER, meaning, source, None, traffic=traffic)


def measure(meaning: str, *, source: str = "", tolerance: float = 0.05) -> Any:
    """A measurement, equal to another within ``tolerance`` (a share)."""
    return _described(Kind.MEASURE, meaning, source, None, tolerance=tolerance)


def volatile(meaning: str, *, source: str = "") -> Any:
    """A value that says nothing by being different."""
    return _described(Kind.VOLATILE, meaning, source, None)


ClassT = TypeVar("ClassT")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _frozen_in_types(cls: type[ClassT]) -> type[ClassT]:
    """A dataclass that only the type checker freezes: doing so at run time makes each fact three times as dear."""
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)


@_frozen_in_types
class Fact:
    """Base of all facts; ``line`` is the 1-based line of the output it was read from."""

    TABLE: ClassVar[str] = ""
    PASSING: ClassVar[bool] = False
    """Rows come and go with what the target happens to see or to run: two captures are not compared by them."""
    line: int | None = field(
        default=None,
        compare=False,
        metadata={"kind": Kind.VOLATILE, "meaning": "line of the evidence", "source": ""},
    )


FactT = TypeVar("FactT", bound=Fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table, as ``fabric-audit explain TABLE`` prints it."""

    name: str
    type: str
    kind: Kind
    meaning: str
    source: str
    tolerance: float
    repeat: bool
    traffic: bool


# Only key() is told to the type checker: a call without default= is a field that must be given.
@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key,))
def table(cls: type[FactT]) -> type[FactT]:
    """Make a class a fact table; its name in snake_case is the table's name."""
    made = _frozen_in_types(cls)
    made.TABLE = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key,))
def passing(cls: type[FactT]) -> type[FactT]:
    """A table whose rows come and go by themselves, see ``Fact.PASSING``."""
    made = table(cls)
    made.PASSING = True
    return made


_DESCRIBED: dict[type[Fact], tuple[Column, ...]] = {}


def columns(fact: type[Fact]) -> tuple[Column, ...]:
    """The columns of a table, in the order they are written."""
    if fact not in _DESCRIBED:
        described = [f for f in fields(fact) if "kind" in f.metadata and f.name != "line"]
        _DESCRIBED[fact] = tuple(
            Column(
                name=f.name,
                type=f.type.__name__ if isinstance(f.type, type) else str(f.type),
                kind=f.metadata["kind"],
                meaning=f.metadata["meaning"],
                source=f.metadata["source"],
                tolerance=f.metadata.get("tolerance", 0.0),
                repeat=f.metadata.get("repeat", False),
                traffic=f.metadata.get("traffic", False),
            )
            for f in described
        )
    return _DESCRIBED[fact]


@cache
def all_tables() -> Mapping[str, type[Fact]]:
    """Every table by its name: a new file in this folder adds its own."""
    found: dict[str, type[Fact]] = {}
    for module in iter_modules(__path__):
        for value in vars(import_module(f"{__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Fact) and value.TABLE:
                found[value.TABLE] = value
    return MappingProxyType(dict(sorted(found.items())))
