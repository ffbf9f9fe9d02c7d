"""Tables as SONiC's commands print them: python-tabulate's ``simple`` layout.

::

      Port Rx    PFC0    PFC1          titles
    ---------  ------  ------          one run of dashes a column
    Ethernet0   1,200     201          cells under their run, right or left aligned as the title is

A cell is what stands under its run of dashes, so cells may be empty or hold blanks. A row whose right-aligned last
cell ends early was cut, and is refused: the rest of it would be a smaller number.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeVar

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended, settled, whole
from fabric_audit.platforms.text import integer, numbered

_DASHES = re.compile(r"\s*-+(?:\s+-+)+")
CHATTER = re.compile(r"For namespace|Namespace |.*Last cached time was")
"""Lines between tables that say which ASIC a table is of, or when its counters were cleared."""

_PORT = re.compile(r"(?=.*\d)[A-Za-z][\w./:|-]*|CPU")

_NAME = re.compile(r"[A-Za-z][\w.-]*")

ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table, its cells by title."""

    line: int
    cells: Mapping[str, str]

    def __getitem__(self, title: str) -> str:
        """The cell, which must not be empty.

        Raises:
            ParseError: there is no such column, or nothing stands in it.
        """
        cell = self.cells.get(title, "")
        if not cell:
            raise ParseError(self.line, "  ".join(self.cells.values()), f"a value for {title}")
        return cell

    def port(self, title: str) -> str:
        """An interface's name: it has a number and no blanks; the CPU's port has neither.

        Raises:
            ParseError: the cell is empty or something else.
        """
        if not _PORT.fullmatch(self[title]):
            raise ParseError(self.line, self[title], f"{title}: a name such as Ethernet0")
        return self[title]

    def name(self, title: str) -> str:
        """A name: it begins with a letter and has no blanks.

        Raises:
            ParseError: the cell is empty or something else.
        """
        if not _NAME.fullmatch(self[title]):
            raise ParseError(self.line, self[title], f"{title}: a name")
        return self[title]

    def get(self, title: str, default: str = "") -> str:
        """The cell, ``default`` where there is no such column."""
        return self.cells.get(title, default)

    def count(self, title: str) -> int | None:
        """A counter: a whole number, None for N/A.

        Raises:
            ParseError: the cell is empty or something else.
        """
        return integer(self[title], self.line, f"a number for {title}")

    def choice(self, title: str, words: Mapping[str, ValueT]) -> ValueT | None:
        """What the word in the cell means; None for N/A.

        Raises:
            ParseError: the cell is empty, or its word is none of ``words``.
        """
        word = self[title].lower()
        if word == "n/a":
            return None
        if word not in words:
            raise ParseError(self.line, self[title], f"{title}: one of {', '.join(words)}")
        return words[word]


@dataclass(frozen=True, slots=True)
class Header:
    """The titles of a table; rows follow."""

    line: int
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A line that is no row of a table."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the columns of a table lie."""

    titles: tuple[str, ...]
    runs: tuple[tuple[int, int], ...]
    lefts: tuple[bool, ...]
    rights: tuple[bool, ...]

    @property
    def width(self) -> int:
        return self.runs[-1][1]

    def cells(self, text: str) -> Mapping[str, str] | None:
        """The cells of a row; None where the line is none, or was cut."""
        short = self.rights[-1] and len(text) < self.width
        whole = text.rjust(self.width) if short else text  # blanks in front of it may be lost, digits at its end not
        if self._fits(whole):
            return self._named([whole[start:end].strip() for start, end in self.runs])
        words = re.split(r"\s{2,}", text.strip())
        words = words if len(words) == len(self.runs) else text.split()
        return self._named(words) if len(words) == len(self.runs) and not short else None

    def _named(self, cells: list[str]) -> Mapping[str, str]:
        return dict(zip(self.titles, cells, strict=True))

    def _fits(self, text: str) -> bool:
        if text[: self.runs[0][0]].strip() or text[self.width :].strip():
            return False
        if any(text[end:start].strip() for (_, end), (start, _) in pairwise(self.runs)):
            return False
        return all(
            self._aligned(text[start:end].ljust(end - start), left, right)
            for (start, end), left, right in zip(self.runs, self.lefts, self.rights, strict=True)
        )

    @staticmethod
    def _aligned(cell: str, left: bool, right: bool) -> bool:
        if not cell.strip() or "." in cell:  # numbers with a fraction are aligned at the point
            return True
        return not (right and cell[-1] == " ") and not (left and cell[0] == " ")


def _columns(title: str, dashes: str) -> _Columns | None:
    runs = tuple((found.start(), found.end()) for found in re.finditer("-+", dashes))
    excess = len(title) - runs[-1][1]
    if excess > 0 and not title[:excess].strip():  # blanks in front of it were gained
        title = title[excess:]
    if any(title[end:start].strip() for (_, end), (start, _) in pairwise(runs)) or title[: runs[0][0]].strip():
        return None
    cells = [title[start:end].ljust(end - start) for start, end in runs]
    if title[runs[-1][1] :].strip() or not all(cell.strip() for cell in cells):
        return None
    return _Columns(
        tuple(cell.strip() for cell in cells),
        runs,
        tuple(cell[0] != " " and cell[-1] == " " for cell in cells),
        tuple(cell[-1] != " " and cell[0] == " " for cell in cells),
    )


def scan(text: str, words: str = "") -> Iterator[Header | Row | Words]:
    """Headers, rows and other lines of the text, in order; a line that matches ``words`` is never a row.

    A blank line ends no table: ``show pfc counters --history`` has one after each port.
    """
    lines = list(numbered(text))
    columns: _Columns | None = None
    for position, (number, line) in enumerate(lines):
        following = lines[position + 1][1] if position + 1 < len(lines) else ""
        if _DASHES.fullmatch(following) and (found := _columns(line, following)):
            columns = found
            yield Header(number, found.titles)
        elif is_noise(line) or CHATTER.match(line) or (columns and _DASHES.fullmatch(line)):
            continue
        else:
            cells = columns.cells(line) if columns and not _matches(words, line) else None
            yield Words(number, line) if cells is None else Row(number, cells)


def _matches(pattern: str, line: str) -> bool:
    return bool(pattern) and re.match(pattern, line) is not None


def read_rows(
    text: str,
    required: tuple[str, ...],
    read: Callable[[Row], Iterator[Answer]],
    yields: tuple[type[Fact], ...],
    *,
    heading: str = "",
    chatter: str = "",
) -> Iterator[Answer]:
    """What ``read`` makes of every row of every table that has the ``required`` columns.

    With ``heading``, a table counts only below a line that matches it: some commands print the same columns and mean
    something else. Lines that match ``chatter`` belong to the command and say nothing here. A row that cannot be
    read, and any other line, is left out and listed; so is a table that does not count. A table without rows is an
    answer: there is no such thing on the box.

    Raises:
        ParseError: no table counts, or none of its rows can be read.
    """
    whole_text, cut = ended(text)
    found = _read_rows(whole_text, required, read, heading, chatter)
    yield from settled(chain(found, cut), yields, "the table has no rows")


def _read_rows(
    text: str, required: tuple[str, ...], read: Callable[[Row], Iterator[Answer]], heading: str, chatter: str
) -> Iterator[Answer]:
    wanted = seen = headed = False
    expected = f"a table with columns {', '.join(required) or 'of any name'}"
    expected += f" below {heading!r}" if heading else ""
    for event in scan(text, "|".join(filter(None, (heading, chatter)))):
        if isinstance(event, Header):
            wanted = set(required) <= set(event.titles) and (headed or not heading)
            seen = seen or wanted
            headed = False
            if not wanted:
                yield Skipped(event.line, "  ".join(event.titles), expected)
        elif isinstance(event, Row):
            yield from whole(read(event)) if wanted else ()
        elif _matches(heading, event.text):
            headed = True
        elif not _matches(chatter, event.text):
            yield Skipped(event.line, event.text, f"a row with {', '.join(required)}" if seen else expected)
    if not seen:
        yield Skipped(0, text.strip()[:200], expected)
