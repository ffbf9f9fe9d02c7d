"""Tabs: YAML forbids them in indentation, editors put them there.

Each is a fault. So that the rest of the file is still read for its own faults, the text is mended the way it
was most likely meant.
"""

import re
from collections.abc import Iterator

_FIRST_TAB = re.compile(r"[^\"'#\t]*(\t)")
_INDENT = re.compile(r"[ \t]*")


def tabs(lines: list[str]) -> dict[int, int]:
    """Line → column, both from 1, of the first tab that stands outside quotes and comments."""
    found = {}
    for number, line in enumerate(lines, start=1):
        if tab := _FIRST_TAB.match(line):
            found[number] = tab.start(1) + 1
    return found


def mended(lines: list[str]) -> Iterator[str]:
    """The text without its tabs, the likeliest meaning first; the last leaves the lines out."""
    numbers = tabs(lines)
    yield "\n".join(_like_the_line_above(lines, numbers))
    for width in (2, 4, 8):
        yield "\n".join(
            _reindented(line, " " * (width * line[: len(_indent(line))].count("\t"))) if n in numbers else line
            for n, line in enumerate(lines, start=1)
        )
    yield "\n".join("" if n in numbers else line for n, line in enumerate(lines, start=1))


def _like_the_line_above(lines: list[str], numbers: dict[int, int]) -> Iterator[str]:
    above = ""
    for number, line in enumerate(lines, start=1):
        made = line
        if number in numbers:
            deeper = "  " if above.rstrip().endswith(":") else ""
            made = _reindented(line, _indent(above) + deeper if "\t" in _indent(line) else _indent(line))
        if made.strip():
            above = made
        yield made


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found.group() if found else ""


def _reindented(line: str, indent: str) -> str:
    return indent + line[len(_indent(line)) :].replace("\t", " ")
