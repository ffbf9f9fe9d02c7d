"""Which component explains the pairs that went wrong, and whether the evidence can tell.

An observation is one test between two ends. A *side* is one end in one role: a NIC as sender or as receiver. The
side that stands in most bad observations, and whose observations are bad as a rule, explains them; what it explains
is set aside, and the next side is looked for. Where the leaves of both ends are known, tests below one leaf are
believed before tests through the spines, whose uplinks they share with others. What no side explains may be a leaf's or
its uplinks' (:mod:`fabric_audit.analysis.blame`); what remains belongs to nobody alone.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["sends", "receives"]
Side: TypeAlias = tuple[str, int, Role]
"""(host, rail, role)"""

MOST_BAD = 0.6
"""Share of a side's observations that must be bad before it is blamed: a sick NIC is sick with every peer, and what
another sick NIC adds to the bad ones is at most a few peers."""
ENOUGH = 2
"""Observations of a side, with different peers, before it is blamed: one bad pair has two suspects."""
BY_CHANCE = 0.01
"""Most that luck may be expected to make a single side of the pod look as bad as the one that is blamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One test: who sent, who received, below which leaves, whether it was bad."""

    client: str
    server: str
    rail: int
    bad: bool
    client_leaf: str = ""
    """Switch that the sender hangs from; empty where that is not known."""
    server_leaf: str = ""
    firm: bool = False
    """Bad again with other queue pairs, eight or more: no accident of a hash."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both ends with their roles."""
        return (self.client, self.rail, "sends"), (self.server, self.rail, "receives")

    @property
    def near(self) -> bool | None:
        """Whether both ends hang from one leaf; ``None`` where that is not known."""
        return self.client_leaf == self.server_leaf if self.client_leaf and self.server_leaf else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """One NIC that explains bad observations, ``role`` ``both`` where it does as sender and as receiver."""

    host: str
    rail: int
    role: Literal["sends", "receives", "both"]
    bad: int
    seen: int

    def explains(self, observation: Observation) -> bool:
        """Whether the NIC takes part in a test in the role it is blamed for."""
        return any(
            (host, rail) == (self.host, self.rail) and self.role in (role, "both")
            for host, rail, role in observation.sides
        )


def sick_sides(observations: Sequence[Observation]) -> dict[Side, int]:
    """Sides that explain bad observations, with how many of them were bad."""
    evidence = _evidence(observations)
    bad = {side: sum(o.bad for o in mine) for side, mine in evidence.items()}
    suspects = {side for side, mine in evidence.items() if bad[side] and bad[side] >= MOST_BAD * len(mine)}
    luck = _luck(observations, suspects)
    suspects = {side for side in suspects if _unlucky(evidence[side], luck) * len(evidence) <= BY_CHANCE}
    open_bad = [o for o in observations if o.bad]
    found: dict[Side, int] = {}
    while worst := _worst(open_bad, suspects, bad, evidence):
        found[worst] = bad[worst]
        open_bad = [o for o in open_bad if worst not in o.sides]
    return found


def folded(found: Mapping[Side, int], observations: Iterable[Observation]) -> Iterable[Blame]:
    """A NIC that is bad in both roles is one finding."""
    seen: Counter[Side] = Counter(side for o in observations for side in o.sides if side in found)
    for host, rail in dict.fromkeys((host, rail) for host, rail, _ in found):
        mine = [side for side in found if side[:2] == (host, rail)]
        yield Blame(
            host=host,
            rail=rail,
            role="both" if len(mine) == 2 else mine[0][2],  # noqa: PLR2004 - both roles
            bad=sum(found[side] for side in mine),
            seen=sum(seen[side] for side in mine),
        )


def _evidence(observations: Sequence[Observation]) -> dict[Side, list[Observation]]:
    """What each side is judged by: tests below its own leaf where there are enough, which no other flow disturbs."""
    every: dict[Side, list[Observation]] = {}
    for one in observations:
        for side in one.sides:
            every.setdefault(side, []).append(one)
    return {side: _nearest(side, mine) for side, mine in every.items()}


def _nearest(side: Side, mine: list[Observation]) -> list[Observation]:
    near = [o for o in mine if o.near]
    return near if len(_peers(side, near)) >= ENOUGH else mine


def _worst(
    open_bad: Sequence[Observation],
    suspects: Iterable[Side],
    bad: Mapping[Side, int],
    evidence: Mapping[Side, Sequence[Observation]],
) -> Side | None:
    """The suspect that explains most of what is still open."""
    still: dict[Side, list[Observation]] = {}
    for one in open_bad:
        for side in one.sides:
            still.setdefault(side, []).append(one)
    left = [side for side in suspects if side in still and len(_peers(side, still[side])) >= ENOUGH]
    return max(left, key=lambda side: (len(still[side]), bad[side] / len(evidence[side]), side), default=None)


def _peers(side: Side, observations: Iterable[Observation]) -> set[str]:
    return {peer[0] for o in observations for mine, peer in (o.sides, o.sides[::-1]) if mine == side}


def _luck(observations: Iterable[Observation], suspects: set[Side]) -> dict[bool, float]:
    """How often a test without a suspect is bad: below one leaf or where no leaf is known (True), and across leaves.

    Across leaves flows collide even in a healthy pod, so a test more is assumed to be bad than was seen.
    """
    seen: Counter[bool] = Counter()
    bad: Counter[bool] = Counter()
    for one in observations:
        if suspects.isdisjoint(one.sides):
            seen[one.near is not False] += 1
            bad[one.near is not False] += one.bad
    return {True: bad[True] / max(1, seen[True]), False: (bad[False] + 1) / (seen[False] + 2)}


def _unlucky(mine: Sequence[Observation], luck: Mapping[bool, float]) -> float:
    """Most probable that a healthy side has so many bad tests: Chernoff's bound of the binomial distribution's tail."""
    share = sum(o.bad for o in mine) / len(mine)
    usual = sum(luck[o.near is not False] for o in mine) / len(mine)
    if share <= usual:
        return 1.0
    if usual <= 0.0:
        return 0.0
    rest = (1 - share) * math.log((1 - share) / (1 - usual)) if share < 1 else 0.0
    return math.exp(-len(mine) * (share * math.log(share / usual) + rest))
