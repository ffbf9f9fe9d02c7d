"""One row of a results table, in any of its layouts."""

import re
from dataclasses import dataclass

from fabric_audit.facts.gpu_traffic import NcclTestRow

BITS_PER_GB = 8e9
_UNKNOWN = re.compile(r"N/A|nan|-|[Xx]+(\.[Xx]+)?|inf", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
_MODE = 4  # time, algbw, busbw, and wrong or error
_FEWEST = 11  # size, count, type and two modes
_TIMES = ("time", "cputime")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a table has its columns; ``modes`` names those of out of place and of in place."""

    columns: int
    modes: tuple[dict[str, int], dict[str, int]]
    cpu_time: bool = False
    """The time column is CPU time (-C), from which bandwidth does not follow."""


def read_layout(line: str) -> Layout | None:
    """The layout that a line of column names tells: ``# size count type redop root time algbw busbw #wrong ...``.

    ``redop`` and ``root`` are absent where old versions leave them out; ``error`` became ``#wrong`` with 2.13;
    reports per iteration add ``i_min i_max i_p99 i_cv%`` to each mode, ``-T`` a time stamp of two words.
    """
    words = line.replace("#wrong", "wrong").replace("#", " ").split()
    if words[:2] != ["size", "count"]:
        return None
    if words[-1] == "timestamp":
        words.append("")
    times = [place for place, word in enumerate(words) if word in _TIMES]
    if len(times) != 2:  # noqa: PLR2004 - out of place and in place
        return None
    first = _columns(words, times[0], times[1])
    second = _columns(words, times[1], len(words))
    if "busbw" not in first or "busbw" not in second:
        return None
    return Layout(len(words), (first, second), cpu_time="cputime" in words)


def guessed_layout(words: list[str]) -> Layout | None:
    """The layout of a row whose table lost its column names; only those of four columns a mode can be told."""
    if len(words) < _FEWEST or not (words[0].isdecimal() and words[1].isdecimal()):
        return None
    named = ["size", "count", "type"]
    if words[3].isalpha():
        named.append("redop")
    if len(words) - len(named) == 2 * _MODE + 1 and re.fullmatch(r"-?[0-9]+", words[len(named)]):
        named.append("root")
    if len(words) != len(named) + 2 * _MODE:
        return None
    checked = "wrong" if all(re.fullmatch(r"[0-9]+|N/A", words[i]) for i in (len(words) - _MODE - 1, -1)) else "error"
    mode = ["time", "algbw", "busbw", checked]
    return Layout(len(words), (_placed(mode, len(named)), _placed(mode, len(named) + _MODE)))


def _placed(mode: list[str], start: int) -> dict[str, int]:
    return {name: start + place for place, name in enumerate(mode)}


def _columns(words: list[str], start: int, end: int) -> dict[str, int]:
    return {"time" if place == start else words[place]: place for place in range(start, end)}


def read_row(words: list[str], layout: Layout, run: int, line: int) -> tuple[NcclTestRow, ...]:
    """Both modes of a row; nothing for words that do not fit the layout, as when the row is torn."""
    if len(words) != layout.columns or not (words[0].isdecimal() and words[1].isdecimal()):
        return ()
    values = [words[place] for mode in layout.modes for name, place in mode.items() if name not in ("timestamp", "")]
    if not all(_NUMBER.fullmatch(value) or _UNKNOWN.fullmatch(value) for value in values):
        return ()
    rows = tuple(
        NcclTestRow(
            run=run,
            size_bytes=int(words[0]),
            count=int(words[1]),
            in_place=in_place,
            time_us=_number(words, mode, "time"),
            algbw_bps=_bps(words, mode, "algbw"),
            busbw_bps=_bps(words, mode, "busbw"),
            wrong=None if (wrong := _number(words, mode, "wrong")) is None else int(wrong),
            error=_number(words, mode, "error"),
            line=line,
        )
        for in_place, mode in zip((False, True), layout.modes, strict=True)
    )
    return rows if layout.cpu_time or all(map(_adds_up, rows)) else ()


def _adds_up(row: NcclTestRow) -> bool:
    """Whether bandwidths follow from size and time: a lost digit shows here.

    algbw is size by time for every collective; busbw is algbw times a factor from 1/2 (two ranks, all_gather) to 2
    (all_reduce), or 0 for a single rank. Source: nccl-tests doc/PERFORMANCE.md.
    """
    if not row.time_us or not row.algbw_bps or row.busbw_bps is None:
        return True
    computed = row.size_bytes * 8e6 / row.time_us
    error = 0.006 * BITS_PER_GB + 0.02 * computed  # two decimals of GB/s; time has four digits, or two when wide
    factor_fits = not row.busbw_bps or 0.5 * computed - error <= row.busbw_bps <= 2 * computed + error
    return abs(row.algbw_bps - computed) <= error and factor_fits


def _number(words: list[str], mode: dict[str, int], name: str) -> float | None:
    word = words[mode[name]] if name in mode else ""
    return float(word) if _NUMBER.fullmatch(word) else None


def _bps(words: list[str], mode: dict[str, int], name: str) -> float | None:
    value = _number(words, mode, name)
    return None if value is None else bits_per_second(value)


def bits_per_second(gigabytes: float) -> float:
    """Bits per second of GB/s, to the last digit that two decimals of GB/s carry."""
    return float(round(gigabytes * BITS_PER_GB))
