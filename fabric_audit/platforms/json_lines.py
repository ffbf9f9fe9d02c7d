"""JSON whose objects remember on which line each of their keys stands.

A finding about a saved configuration names its line; the decoder of the standard library tells none. It stays the
decoder here, for it is fast, and one scan over the strings of the text adds the lines.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.platforms.text import plain

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
_START = re.compile(r"^[ \t]*(?=[{\[]\s*[\"{}\[\]])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JsonObject:
    """A JSON object: ``members`` by key, and the 1-based line of each key. Of equal keys the last one counts."""

    members: Mapping[str, Any]
    lines: Mapping[str, int]


def json_documents(text: str) -> Iterator[Any]:
    """Every JSON document in the text, one after another, with a :class:`JsonObject` for each object.

    What stands before and between them (echo, prompt, log lines) is left out; a document starts on its own line and
    is an object or an array of objects, arrays or strings.

    Raises:
        ParseError: there is no document, or one is cut or malformed.
    """
    cleaned = plain(text)
    found = _START.search(cleaned)
    if found is None:
        raise ParseError(1, next(iter(cleaned.strip().split("\n"))), "a JSON document")
    decoder = json.JSONDecoder(object_pairs_hook=tuple)
    line, counted = 1, 0
    while found is not None:
        start = found.end()
        try:
            pairs, end = decoder.raw_decode(cleaned, start)
            line += cleaned.count("\n", counted, start)
            counted = start
            yield _with_lines(pairs, _lines_of_keys(cleaned, start, end, line))
        except (ValueError, RecursionError) as error:
            raise _cut(cleaned, getattr(error, "pos", start)) from None
        found = _START.search(cleaned, end)


def json_document(text: str) -> Any:
    """The first of :func:`json_documents`."""
    return next(json_documents(text))


def _lines_of_keys(text: str, start: int, end: int, line: int) -> Iterator[int]:
    """The line of each key from ``start`` on, in the order of the text; ``line`` is that of ``start``."""
    for found in _STRING.finditer(text, start, end):
        if found[1]:
            line += text.count("\n", start, found.start())
            start = found.start()
            yield line


def _with_lines(value: Any, lines: Iterator[int]) -> Any:
    """Objects came as tuples of pairs; walked in the order of the text, their keys meet their lines."""
    if isinstance(value, tuple):
        members: dict[str, Any] = {}
        at: dict[str, int] = {}
        for name, member in value:
            at[name] = next(lines)
            members[name] = _with_lines(member, lines)
        return JsonObject(members, at)
    if isinstance(value, list):
        return [_with_lines(member, lines) for member in value]
    return value


def _cut(text: str, position: int) -> ParseError:
    line = text.count("\n", 0, position)
    return ParseError(line + 1, text.split("\n")[line].strip(), "JSON that is whole")
