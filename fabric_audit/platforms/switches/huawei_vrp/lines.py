"""Tables of VRP: a header between rules of dashes, rows below it; and what soils them.

The pager leaves ``---- More ----`` in front of the next line when paging could not be switched off.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Answer, Missing, Why
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.huawei_vrp.names import NAME, canonical
from fabric_audit.platforms.text import consistent, numbered

BYTES_PER_KB = 1024
"""VRP prints 6272 cells of 208 bytes as 1274 KBytes (display qos buffer-usage)."""

_PAGER = re.compile(r"^\s*-+ ?More ?-+\s*")
_NOISE = re.compile(
    r"\s*(?:<[^<>]+>.*|\[[~*]?[^\[\]]+\](?:dis\w* .*)?"
    r"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:\d\d)?|(?:Info|Warning): .*)"
)
_ECHO = re.compile(rf"^\S*[>\]] ?dis\w* .*\binterface ({NAME}|[A-Za-z0-9-]*[A-Za-z] \d[\d/:.]*)", re.MULTILINE)
_RULE = re.compile(r"\s*-{8,}\s*")


def lines(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) without prompts, time stamps, log lines and what a pager left."""
    for number, line in numbered(text):
        clean = _PAGER.sub("", line)
        if not is_noise(clean) and not _NOISE.fullmatch(clean):
            yield number, clean


def echoed_port(text: str, item: str) -> str:
    """The port of an answer that does not name it: of the echoed command, else the one that was asked.

    Raises:
        ParseError: neither tells one, or several commands were caught.
    """
    found = _ECHO.finditer(text)
    ports = list(dict.fromkeys([canonical(echo[1]) for echo in found])) or [canonical(item)] * bool(item)
    if not ports:
        raise ParseError(1, "", "the port: the echoed command `display ... interface PORT`, or --item PORT")
    if len(ports) > 1:
        raise ParseError(1, ", ".join(ports), "the answer to one command")
    return ports[0]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table; ``port`` is that of the row, or of the last one that named it."""

    line: int
    cells: re.Match[str]
    port: str = ""

    def __getitem__(self, name: str) -> str:
        return self.cells[name] or ""

    def count(self, name: str) -> int | None:
        """A cell as a whole number; None for ``-``. The pattern of the row lets nothing else through."""
        return None if self.cells[name] in (None, "-", "--") else int(self.cells[name])


def rows(text: str, header: str, row: str, *, ruled: bool = True, also: str = r"(?!)") -> Iterator[Row]:
    """The rows of the table with this header.

    Args:
        text: the answer.
        header: regular expression of the header's first line, without surrounding blanks.
        row: regular expression of a row; a group ``port`` that is empty takes the port of the row before.
        ruled: a rule of dashes stands between header and rows.
        also: regular expression of lines that are no rows and no fault.

    Raises:
        ParseError: there is no such header, or a line of the table is no row.
    """
    compiled, port, state = re.compile(row), "", "before"
    for number, line in lines(text):
        content = line.strip()
        if re.fullmatch(header, content):
            state = "header" if ruled else "rows"
        elif _RULE.fullmatch(line):
            state = "rows" if state == "header" else state
        elif state == "rows" and not re.fullmatch(also, content):
            found = compiled.fullmatch(content)
            if not found or (not found.groupdict().get("port", "x") and not port):
                raise ParseError(number, line, _words(header))
            port = found.groupdict().get("port") or port
            yield Row(number, found, port)
    if state == "before":
        first = next(((n, line) for n, line in lines(text)), (0, ""))
        raise ParseError(*first, _words(header))


def _words(header: str) -> str:
    return "a table " + re.sub(r"\\S\+|\\s[+*]|\\\(|\\\)|\(\?:|\)\?|\.\*|\\", " ", header).replace("  ", " ").strip()


def answers(
    text: str, read: Callable[[str], Iterator[Answer]], yields: tuple[type[Fact], ...], words: str = "no row"
) -> Iterator[Answer]:
    """What ``read`` makes of the whole lines of the text; a row that is told twice is told once.

    Where VRP says nothing but ``Info: ...``, there are no rows, for that reason.
    """
    only = [line.strip() for _, line in numbered(text) if re.match(r"\s*Info: ", line)]
    if only and not any(True for _ in lines(text)):
        yield from (Missing(fact.TABLE, Why.ABSENT, only[0]) for fact in yields)
    else:
        yield from consistent(of_whole_lines(text, read, yields, words))


def kilobytes(value: int | None) -> int | None:
    """KB of VRP as bytes."""
    return None if value is None else value * BYTES_PER_KB
