r"""JSON of Onyx: tables that move from release to release, found by what stands in them.

One release answers with a list whose second item is the table, another with a key ``Table 2``; a row is an object in a
list of one. Keys are the headings of the text, blanks and all; numbers are text, ``N/A`` and ``N\A`` are nothing.
"""

import re
from collections.abc import Iterator

from fabric_audit.platforms.document import Node
from fabric_audit.platforms.switches.nvidia_onyx.names import canonical

_PORT = re.compile(r"(Eth|Po|Mpo|Vlan |Loopback |mgmt|nve)\d[\d/]*")
_DEEPEST = 12


def of_ports(node: Node) -> Iterator[tuple[str, Node]]:
    """(port, its rows) wherever they stand in a document."""
    for name, value in _named(node, 0):
        yield canonical(name), value


def _named(node: Node, depth: int) -> Iterator[tuple[str, Node]]:
    if depth > _DEEPEST:
        raise node.wrong(f"no more than {_DEEPEST} levels")
    if isinstance(node.value, list):
        for row in _items(node):
            yield from _named(row, depth + 1)
    elif hasattr(node.value, "members"):
        for name, value in node.members():
            if _PORT.fullmatch(name):
                yield name, value
            elif not isinstance(value.value, str):
                yield from _named(value, depth + 1)


def _items(node: Node) -> Iterator[Node]:
    for number, value in enumerate(node.value):
        lines = getattr(value, "lines", {})
        yield Node(value, f"{node.path}[{number}]", min(lines.values(), default=node.line))


def objects(node: Node) -> Iterator[Node]:
    """Every object of a document, outer ones first."""
    if isinstance(node.value, list):
        for row in _items(node):
            yield from objects(row)
    elif hasattr(node.value, "members"):
        yield node
        for _, value in node.members():
            yield from objects(value)


def with_member(node: Node, *names: str) -> Node:
    """The first object below that has one of these members; a place that is not there if none has."""
    for one in objects(node):
        if one.get(*names).there:
            return one
    return Node(None, node.path, node.line)


def word(node: Node) -> str | None:
    """Text, None for ``N/A`` in either spelling."""
    text = node.text()
    return None if text is None or text in ("", "-", "N/A", "N\\A") else text
