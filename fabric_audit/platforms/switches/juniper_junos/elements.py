"""Answers of Junos in XML or JSON: both are trees of the same tags.

XML ``<mtu>9216</mtu>`` is ``"mtu": [{"data": "9216"}]`` in JSON, and an attribute ``junos:seconds="5"`` is
``"attributes": {"junos:seconds": "5"}``.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.platforms.json_lines import JsonObject, json_document
from fabric_audit.platforms.text import decimal, integer, plain

_START = re.compile(r"^[ \t]*<(?=[a-zA-Z?])", re.MULTILINE)
_DEPTH = 100


@dataclass(slots=True)
class Element:
    """One element: its text, its attributes without name spaces, and the elements below it by tag."""

    tag: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: dict[str, list["Element"]] = field(default_factory=dict)

    def all(self, *tags: str) -> Iterator["Element"]:
        """Elements below these tags, one below the other, in order."""
        if not tags:
            yield self
            return
        for child in self.children.get(tags[0], ()):
            yield from child.all(*tags[1:])

    def find(self, tag: str) -> Iterator["Element"]:
        """Elements of a tag at any depth below, in order."""
        for name, below in self.children.items():
            for child in below:
                if name == tag:
                    yield child
                yield from child.find(tag)

    def first(self, *tags: str) -> "Element":
        """The first element below these tags; an empty one where there is none."""
        return next(self.all(*tags), Element(tags[-1]))

    def word(self, *tags: str) -> str | None:
        """The text of the first element below these tags; None where there is none or it is empty."""
        return self.first(*tags).text or None

    def integer(self, *tags: str) -> int | None:
        """A whole number.

        Raises:
            ParseError: the text is something else.
        """
        return integer(self.first(*tags).text, 0, f"a whole number in {tags[-1]}")

    def decimal(self, *tags: str) -> float | None:
        """A number.

        Raises:
            ParseError: the text is something else.
        """
        return decimal(self.first(*tags).text, 0, f"a number in {tags[-1]}")

    def need(self, *tags: str) -> str:
        """The text of the first element below these tags.

        Raises:
            ParseError: there is none, or it is empty.
        """
        found = self.word(*tags)
        if found is None:
            raise ParseError(0, self.tag, f"an element {'/'.join(tags)}")
        return found


def elements(text: str) -> Element:
    """The tree of an answer in XML or JSON; echo, prompts and log lines around it are left out.

    Raises:
        ParseError: there is none, or it is cut.
    """
    cleaned = plain(text)
    start = _START.search(cleaned)
    if start:
        return _from_xml(cleaned, start.end() - 1)
    return Element("", children=_members(json_document(text), 0))


def _from_xml(text: str, start: int) -> Element:
    """XML of one root; a document that brings its own entities is refused, for no switch sends one."""
    found = re.search(r"<(?!\?)([\w:.-]+)", text[start:])
    tag = found[1] if found else ""
    end = text.rfind(f"</{tag}>")
    line = text.count("\n", 0, start) + 1
    if not found or end < 0 or "<!" in text[start:end]:
        raise ParseError(line, text[start : start + 80].partition("\n")[0], "XML that is whole")
    try:
        parsed = ET.fromstring(text[start : end + len(tag) + 3])  # noqa: S314 - entities are refused above
    except (ET.ParseError, ValueError, RecursionError) as error:
        at = getattr(error, "position", (1, 0))[0]
        raise ParseError(line + at - 1, str(error), "XML that is whole") from None
    return Element("", children={_local(parsed.tag): [_converted(parsed, 0)]})


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _converted(node: ET.Element, depth: int) -> Element:
    if depth > _DEPTH:
        raise ParseError(0, _local(node.tag), "elements of no such depth")
    attributes = {_local(name): value for name, value in node.attrib.items()}
    made = Element(_local(node.tag), (node.text or "").strip(), attributes)
    for child in node:
        made.children.setdefault(_local(child.tag), []).append(_converted(child, depth + 1))
    return made


def _members(value: object, depth: int) -> dict[str, list[Element]]:
    if not isinstance(value, JsonObject):
        raise ParseError(1, str(value)[:80], "an object of tags")
    found: dict[str, list[Element]] = {}
    for tag, below in value.members.items():
        if tag in ("data", "attributes"):
            continue
        rows = below if isinstance(below, list) else [below]
        found[tag] = [_element(tag, row, depth + 1) for row in rows]
    return found


def _element(tag: str, value: object, depth: int) -> Element:
    if depth > _DEPTH:
        raise ParseError(0, tag, "elements of no such depth")
    if not isinstance(value, JsonObject):
        return Element(tag, "" if value is None or isinstance(value, list) else str(value).strip())
    told = value.members.get("attributes")
    attributes = told.members if isinstance(told, JsonObject) else {}
    bare = {name.rpartition(":")[2]: str(text) for name, text in attributes.items()}
    data = value.members.get("data")
    return Element(tag, "" if data is None else str(data).strip(), bare, _members(value, depth))
