"""The JSON of iproute2, whose versions differ in how they wrap a list."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Missing, Output, Why
from fabric_audit.platforms.text import json_document, plain


def tells_json(text: str) -> bool:
    """Whether the first thing printed is a JSON list or object."""
    return plain(text).lstrip()[:1] in ("[", "{")


def objects(text: str, expected: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; one object that is no list counts as one.

    Empty objects are left out: iproute2 before 4.20 prints one for each row its filter dropped.

    Raises:
        ParseError: the text is no JSON, or the list holds something else than objects.
    """
    document = json_document(text)
    for one in document if isinstance(document, list) else [document]:
        if not isinstance(one, dict):
            raise ParseError(1, str(one), expected)
        if one:
            yield one


def answers(
    output: Output, read: Callable[[Mapping[str, Any]], Iterable[Answer]], expected: str, *tables: type[Fact]
) -> Iterator[Answer]:
    """What ``read`` makes of each object; the tables as missing where the tool refuses or the list is empty.

    Raises:
        ParseError: the text is no list of objects, or ``read`` does not understand one.
    """
    missing: tuple[Missing, ...] = tuple(refused(output, *tables))
    found = False
    for one in () if missing else objects(output.stdout, f"a list of {expected}"):
        for answer in read(one):
            found = True
            yield answer
    if not found:
        yield from missing or (Missing(table.TABLE, Why.ABSENT, f"no {expected}") for table in tables)
