"""What each counter of each driver means: closed tables, one a driver, in ``*.counters.tsv`` beside the vendor.

A table's first lines say what it is for and what it rests on::

    # for: hw_counters            which kind of text its names stand in
    # optional prefix: vport_     a prefix that changes nothing about the meaning
    # source: ...                 where the meanings of the rows below are written down

    name <TAB> class <TAB> unit <TAB> width <TAB> meaning [<TAB> field of pfc_counter]

``name`` may hold ``{p}``, a priority from 0 to 7, and ``{n}``, any index. ``width`` is the counter's bits, with
``saturates`` where it stops at its largest value, or ``gauge`` where it goes up and down.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from fabric_audit.facts.counters import Counter, CounterClass

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Meaning:
    """One row of a table. ``pfc`` names the column of ``pfc_counter`` that this counter fills."""

    counter_class: CounterClass
    unit: str | None
    bits: int | None
    saturates: bool | None
    scope: str
    text: str
    source: str
    pfc: str = ""


UNKNOWN = Meaning(CounterClass.OTHER, None, None, None, "unknown", "not in any table", "")
"""A counter no table has: it is kept, and judged by nobody."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a table says of one name: its meaning, and the priority that stood in the name."""

    meaning: Meaning
    priority: int | None = None


_OF_NO_TABLE = Known(UNKNOWN)


@dataclass(frozen=True, slots=True, eq=False)
class CounterTable:
    """All counters of one driver."""

    driver: str
    text: str
    prefix: str
    exact: Mapping[str, Meaning]
    patterns: tuple[tuple[re.Pattern[str], Meaning], ...]

    @property
    def rows(self) -> int:
        """How many names and patterns it has."""
        return len(self.exact) + len(self.patterns)

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """What its rows mean."""
        return (*self.exact.values(), *(meaning for _, meaning in self.patterns))

    def known(self, name: str) -> Known | None:
        """What the table says of ``name``; None where it has no row for it."""
        return _looked_up(self, name)

    def meaning(self, name: str) -> Known:
        """What the table says of ``name``, :data:`UNKNOWN` where it has no row for it."""
        return self.known(name) or _OF_NO_TABLE


@lru_cache(maxsize=20_000)
def _looked_up(table: CounterTable, name: str) -> Known | None:
    plain = name.removeprefix(table.prefix)
    if plain in table.exact:
        return Known(table.exact[plain])
    for pattern, meaning in table.patterns:
        found = pattern.fullmatch(plain)
        if found:
            priority = found.groupdict().get("p")
            return Known(meaning, None if priority is None else int(priority))
    return None


@cache
def counter_tables() -> Mapping[str, CounterTable]:
    """Every table by its driver's name: a new file adds its own."""
    return {path.name.split(".")[0]: _read(path) for path in sorted(_HERE.rglob("*.counters.tsv"))}


def table_that_fits(text: str, names: Iterable[str], device: str = "") -> CounterTable:
    """The table for this kind of text that has most of the names.

    Counter names tell the driver better than ``device`` does, which may be called anything; it decides between
    tables that have as many of the names, and after it the smaller table. bnxt_re has taken over names of mlx5, but
    not the 32 bits behind them.
    """
    return _best(text, tuple(names), device)


@lru_cache(maxsize=1000)
def _best(text: str, names: tuple[str, ...], device: str) -> CounterTable:
    def fit(table: CounterTable) -> tuple[int, bool, int]:
        hits = sum(table.known(name) is not None for name in names)
        return hits, device.startswith(table.driver.split("_ib")[0]), -table.rows

    return max((table for table in counter_tables().values() if table.text == text), key=fit)


def counter_fact(
    known: Known,
    *,
    port: str,
    name: str,
    value: int | None,
    source: str,
    line: int | None = None,
    refresh_s: float | None = None,
) -> Counter:
    """A counter with all that is known of it."""
    meaning = known.meaning
    return Counter(
        port=port,
        name=name,
        value=value,
        counter_class=meaning.counter_class,
        unit=meaning.unit,
        bits=meaning.bits,
        saturates=meaning.saturates,
        scope=meaning.scope,
        refresh_s=refresh_s,
        source=source,
        line=line,
    )


def _read(path: Path) -> CounterTable:
    heads: dict[str, str] = {}
    exact: dict[str, Meaning] = {}
    patterns: list[tuple[re.Pattern[str], Meaning]] = []
    for line in path.read_text("utf-8").splitlines():
        head = re.fullmatch(r"# (for|optional prefix|source): (.*)", line)
        if head:
            heads[head[1]] = head[2]
        elif line and not line.startswith("#"):
            name, meaning = _row(line, heads["source"])
            if "{" in name:
                patterns.append((_pattern(name), meaning))
            else:
                exact[name] = meaning
    return CounterTable(path.name.split(".")[0], heads["for"], heads.get("optional prefix", ""), exact, tuple(patterns))


def _row(line: str, source: str) -> tuple[str, Meaning]:
    name, kind, unit, width, text, *pfc = line.split("\t")
    gauge = width == "gauge"
    return name, Meaning(
        counter_class=CounterClass(kind),
        unit=unit,
        bits=None if gauge else int(width.split()[0]),
        saturates=None if gauge else width.endswith("saturates"),
        scope="gauge" if gauge else "absolute",
        text=text,
        source=source,
        pfc="".join(pfc),
    )


def _pattern(name: str) -> re.Pattern[str]:
    quoted = re.escape(name).replace(r"\{p\}", "(?P<p>[0-7])").replace(r"\{n\}", "[0-9]{1,5}")
    return re.compile(quoted)
