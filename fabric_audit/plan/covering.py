"""Matchings that know of leaves: below them, across them, and both in turn so that every NIC and uplink is loaded."""

import random
from collections.abc import Iterator
from itertools import chain

from fabric_audit.plan.schedule import Field, Matching, shuffled


def near(field: Field) -> Iterator[Matching]:
    """Every host with one of its own group, without end. Who is left over in a group waits for the far matchings."""
    dice = field.dice
    turns = [shuffled(members, dice) for members in _grouped(field) if len(members) > 1]
    while True:
        yield tuple(chain.from_iterable([next(turn) for turn in turns]))


def far(field: Field) -> Iterator[Matching]:
    """Every host with one of another group, at random and without end, so that each group meets many."""
    dice = field.dice
    while True:
        yield _across(field, dice)


def covering(field: Field) -> Iterator[Matching]:
    """Near and far in turn, without end; any matching at random where leaves are not known or all hosts share them."""
    groups = _grouped(field)
    if len(groups) == 1:
        yield from shuffled(field.hosts, field.dice)
    elif all(len(members) == 1 for members in groups):
        yield from far(field)
    else:
        for below, across in zip(near(field), far(field), strict=True):
            yield below
            yield across


def apart(field: Field, a: str, b: str) -> bool:
    """Whether two hosts reach each other through a spine on some rail."""
    return field.groups.get(a) != field.groups.get(b)


def _across(field: Field, dice: random.Random) -> Matching:
    order = list(field.hosts)
    dice.shuffle(order)
    half = len(order) // 2
    ones, others = order[:half], order[half : 2 * half]
    for here in range(half):
        for there in (turn % half for turn in range(here, here + half)):
            if apart(field, ones[here], others[there]) and apart(field, ones[there], others[here]):
                others[here], others[there] = others[there], others[here]
                break
    return tuple((a, b) for a, b in zip(ones, others, strict=True) if apart(field, a, b))


def _grouped(field: Field) -> list[list[str]]:
    groups: dict[object, list[str]] = {}
    for host in field.hosts:
        groups.setdefault(field.groups.get(host), []).append(host)
    return list(groups.values())
