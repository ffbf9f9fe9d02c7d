"""Which component explains the pairs that went wrong, and whether the evidence can tell.

An observation is one test between two ends. A *side* is one end in one role: a NIC as sender or as receiver. The
side that stands in most bad observations, and whose observations are bad as a rule, explains them; what it explains
is set aside, and the next side is looked for. What remains belongs to nobody alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["sends", "receives"]
Side: TypeAlias = tuple[str, int, Role]
"""(host, rail, role)"""

MOST_BAD = 0.6
"""Share of a side's observations that must be bad before it is blamed: a sick NIC is sick with every peer, and what
another sick NIC adds to the bad ones is at most a few peers."""
ENOUGH = 2
"""Observations of a side, with different peers, before it is blamed: one bad pair has two suspects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One test: who sent, who received, whether it was bad."""

    client: str
    server: str
    rail: int
    bad: bool

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both ends with their roles."""
        return (self.client, self.rail, "sends"), (self.server, self.rail, "receives")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """One NIC that explains bad observations, ``role`` ``both`` where it does as sender and as receiver."""

    host: str
    rail: int
    role: Literal["sends", "receives", "both"]
    bad: int
    seen: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is to blame, and the bad observations that nobody explains alone."""

    blamed: tuple[Blame, ...]
    unexplained: tuple[Observation, ...]

    def blames(self, observation: Observation) -> Blame | None:
        """The blame that explains an observation."""
        for blame in self.blamed:
            for host, rail, role in observation.sides:
                if (blame.host, blame.rail) == (host, rail) and blame.role in (role, "both"):
                    return blame
        return None


def blame(observations: Sequence[Observation]) -> Verdict:
    """Find the NICs that explain what went wrong."""
    seen: Counter[Side] = Counter(side for o in observations for side in o.sides)
    open_bad = [o for o in observations if o.bad]
    found: dict[Side, int] = {}
    while open_bad:
        side, bad = _worst(open_bad, observations, seen)
        if side is None:
            break
        found[side] = bad
        open_bad = [o for o in open_bad if side not in o.sides]
    return Verdict(tuple(_folded(found, seen)), tuple(open_bad))


def _worst(
    open_bad: Sequence[Observation], observations: Sequence[Observation], seen: Counter[Side]
) -> tuple[Side | None, int]:
    """The side that explains most of what is still open, if its observations are bad as a rule."""
    still = Counter(side for o in open_bad for side in o.sides)
    bad = Counter(side for o in observations if o.bad for side in o.sides)
    suspects = [side for side in still if len(_peers(side, open_bad)) >= ENOUGH and bad[side] >= MOST_BAD * seen[side]]
    if not suspects:
        return None, 0
    worst = max(suspects, key=lambda side: (still[side], bad[side] / seen[side], side))
    return worst, bad[worst]


def _peers(side: Side, observations: Iterable[Observation]) -> set[str]:
    return {peer[0] for o in observations for mine, peer in (o.sides, o.sides[::-1]) if mine == side}


def _folded(found: dict[Side, int], seen: Counter[Side]) -> Iterable[Blame]:
    """A NIC that is bad in both roles is one finding."""
    for host, rail in dict.fromkeys((host, rail) for host, rail, _ in found):
        mine = [side for side in found if side[:2] == (host, rail)]
        yield Blame(
            host=host,
            rail=rail,
            role="both" if len(mine) == 2 else mine[0][2],  # noqa: PLR2004 - both roles
            bad=sum(found[side] for side in mine),
            seen=sum(seen[side] for side in mine),
        )


def below_the_rest(values: Sequence[float], share: float) -> tuple[list[bool], float]:
    """Which values lie below ``share`` of the median, and the median.

    The median of a pod stands as long as fewer than half of its results are slow.
    """
    middle = median(values) if values else 0.0
    return [value < share * middle for value in values], middle
