"""Text tools that parsers of every vendor need."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import zip_longest
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.facts.tables import key_of
from fabric_audit.platforms.model import Answer, Output, Skipped

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|\x1b\][^\x07]*\x07")
_INTEGER = re.compile(r"[+-]?([0-9]{1,40}|[0-9]{1,3}(,[0-9]{3}){1,12})")
_DECIMAL = re.compile(
    r"[+-]?([0-9]{1,400}\.?[0-9]*|\.[0-9]+|[0-9]{1,3}(,[0-9]{3}){1,12}\.[0-9]*)([eE][+-]?[0-9]{1,3})?"
)
_NOTHING = frozenset({"", "-", "--", "N/A", "n/a", "NA", "None", "none", "[N/A]"})


def plain(text: str) -> str:
    """Text without ANSI sequences, carriage returns and backspaces, as a terminal would leave it."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    return text.replace("\r\n", "\n").replace("\r", "").replace("\b", "")


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """(1-based number, line) of every line of the plain text, trailing blanks cut."""
    for number, line in enumerate(plain(text).split("\n"), 1):
        yield number, line.rstrip()


def whole(text: str) -> str:
    """The text up to its last newline: a line that was cut may have lost the digits that matter."""
    return text[: text.rfind("\n") + 1]


def torn(text: str) -> Iterator[Skipped]:
    """The last line as skipped, if its newline is missing; the rest is :func:`whole`."""
    if not text.endswith("\n") and text.strip():
        rest = text[text.rfind("\n") + 1 :]
        yield Skipped(text.count("\n") + 1, rest[:200], "a line that ends with a newline")


def whole_rows(
    lines: Iterable[tuple[int, str]], row: re.Pattern[str], rest: re.Pattern[str]
) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """(number, line, match) of every line with something in it.

    There is no match where the line is no row, and none where it may go on in the next line: one that is no row
    either and begins like ``rest``.
    """
    matched = [(number, line, row.fullmatch(line)) for number, line in lines if line]
    for (number, line, match), (_, below, other) in zip_longest(matched, matched[1:], fillvalue=(0, "", None)):
        goes_on = below and not other and rest.match(below)
        yield number, line, None if goes_on else match


def readable(made: Callable[[], Fact]) -> Iterator[Answer]:
    """The fact that ``made`` gives; or, where it raises ParseError, that line as skipped."""
    try:
        yield made()
    except ParseError as error:
        yield Skipped(error.line, error.text, error.expected)


def some(answers: Iterable[Answer], output: Output, expected: str) -> Iterator[Answer]:
    """The answers, of which at least one must be a fact or a thing that is missing.

    Raises:
        ParseError: not one line of the output was understood.
    """
    found = False
    for answer in answers:
        found = found or not isinstance(answer, Skipped)
        yield answer
    if not found:
        number, line = next(((n, line) for n, line in numbered(output.stdout) if line), (0, ""))
        raise ParseError(number, line, expected)


def consistent(answers: Iterable[Answer]) -> Iterator[Answer]:
    """The answers without facts told twice; a fact that contradicts an earlier one of its key becomes skipped."""
    seen: dict[object, Fact] = {}
    for answer in answers:
        if not isinstance(answer, Fact):
            yield answer
            continue
        name = (answer.TABLE, *key_of(answer))
        first = seen.setdefault(name, answer)
        if first is answer:
            yield answer
        elif first != answer:
            yield Skipped(answer.line or 0, " ".join(map(str, name)), f"one row; line {first.line} tells otherwise")


def integer(text: str, line: int, expected: str = "a whole number") -> int | None:
    """A whole number with or without thousands separators; None for ``N/A``, ``-`` and their like.

    Raises:
        ParseError: the text is something else, such as a decimal number of a locale that writes them with a comma.
    """
    cleaned = text.strip()
    if cleaned in _NOTHING:
        return None
    if not _INTEGER.fullmatch(cleaned):
        raise ParseError(line, text, expected)
    return int(cleaned.replace(",", ""))


def decimal(text: str, line: int, expected: str = "a number") -> float | None:
    """A decimal number; None for ``N/A``, ``-`` and their like.

    A comma separates thousands only where a point follows: ``1,234`` is another number in another locale.

    Raises:
        ParseError: the text is something else.
    """
    cleaned = text.strip()
    if cleaned in _NOTHING:
        return None
    if not _DECIMAL.fullmatch(cleaned):
        raise ParseError(line, text, expected)
    return float(cleaned.replace(",", ""))


_SPEED_FACTORS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def speed_bps(text: str, line: int) -> int | None:
    """Bits per second of ``400G``, ``100000 Mb/s``, ``25 Gb/sec``, ``400000M``; None for an unknown speed.

    Raises:
        ParseError: the text is something else, or a number without its unit.
    """
    cleaned = text.strip()
    if cleaned in _NOTHING or cleaned.lower().startswith(("unknown", "auto")):
        return None
    found = re.match(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:b(?:it)?(?:ps|/s(?:ec)?)?)?\b", cleaned, re.IGNORECASE)
    found = found if found and not found[0].isdecimal() else None
    if not found:
        raise ParseError(line, text, "a speed such as 400G or 400000Mb/s")
    return round(float(found[1]) * _SPEED_FACTORS[found[2].upper()])


def mac_address(text: str, line: int) -> str:
    """A MAC address of any vendor's spelling, in lower case with colons.

    Raises:
        ParseError: the text is no MAC address.
    """
    digits = re.sub(r"[^0-9A-Fa-f]", "", text)
    if len(digits) != 12 or re.search(r"[^0-9A-Fa-f:.\-]", text.strip()):  # noqa: PLR2004 - 48 bits
        raise ParseError(line, text, "a MAC address")
    return ":".join(digits[i : i + 2] for i in range(0, 12, 2)).lower()


def json_document(text: str) -> Any:
    """The JSON document in ``text``; log lines, prompts and echo before and after it are left out.

    Raises:
        ParseError: there is none, or it is cut.
    """
    cleaned = plain(text)
    start = min((i for i in (cleaned.find("{"), cleaned.find("[")) if i >= 0), default=-1)
    if start < 0:
        raise ParseError(1, cleaned.strip().split("\n")[0], "a JSON document")
    try:
        value, _end = _JSON.raw_decode(cleaned, start)
    except (ValueError, RecursionError) as error:
        number = cleaned.count("\n", 0, getattr(error, "pos", start)) + 1
        shown = cleaned.split("\n")[number - 1]
        raise ParseError(number, shown, "JSON that is whole") from None
    return value


_JSON = json.JSONDecoder()


@cache
def _glob_pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = []
    for number, glob in enumerate(globs):
        parts = "([^/\\s]+?)".join(re.escape(part) for part in glob.split("*"))
        alternatives.append(f"(?P<g{number}>{parts})")
    return re.compile(f"(?:{'|'.join(alternatives)})(?::(?P<content>.*))?$")


def file_lines(text: str, globs: tuple[str, ...]) -> Iterator[tuple[int, str, tuple[str, ...], str]]:
    """Rows of a :class:`~fabric_audit.platforms.model.Files` section.

    Yields:
        (line number, glob that matched, what its stars stood for, content of that line of the file).

    Raises:
        ParseError: a line is not ``path:content`` with a path of one of the globs.
    """
    pattern = _glob_pattern(globs)
    for number, line in numbered(text):
        if not line:
            continue
        found = pattern.match(line)
        if not found or found["content"] is None:
            raise ParseError(number, line, f"path:content of {' or '.join(globs)}")
        index = next(i for i in range(len(globs)) if found[f"g{i}"] is not None)
        stars = tuple(group for group in _stars(found, globs, index))
        yield number, globs[index], stars, found["content"]


def _stars(found: re.Match[str], globs: tuple[str, ...], index: int) -> Iterator[str]:
    first = 1
    for glob in globs[:index]:
        first += 1 + glob.count("*")
    for offset in range(globs[index].count("*")):
        yield found[first + 1 + offset]


def mapping(value: Any, expected: str) -> Mapping[str, Any]:
    """``value`` if it is a JSON object.

    Raises:
        ParseError: it is not.
    """
    if not isinstance(value, dict):
        raise ParseError(0, str(value), expected)
    return value
