"""Rings and trees as NCCL prints them."""

import re
from dataclasses import dataclass

_RING = re.compile(r"Ring ([0-9]+) : (-?[0-9]+) -> ([0-9]+) -> (-?[0-9]+)$")
_ORDER = re.compile(r"Channel ([0-9]+)/([0-9]+) :((?: +[0-9]+)+)$")
_TREE = re.compile(r"Tree ([0-9]+) : (-?[0-9]+) -> ([0-9]+) -> (-?[0-9]+(?:/-?[0-9]+){2})$")
_TREES = re.compile(r"\[([0-9]+)\] (-?[0-9/-]+)->(-?[0-9]+)->(-?[0-9/-]+)")
_WHOLE_TREES = re.compile(r"Trees(?: \[[0-9]+\] -?[0-9][0-9/-]*->-?[0-9]+->-?[0-9][0-9/-]*)+$")


@dataclass(frozen=True, slots=True)
class Place:
    """One rank's place in one ring or tree; ``up`` and ``down`` as in the table ``nccl_graph``."""

    kind: str
    channel: int
    rank: int | None
    up: str
    down: str


def read_places(message: str) -> tuple[Place, ...]:
    """The places a line tells; empty when it is no whole line of the kind.

    ``Trees [0] 1->0->8/-1/-1`` of 2.4 names parent, rank and children; later versions print children first
    (``8/-1/-1->0->1``). The side with slashes is the children's. Source: NCCL src/graph and src/init.cc.
    """
    found = _RING.match(message)
    if found:
        return (Place("ring", int(found[1]), int(found[3]), found[2], found[4]),)
    found = _ORDER.match(message)
    if found:
        return (Place("order", int(found[1]), None, "", " ".join(found[3].split())),)
    found = _TREE.match(message)
    if found:
        return (Place("tree", int(found[1]), int(found[3]), _ranks(found[2]), _ranks(found[4])),)
    if _WHOLE_TREES.match(message):
        return tuple(_tree(*one) for one in _TREES.findall(message))
    return ()


def _tree(channel: str, left: str, rank: str, right: str) -> Place:
    up, down = (right, left) if "/" in left else (left, right)
    return Place("tree", int(channel), int(rank), _ranks(up), _ranks(down))


def _ranks(text: str) -> str:
    return " ".join(rank for rank in text.split("/") if rank != "-1")
