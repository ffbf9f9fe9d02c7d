"""Blocks of fields as ``mmuconfig``, ``buffershow`` and ``ecnconfig`` print them.

::

    Pool: ingress_lossless_pool
    ----  --------
    mode  dynamic
    size  32732160
    ----  --------

The second line of dashes ends a block; one without it was cut, and its last value may have lost digits.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.switches.sonic.database import Entry
from fabric_audit.platforms.switches.sonic.simple_tables import CHATTER
from fabric_audit.platforms.text import numbered

_TITLE = re.compile(r"\s*([A-Z][\w ]*?):\s*(\S*)")
_DASHES = re.compile(r"\s*-+\s+-+")
_FIELD = re.compile(r"\s*(\S+)\s+(\S.*)")


@dataclass(slots=True)
class _Open:
    """The block that is being read."""

    kind: str
    entry: Entry
    fenced: bool = False


def blocks(text: str, expected: str) -> Iterator[tuple[str, Entry] | Skipped]:
    """(kind, entry) of every block, such as ``("Pool", ingress_lossless_pool)``.

    Lines that are no part of a block are listed, and so are blocks that were cut.

    Raises:
        ParseError: there is no whole block.
    """
    skipped: list[Skipped] = []
    block: _Open | None = None
    whole = 0
    for number, line in numbered(text):
        title = _TITLE.fullmatch(line)
        if title and not (block and block.fenced):
            block = _opened(block, title, number, skipped)
        elif _DASHES.fullmatch(line) and block:
            if block.fenced:
                yield block.kind, block.entry
                whole, block = whole + 1, None
            else:
                block.fenced = True
        elif block and block.fenced and (field := _FIELD.fullmatch(line)):
            block.entry.fields[field[1]] = field[2]  # type: ignore[index]  # its own mapping, still growing
            block.entry.lines[field[1]] = number  # type: ignore[index]  # the same
        elif not is_noise(line) and not CHATTER.match(line):
            skipped.append(Skipped(number, line, expected))
    if block:
        skipped.append(Skipped(block.entry.line, block.entry.key, "a block that ends with a line of dashes"))
    if not whole:
        first = skipped[0] if skipped else Skipped(0, text.strip()[:200], expected)
        raise ParseError(first.line, first.text, first.expected)
    yield from skipped


def _opened(before: _Open | None, title: re.Match[str], number: int, skipped: list[Skipped]) -> _Open:
    if before:
        skipped.append(Skipped(before.entry.line, before.entry.key, "a block of fields below its title"))
    return _Open(title[1], Entry(title[2], number, {}, {}))
