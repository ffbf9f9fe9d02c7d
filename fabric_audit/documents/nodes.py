"""A document as a tree: each value and each key knows the line and column it stands on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fabric_audit.errors import Fault

Scalar: TypeAlias = str | int | float | bool | None
Location: TypeAlias = Sequence[str | int]
"""Keys and list indexes from the root, as in ``("hosts", 0, "name")``."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Line and column, both from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar, a list or a mapping. ``size`` counts it and all below it, as often as aliases repeat them."""

    place: Place
    value: "Scalar | tuple[Node, ...] | Mapping[str, Node]"
    keys: Mapping[str, Place] = field(default_factory=dict)
    size: int = 1

    def plain(self) -> object:
        """The value as ``dict``, ``list`` and scalars."""
        if isinstance(self.value, Mapping):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, tuple):
            return [child.plain() for child in self.value]
        return self.value

    def below(self, step: str | int) -> "Node | None":
        """The child of that key or index."""
        if isinstance(self.value, Mapping):
            return self.value.get(str(step))
        if isinstance(self.value, tuple) and isinstance(step, int) and step < len(self.value):
            return self.value[step]
        return None


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read. ``broken``: its text ends, for a reader, at a fault; what follows is unknown."""

    file: str
    root: Node
    faults: tuple[Fault, ...] = ()
    broken: bool = False

    def node(self, location: Location) -> Node | None:
        """The value there, or None."""
        found: Node | None = self.root
        for step in location:
            found = found.below(step) if found else None
        return found

    def place(self, location: Location, *, key: bool = False) -> Place:
        """Where the value stands, or with ``key`` its key; what does not exist stands where its parent does."""
        node, place = self.root, self.root.place
        for depth, step in enumerate(location, start=1):
            last_key = key and depth == len(location)
            if last_key and str(step) in node.keys:
                return node.keys[str(step)]
            child = node.below(step)
            if child is None:
                return place
            node, place = child, child.place
        return place

    def fault(self, location: Location, problem: str, remedy: str, *, key: bool = False) -> Fault:
        """A fault of the value there, or with ``key`` of its key."""
        place = self.place(location, key=key)
        return Fault(self.file, place.line, place.column, problem, remedy)
