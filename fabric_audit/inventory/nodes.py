"""Node sets such as ``gpu[001-032]``: ClusterShell's notation, bounded and without groups.

ClusterShell expands a range the moment it reads it, however large, and asks outside programs for ``@groups``;
a file that a person hands over must be able to do neither.
"""

import re
from collections.abc import Iterable

from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet, NodeSetException

MOST_NODES = 100_000
"""Ours: ten times the largest training cluster anyone has described, and under a second to expand."""
_LONGEST_TEXT = 65_536
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NODESET = re.compile(r"[A-Za-z0-9._\-\[\],/!&^ ]*")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_RANGES = re.compile(r"\d{1,9}(?:-\d{1,9}(?:/\d{1,9})?)?(?:,\d{1,9}(?:-\d{1,9}(?:/\d{1,9})?)?)*")
_OPERATORS = re.compile(r"[,!&^](?![^\[]*\])")
_EXAMPLE = "write names as in gpu[001-032] or leaf[1-4,7]"


class NodesError(ValueError):
    """A node set that cannot be used: the problem and the remedy."""

    def __init__(self, problem: str, remedy: str) -> None:
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{problem}; {remedy}")


def expand(text: str, *, ports: bool = False) -> tuple[str, ...]:
    """The names of a node set, in natural order; never more than :data:`MOST_NODES`.

    Args:
        text: such as ``gpu[001-032]``.
        ports: they are names of ports, ``Ethernet[1-32]/1``, which no folder is called by.

    Raises:
        NodesError: it is empty, cannot be read, is too large, or a name would not do as a host or folder name.
    """
    _refuse_unreadable(text)
    _refuse_huge(text)
    try:
        names = tuple(map(str, NodeSet(text, resolver=RESOLVER_NOGROUP)))
    except NodeSetException:
        raise _unreadable(text) from None
    if not names:
        raise NodesError(f"node set {text!r} is empty", _EXAMPLE)
    for name in names:
        if not ports and not _NAME.fullmatch(name):
            raise NodesError(
                f"{name!r} is no host name", "begin with a letter or digit, go on with those, '.', '_' and '-'"
            )
    return names


def count(text: str) -> int:
    """The most names that a node set can have, counted without expanding it.

    It is a sum over the names listed, and for each a product over its brackets.
    """
    total = 0
    for part in _OPERATORS.split(text):
        product = 1
        for inside in _BRACKETS.findall(part):
            product *= sum(map(_width, inside.split(","))) if _RANGES.fullmatch(inside) else 1
        total += product
    return total


def fold(names: Iterable[str]) -> str:
    """The shortest node set of these names."""
    return str(NodeSet.fromlist(list(names), resolver=RESOLVER_NOGROUP))


def _refuse_unreadable(text: str) -> None:
    if "@" in text:
        raise NodesError(f"node set {text[:80]!r} names a group", f"groups are not asked for; {_EXAMPLE}")
    if len(text) > _LONGEST_TEXT or not _NODESET.fullmatch(text):
        raise _unreadable(text)
    for inside in _BRACKETS.findall(text):
        if not inside:
            raise NodesError(f"node set {text[:80]!r} is empty: nothing stands in the brackets", _EXAMPLE)
        if not _RANGES.fullmatch(inside):
            raise _unreadable(text)
    if "[" in (left := _BRACKETS.sub("", text)) or "]" in left:
        raise _unreadable(text)


def _refuse_huge(text: str) -> None:
    if (total := count(text)) > MOST_NODES:
        raise NodesError(
            f"node set {text[:80]!r} has {total:,} names",
            f"the limit is {MOST_NODES:,}: check the ranges for a slip",
        )


def _width(item: str) -> int:
    numbers = [int(digits) for digits in re.split("[-/]", item)]
    first, last, step = (*numbers, numbers[0], 1)[:3] if len(numbers) == 1 else (*numbers, 1)[:3]
    return max(0, (last - first) // max(step, 1) + 1)


def _unreadable(text: str) -> NodesError:
    return NodesError(f"node set {text[:80]!r} cannot be read", f"{_EXAMPLE}, low before high, both padded alike")
