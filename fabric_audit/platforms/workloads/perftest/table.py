"""The table of results: its heading names the columns, each row is numbers of a fixed number of decimals.

Headings of linux-rdma/perftest ``src/perftest_parameters.h`` (``RESULT_FMT*``), 2012 to 2026::

     #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
     #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]    CPU_Util[%]
     #bytes    #sl      #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
     #bytes     #iterations    BW peak[..] .. MsgRate[Mpps]   BW Port1[..]   MsgRate Port1[Mpps]   BW Port2[..] ..
     #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]
     #bytes #iterations    t_min[usec] .. t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[..]
     #bytes        #iterations       t_avg[usec]    tps average

Bandwidth has two decimals, or six where the average is below 0.1 Gb/sec; message rates have six, times have two.
A number with fewer was cut.
"""

import re
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.platforms.workloads.perftest.figures import UNITS, Bandwidth, Figure, bandwidth, figure, latency

_COLUMN = re.compile(
    r"#(?P<count>bytes|sl|iterations)"
    r"|BW (?P<bw>peak|average|Port[12])\[(?P<unit>[^\]]*)\]"
    r"|MsgRate(?P<rate> Port[12])?\[Mpps\]"
    r"|(?P<time>t_[a-z]+|[0-9.]+% percentile)\[(?:usec|cycles)\]"
    r"|(?P<other>CPU_Util\[%\]|tps average)"
)
_ROW = re.compile(r"\d+(?:\s+[-\d.]|\s+(?:inf|nan)\b|\s*$)")
_FORMS = {
    "count": re.compile(r"\d{1,15}"),
    "bw": re.compile(r"\d+\.(?:\d{2}|\d{6})|-?nan|-?inf"),
    "rate": re.compile(r"\d+\.\d{6}|-?nan|-?inf"),
    "time": re.compile(r"-?\d+\.\d{2}|-?nan|-?inf"),
    "other": re.compile(r"-?\d+\.\d{2}|-?nan|-?inf"),
}


@dataclass(frozen=True, slots=True)
class Heading:
    """The columns of a table, each with its kind and name; ``unit`` is that of its bandwidths."""

    columns: tuple[tuple[str, str], ...]
    unit: str | None

    def __add__(self, more: "Heading") -> "Heading":
        """A heading that was wrapped over two lines."""
        return Heading(self.columns + more.columns, self.unit or more.unit)


def heading(text: str, line: int) -> Heading | None:
    """The heading in a line that consists of names of columns, or None.

    Raises:
        ParseError: the line begins like a heading and goes on as none.
    """
    if "#" not in text and "[" not in text:
        return None
    found = list(_COLUMN.finditer(text))
    columns = tuple(_kind(match) for match in found)
    if not found or _COLUMN.sub("", text).strip() or len(set(columns)) < len(columns):
        if text.startswith("#bytes"):
            raise ParseError(line, text, "a heading of perftest's columns")
        return None
    units = {match["unit"] for match in found if match["unit"] is not None}
    if len(units) > 1 or not units <= UNITS.keys():
        raise ParseError(line, text, f"one unit of {', '.join(UNITS)}")
    return Heading(columns, next(iter(units), None))


def _kind(match: re.Match[str]) -> tuple[str, str]:
    """(kind, name): names are those of perftest's JSON for times."""
    if match["count"]:
        return "count", match["count"]
    if match["bw"]:
        return "bw", match["bw"]
    if match["time"]:
        return "time", re.sub(r"(.*)% percentile", r"percentile_\1", match["time"])
    return ("other", match["other"]) if match["other"] else ("rate", (match["rate"] or "").strip() or "rate")


def looks_like_row(text: str) -> bool:
    """Whether a line within a table is one of its rows, whole or torn, and no message of another program."""
    return bool(_ROW.match(text))


def row(columns: Heading, text: str, line: int, *, bidirectional: bool) -> dict[str, Any]:
    """The fields of a fact that one row fills.

    Raises:
        ParseError: it is torn, or its figures contradict each other.
    """
    words = text.split()
    if len(words) != len(columns.columns):
        raise ParseError(line, text, f"{len(columns.columns)} numbers")
    values: dict[str, Figure] = {}
    for (kind, name), word in zip(columns.columns, words, strict=True):
        if not _FORMS[kind].fullmatch(word):
            raise ParseError(line, text, f"all digits of {name}")
        values[name] = figure(word, line)
    size, iterations = int(values["bytes"].value), int(values["iterations"].value)
    if "average" not in values:
        return {"size_bytes": size} | latency(iterations, values, line)
    printed = Bandwidth(
        size=size,
        iterations=iterations,
        average=values["average"],
        peak=values.get("peak"),
        rate=values.get("rate"),
        bidirectional=bidirectional,
    )
    return {"size_bytes": size} | bandwidth(printed, columns.unit, line)
