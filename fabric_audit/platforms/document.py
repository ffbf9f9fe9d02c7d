"""Places in a JSON document, read with the care that a device's answer needs.

A device's JSON differs by release: keys move, numbers come as text, one row stands where a list is expected.
A :class:`Node` is one place with its path; what cannot be read as asked is a ``ParseError`` that names the place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.platforms.json_lines import JsonObject, json_document
from fabric_audit.platforms.text import decimal, integer


@dataclass(frozen=True, slots=True)
class Node:
    """One place of a JSON document; a place that is not there has the value None, and so has all below it.

    Attributes:
        value: what stands there.
        path: names from the top, as errors show it.
        line: 1-based line of its key, or of the key it lies below.
    """

    value: Any
    path: str = ""
    line: int = 1

    @property
    def there(self) -> bool:
        """Whether the document has this place, with something else than null."""
        return self.value is not None

    def wrong(self, expected: str) -> ParseError:
        """The error that this place is not what was expected."""
        shown = "{...}" if isinstance(self.value, JsonObject) else str(self.value)[:120]
        return ParseError(self.line, f"{self.path or 'document'}: {shown}", expected)

    def get(self, *names: str) -> "Node":
        """The first of these members that is there.

        Raises:
            ParseError: this place is there and no object.
        """
        if self.value is None:
            return Node(None, f"{self.path}.{names[0]}", self.line)
        if not isinstance(self.value, JsonObject):
            raise self.wrong(f"an object with {names[0]}")
        for name in names:
            if self.value.members.get(name) is not None:
                return Node(self.value.members[name], f"{self.path}.{name}", self.value.lines[name])
        return Node(None, f"{self.path}.{names[0]}", self.line)

    def need(self, *names: str) -> "Node":
        """The first of these members that is there.

        Raises:
            ParseError: none is.
        """
        found = self.get(*names)
        if not found.there:
            raise self.wrong(f"a member {' or '.join(names)}")
        return found

    def members(self) -> Iterator[tuple[str, "Node"]]:
        """Names and values of an object, in its order; none of a place that is not there.

        Raises:
            ParseError: this place is no object.
        """
        if self.value is None:
            return
        if not isinstance(self.value, JsonObject):
            raise self.wrong("an object")
        for name, value in self.value.members.items():
            yield name, Node(value, f"{self.path}.{name}", self.value.lines[name])

    @property
    def empty(self) -> bool:
        """Whether this place is an object or a list without members.

        Raises:
            ParseError: it is neither.
        """
        if isinstance(self.value, JsonObject):
            return not self.value.members
        if not isinstance(self.value, list):
            raise self.wrong("an object or a list")
        return not self.value

    def rows(self) -> Iterator["Node"]:
        """The rows of a list; a single object stands for a list of one, as NX-OS writes it.

        Raises:
            ParseError: this place is neither.
        """
        if self.value is None:
            return
        rows = [self.value] if isinstance(self.value, JsonObject) else self.value
        if not isinstance(rows, list):
            raise self.wrong("a list of rows")
        for number, row in enumerate(rows):
            first = min(row.lines.values(), default=self.line) if isinstance(row, JsonObject) else self.line
            yield Node(row, f"{self.path}[{number}]", first)

    def integer(self) -> int | None:
        """A whole number, also where it is written as text; None where it is not there, ``-`` or ``N/A``.

        Raises:
            ParseError: it is something else.
        """
        if isinstance(self.value, bool):
            raise self.wrong("a whole number")
        if isinstance(self.value, float) and self.value.is_integer():
            return int(self.value)
        if self.value is None or isinstance(self.value, int):
            return self.value
        if not isinstance(self.value, str):
            raise self.wrong("a whole number")
        try:
            return integer(self.value, 0)
        except ParseError:
            raise self.wrong("a whole number") from None

    def decimal(self) -> float | None:
        """A number, also where it is written as text; None where it is not there, ``-`` or ``N/A``.

        Raises:
            ParseError: it is something else.
        """
        if self.value is None or (isinstance(self.value, int | float) and not isinstance(self.value, bool)):
            return self.value
        if not isinstance(self.value, str):
            raise self.wrong("a number")
        try:
            return decimal(self.value, 0)
        except ParseError:
            raise self.wrong("a number") from None

    def text(self) -> str | None:
        """Text without surrounding blanks; a number as it is written; None where it is not there.

        Raises:
            ParseError: it is an object, a list or a truth value.
        """
        if self.value is None:
            return None
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            raise self.wrong("text")
        return str(self.value).strip()

    def flag(self) -> bool | None:
        """A truth value; None where it is not there.

        Raises:
            ParseError: it is something else.
        """
        if self.value is not None and not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value


def document(text: str) -> Node:
    """The JSON document in a device's answer.

    Raises:
        ParseError: there is none, or it is cut.
    """
    return Node(json_document(text))
