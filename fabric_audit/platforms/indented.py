"""Configurations written as indented blocks, as EOS, NX-OS and their like print them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.text import numbered

_COMMENT = re.compile(r"\s*!")


@dataclass(frozen=True, slots=True)
class Block:
    """One line of a configuration with the lines below it.

    Attributes:
        line: 1-based number in the text.
        text: the line without its indentation.
        children: the lines indented below it.
    """

    line: int
    text: str
    children: tuple["Block", ...] = ()

    def match(self, pattern: str) -> re.Match[str] | None:
        """The line as a whole against a regular expression."""
        return _compiled(pattern).fullmatch(self.text)

    def find(self, pattern: str) -> Iterator[tuple["Block", re.Match[str]]]:
        """Children whose whole line matches, in order."""
        return find(self.children, pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Patterns are many and each is used for every port: more than :mod:`re` itself remembers."""
    return re.compile(pattern)


def find(blocks: Sequence[Block], pattern: str) -> Iterator[tuple[Block, re.Match[str]]]:
    """Blocks whose whole line matches a regular expression, in order."""
    compiled = _compiled(pattern)
    for block in blocks:
        found = compiled.fullmatch(block.text)
        if found:
            yield block, found


def last(blocks: Sequence[Block], pattern: str) -> tuple[Block, re.Match[str]] | None:
    """The last block whose whole line matches: a later line overrides an earlier one."""
    found = None
    for found in find(blocks, pattern):  # noqa: B007 - the last one is wanted
        pass
    return found


@dataclass(slots=True)
class _Open:
    depth: int
    line: int
    text: str
    children: list[Block] = field(default_factory=list)

    def closed(self) -> Block:
        return Block(self.line, self.text, tuple(self.children))


def blocks(
    text: str,
    *,
    ends_of_text: Callable[[str], str | None] = lambda _line: None,
    flat_depths: Sequence[str] = (),
) -> tuple[Block, ...]:
    """The top-level lines of a configuration, each with its block.

    Args:
        text: the configuration. Comments (``!``), empty lines and what a console printed in between are left out.
        ends_of_text: for a line that opens free text (a banner, a comment), the line that ends it, else None.
        flat_depths: regular expressions of the lines that open a block of depth 0, 1, ...; used where a
            configuration lost all its indentation, as one that was pasted from a document.
    """
    lines = list(_configured(text, ends_of_text))
    if not any(depth for _, depth, content in lines if content):
        lines = list(_indented_again(lines, flat_depths))
    root = _Open(-1, 0, "")
    path = [root]
    for number, depth, content in lines:
        if not content:
            continue
        while depth <= path[-1].depth:
            done = path.pop()
            path[-1].children.append(done.closed())
        path.append(_Open(depth, number, content))
    while len(path) > 1:
        done = path.pop()
        path[-1].children.append(done.closed())
    return tuple(root.children)


def _configured(text: str, ends_of_text: Callable[[str], str | None]) -> Iterator[tuple[int, int, str]]:
    end: str | None = None
    for number, line in numbered(text):
        content = line.strip()
        if end is not None:
            end = None if content == end or (len(end) == 1 and end in content) else end
        elif _COMMENT.match(line):
            yield number, 0, ""
        elif content and not is_noise(line):
            yield number, len(line) - len(line.lstrip()), content
            end = ends_of_text(content)


def _indented_again(lines: Sequence[tuple[int, int, str]], openers: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    compiled = [re.compile(opener) for opener in openers]
    depth = 0
    for number, _, content in lines:
        opened = next((i for i, opener in enumerate(compiled) if opener.match(content)), None)
        if not content:
            depth = 0
        elif opened is not None and opened <= depth:
            yield number, opened, content
            depth = opened + 1
        else:
            yield number, depth, content
