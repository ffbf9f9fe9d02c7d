"""From the events of a YAML parser to nodes, bounded on the way.

Repeated keys, tags and aliases that lead nowhere are faults that do not stop the reading: the rest of the
file is read for its own.
"""

from collections.abc import Iterator

from ruamel.yaml import YAML
from ruamel.yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from fabric_audit.documents.nodes import Node, Place
from fabric_audit.documents.scalars import resolve
from fabric_audit.errors import Fault

DEEPEST = 40
"""Ours: an inventory nests six deep."""
LARGEST = 1_000_000
"""Values of one file, aliases followed; ours: 10,000 hosts written one by one are a tenth of it."""


class TooMuchError(Exception):
    """The document is too deep or, its aliases followed, too large."""

    def __init__(self, place: Place, problem: str) -> None:
        self.place = place
        self.problem = problem
        super().__init__(problem)


class Builder:
    """Reads one document out of a text.

    Attributes:
        faults: what was wrong and could be read past.
    """

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._events: Iterator[Event] = YAML(typ="safe", pure=True).parse(text)
        self._anchors: dict[str, Node] = {}
        self.faults: list[Fault] = []

    def document(self) -> Node:
        """The root of the text; an empty text is a null.

        Raises:
            TooMuchError: it nests too deep or grows too large.
            ruamel.yaml.error.YAMLError: it is no YAML.
        """
        root: Node | None = None
        for event in self._events:
            if not isinstance(event, NodeEvent):
                continue
            if root is not None:
                self._fault(_place(event), "a second document begins here", "keep one document in a file")
                break
            root = self._node(event, depth=1)
        return root or Node(Place(1, 1), None)

    def _node(self, event: Event, depth: int) -> Node:
        place = _place(event)
        if depth > DEEPEST:
            raise TooMuchError(place, f"values are nested more than {DEEPEST} deep")
        if isinstance(event, AliasEvent):
            return self._alias(event, place)
        if tag := getattr(event, "tag", None):
            self._fault(place, f"the tag {tag} is not used here", "leave it out")
        node = self._collection(event, place, depth)
        if node.size > LARGEST:
            raise TooMuchError(place, f"the values below are more than {LARGEST:,}")
        if anchor := getattr(event, "anchor", None):
            self._anchors[str(anchor)] = node
        return node

    def _collection(self, event: Event, place: Place, depth: int) -> Node:
        if isinstance(event, MappingStartEvent):
            return self._mapping(place, depth)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(place, depth)
        if not isinstance(event, ScalarEvent):
            raise TypeError(f"no value begins with {event}")
        plain = event.implicit[0]
        return Node(place, resolve(event.value) if plain else str(event.value))

    def _alias(self, event: AliasEvent, place: Place) -> Node:
        anchor = str(event.anchor)
        if anchor not in self._anchors:
            self._fault(place, f"nothing above is called &{anchor}", f"write &{anchor} before the value meant")
            return Node(place, None)
        return self._anchors[anchor]

    def _sequence(self, place: Place, depth: int) -> Node:
        items: list[Node] = []
        size = 1
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._node(event, depth + 1))
            size += items[-1].size
        return Node(place, tuple(items), size=size)

    def _mapping(self, place: Place, depth: int) -> Node:
        values: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        size = 1
        while not isinstance(event := next(self._events), MappingEndEvent):
            name = self._key(event, depth)
            value = self._node(next(self._events), depth + 1)
            size += value.size
            if name is None:
                continue
            if name in keys:
                self._fault(
                    _place(event),
                    f"the key {name!r} stands here again; it was on line {keys[name].line}",
                    "keep one of the two",
                )
                continue
            keys[name], values[name] = _place(event), value
        return Node(place, values, keys, size)

    def _key(self, event: Event, depth: int) -> str | None:
        if isinstance(event, ScalarEvent):
            return str(event.value)
        self._node(event, depth + 1)
        self._fault(_place(event), "a key must be a word", "write KEY: VALUE")
        return None

    def _fault(self, place: Place, problem: str, remedy: str) -> None:
        self.faults.append(Fault(self._file, place.line, place.column, problem, remedy))


def _place(event: Event) -> Place:
    mark = event.start_mark
    return Place(mark.line + 1, mark.column + 1)
