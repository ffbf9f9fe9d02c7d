"""Lines of Comware without prompts, and tables that it wraps at 80 columns."""

import re
from collections.abc import Callable, Iterator

from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.text import consistent, numbered

WIDTH = 80
"""Columns of a session: Comware knows no command to change it."""

_NOISE = re.compile(r"\s*(?:<[^<>]+>.*|\[[^\[\]]+\](?:dis\w* .*)?|%(?:@\d+)?[A-Z]\w{2} .*|-{4} ?More ?-{4})")
_PAGER = re.compile(r"^\s*-+ ?More ?-+\s*")


def lines(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) without prompts, log lines and what a pager left; no-break spaces are blanks."""
    for number, line in numbered(text):
        clean = _PAGER.sub("", line.replace("\xa0", " "))
        if not is_noise(clean) and not _NOISE.fullmatch(clean):
            yield number, clean


def is_prompt(line: str) -> bool:
    """A prompt with what was typed there, a log line, or a pager's remnant."""
    return _NOISE.fullmatch(line) is not None


def unwrapped(text: str, goes_on: str) -> Iterator[tuple[int, str]]:
    """The lines, each with what stands below it because it was longer than the session is wide.

    Args:
        text: the answer.
        goes_on: regular expression of the start of a line that is the rest of the one above.
    """
    pending: tuple[int, str] | None = None
    for number, line in lines(text):
        if pending and re.match(goes_on, line):
            yield pending[0], pending[1].ljust(WIDTH) + line
            pending = None
            continue
        if pending:
            yield pending
        pending = number, line
    if pending:
        yield pending


def answers(
    text: str, read: Callable[[str], Iterator[Answer]], yields: tuple[type[Fact], ...], words: str = "no row"
) -> Iterator[Answer]:
    """What ``read`` makes of the whole lines of the text; a row that is told twice is told once."""
    yield from consistent(of_whole_lines(text, read, yields, words))


def first_line(text: str) -> tuple[int, str]:
    """The first line that says anything."""
    return next(((number, line) for number, line in lines(text) if line.strip()), (0, ""))
