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

from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended
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

    Lines that are no part of a block are listed, and so are blocks that were cut, and a text without any.
    """
    block: _Open | None = None
    seen = False
    whole, cut = ended(text)
    for number, line in numbered(whole):
        title = _TITLE.fullmatch(line)
        if title and not (block and block.fenced):
            yield from _unfinished(block)
            block = _Open(title[1], Entry(title[2], number, {}, {}))
            seen = True
        elif _DASHES.fullmatch(line) and block:
            if block.entry.fields:
                yield block.kind, block.entry
                block = None
            else:
                block.fenced = True
        elif block and block.fenced and (field := _FIELD.fullmatch(line)):
            block.entry.fields[field[1]] = field[2]  # type: ignore[index]  # its own mapping, still growing
            block.entry.lines[field[1]] = number  # type: ignore[index]  # the same
        elif not is_noise(line) and not CHATTER.match(line):
            yield Skipped(number, line, expected)
            if block and block.fenced:  # the field above may go on in this line
                yield from _unfinished(block)
                block = None
    yield from _unfinished(block)
    yield from cut
    if not seen:
        yield Skipped(0, text.strip()[:200], expected)


def _unfinished(block: _Open | None) -> Iterator[Skipped]:
    if block:
        yield Skipped(block.entry.line, f"{block.kind}: {block.entry.key}", "a block that ends with a line of dashes")
