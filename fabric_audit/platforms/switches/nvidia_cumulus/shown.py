"""What ``nv show`` prints as text, taken apart: a tree of settings, and titled tables behind it.

A tree has the columns ``operational`` and ``applied``; a table has a title underlined with ``=``. Both have a rule
of dashes under their header, and the rule, not the header, tells where columns start: headers slip.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.text import decimal, numbered

_RULE = re.compile(r"\s*-+(?:\s+-+)+\s*")
_COLUMN = re.compile(r"-+")
_CELLS = re.compile(r"\s{2,}")
_LINE = re.compile(r"-{10,}")
_UNDERLINE = re.compile(r"=+")
_INTERFACE = re.compile(r"Interface: (\S+)")
_ECHO = re.compile(r"\S+[$#] (?:sudo )?(?P<command>nv show .*)")
_SIZE = re.compile(r"([\d.,]+) ?(B|Bytes?|KB|MB|GB|TB)?")
_REST = re.compile(r"[\d.,]+|B|KB|MB|GB|TB|%")
"""A line that is the end of the one above: no setting is called so."""
_BYTES = {"KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}
_NOTHING = ("", "-", "n/a", "N/A", "none")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: its cells by the names of the columns; the first, unnamed column is ``#``."""

    line: int
    cells: Mapping[str, str]

    def need(self, name: str) -> str:
        """A cell that the table must have.

        Raises:
            ParseError: it has no such column.
        """
        if name not in self.cells:
            raise ParseError(self.line, "  ".join(self.cells), f"a column {name}")
        return self.cells[name]


@dataclass(frozen=True, slots=True)
class Table:
    """One titled table; ``interface`` is the port it stands under, where the text goes through all of them."""

    title: str
    line: int
    rows: tuple[Row, ...]
    interface: str = ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One setting of the tree; a heading has no value."""

    operational: str
    applied: str
    line: int

    @property
    def value(self) -> str:
        """What is in force, else what was applied."""
        return self.operational or self.applied


@dataclass(frozen=True, slots=True)
class Shown:
    """One answer: settings by their path, such as ``pfc.pfc-priority``, tables, and the echoed command."""

    leaves: Mapping[str, Leaf]
    tables: tuple[Table, ...]
    command: str = ""

    def port(self, item: str) -> str:
        """The port this is about: that of the echoed command, else the one that was asked.

        Raises:
            ParseError: neither tells one.
        """
        echoed = re.match(r"nv show interface (\S+) ", self.command)
        if not echoed and not item:
            raise ParseError(1, "", "the port: the echoed command `nv show interface PORT ...`, or --item PORT")
        return echoed[1] if echoed else item

    def answers(self, pattern: str) -> "Shown":
        """This, where the echoed command is as expected, or none was echoed.

        Raises:
            ParseError: another command was echoed.
        """
        if self.command and not re.match(pattern, self.command):
            raise ParseError(1, self.command, "the answer to another command")
        return self

    def value(self, *paths: str) -> str:
        """The value of the first of these settings that is there; "" where none is."""
        return next((self.leaves[path].value for path in paths if path in self.leaves), "")

    def line(self, *paths: str) -> int:
        """The line of the first of these settings that is there."""
        return next((self.leaves[path].line for path in paths if path in self.leaves), 1)

    def table(self, title: str) -> Table | None:
        """The first table whose title starts so."""
        return next((table for table in self.tables if table.title.startswith(title)), None)


@dataclass(slots=True)
class _Reader:
    leaves: dict[str, Leaf] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    command: str = ""
    interface: str = ""
    title: tuple[int, str] = (0, "")
    spans: tuple[tuple[int, int | None], ...] = ()
    names: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    path: list[tuple[int, str]] = field(default_factory=list)


def shown(text: str) -> Shown:
    """Take an answer apart; prompts, log lines and a closing ``...`` are left out.

    Raises:
        ParseError: there is neither tree nor table, or a line belongs to neither.
    """
    reader = _Reader()
    before: tuple[int, str] = (0, "")
    for number, line in numbered(text):
        echoed = _ECHO.fullmatch(line.strip())
        reader.command = echoed["command"] if echoed else reader.command
        if is_noise(line):
            continue
        if _starts(reader, number, line, before):
            before = (0, "")
            continue
        if before[1]:
            _body(reader, *before)
        before = (number, line)
    if before[1] and before[1].strip() != "No Data":
        _body(reader, *before)
    _closed(reader)
    if not reader.leaves and not reader.tables:
        raise ParseError(before[0], before[1], "what `nv show` prints: columns operational and applied, or a table")
    return Shown(reader.leaves, tuple(reader.tables), reader.command)


def _starts(reader: _Reader, number: int, line: str, before: tuple[int, str]) -> bool:
    """Whether this line makes the one before it a title, a heading of a port, or the header of columns."""
    content = line.strip()
    named = _INTERFACE.fullmatch(content)
    if named:
        _closed(reader)
        reader.interface, reader.title = named[1], (number, "")
    elif _LINE.fullmatch(content):
        if before[1]:
            _body(reader, *before)
    elif _UNDERLINE.fullmatch(content) and before[1]:
        _closed(reader)
        reader.title = (before[0], before[1].strip())
    elif _RULE.fullmatch(line) and before[1]:
        _columns(reader, line, *before)
    else:
        return False
    return True


def _columns(reader: _Reader, rule: str, number: int, header: str) -> None:
    starts = [found.start() for found in _COLUMN.finditer(rule)]
    reader.spans = tuple(zip(starts, [*starts[1:], None], strict=True))
    names = [name for name in _CELLS.split(header.strip()) if name]
    if len(names) == len(starts) - 1:
        names.insert(0, "#")
    if len(names) != len(starts):
        raise ParseError(number, header, f"{len(starts)} columns, as the rule below has")
    reader.names = tuple(names)


def _body(reader: _Reader, number: int, line: str) -> None:
    if not reader.names:
        if reader.title[1]:
            return
        raise ParseError(number, line, "a header with a rule of dashes below it")
    if {"operational", "applied"} & set(reader.names):
        _leaf(reader, number, line)
    else:
        reader.rows.append(Row(number, _cells(reader, number, line)))


def _cells(reader: _Reader, number: int, line: str) -> dict[str, str]:
    """Cells parted by two blanks; where some are empty, by the columns."""
    cells = [cell for cell in _CELLS.split(line.strip()) if cell]
    if len(cells) != len(reader.names):
        cells = [line[start:end].strip() for start, end in reader.spans]
        if any(line[start - 1 : start].strip() for start, _ in reader.spans if start):
            raise ParseError(number, line, f"cells under {', '.join(reader.names)}")
    return dict(zip(reader.names, cells, strict=True))


def _leaf(reader: _Reader, number: int, line: str) -> None:
    cells = dict(zip(reader.names, (line[start:end].strip() for start, end in reader.spans), strict=True))
    slipped = any(line[start - 1 : start].strip() for start, _ in reader.spans if start)
    if slipped or _REST.fullmatch(line) or _CELLS.search(cells[reader.names[0]]):
        raise ParseError(number, line, f"values under {' and '.join(reader.names[1:])}")
    depth = len(line) - len(line.lstrip())
    while reader.path and reader.path[-1][0] >= depth:
        reader.path.pop()
    reader.path.append((depth, cells[reader.names[0]].strip("[]")))
    leaf = Leaf(cells.get("operational", ""), cells.get("applied", ""), number)
    path = ".".join(name for _, name in reader.path)
    reader.leaves[path] = _joined(reader.leaves[path], leaf) if path in reader.leaves else leaf


def _joined(first: Leaf, more: Leaf) -> Leaf:
    """A setting of several values has a line for each."""
    operational, applied = (
        ",".join(value for value in values if value)
        for values in ((first.operational, more.operational), (first.applied, more.applied))
    )
    return Leaf(operational, applied, first.line)


def _closed(reader: _Reader) -> None:
    """End the table that is being read; a tree has no rows."""
    if reader.names and reader.rows:
        reader.tables.append(Table(reader.title[1], reader.rows[0].line, tuple(reader.rows), reader.interface))
    reader.names, reader.spans, reader.rows, reader.path, reader.title = (), (), [], [], (0, "")


def size_bytes(text: str, line: int) -> int | None:
    """Bytes of ``146.48 KB``, ``25000 B`` or ``0 Bytes``: NVUE's KB is 1,024 bytes; None for ``-`` and ``inf``.

    Raises:
        ParseError: the text is something else.
    """
    cleaned = text.strip()
    if cleaned in (*_NOTHING, "inf"):
        return None
    found = _SIZE.fullmatch(cleaned)
    if not found:
        raise ParseError(line, text, "a size such as 146.48 KB")
    number = decimal(found[1], line)
    return None if number is None else round(number * _BYTES.get(found[2] or "", 1))


def numbers(text: str, line: int, limit: int = 7) -> tuple[int, ...]:
    """The numbers of ``0,3``, ``0-2,5`` or ``-`` (none).

    Raises:
        ParseError: one is no number from 0 to ``limit``.
    """
    return tuple(_each(text, line, limit))


def _each(text: str, line: int, limit: int) -> Iterator[int]:
    if text.strip() in _NOTHING:
        return
    for part in re.split(r"[,\s]+", text.strip()):
        found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", part)
        if not found or int(found[2] or found[1]) > limit or int(found[2] or found[1]) < int(found[1]):
            raise ParseError(line, text, f"numbers of 0 to {limit}")
        yield from range(int(found[1]), int(found[2] or found[1]) + 1)


def flag(text: str) -> bool | None:
    """``on``, ``yes``, ``enabled``, ``enable`` and ``true`` alike: releases spell it differently; None for others."""
    word = text.strip().lower()
    if word in ("on", "yes", "enabled", "enable", "true"):
        return True
    return False if word in ("off", "no", "disabled", "disable", "false") else None
