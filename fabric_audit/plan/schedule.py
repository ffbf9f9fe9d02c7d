"""Who is paired with whom, round after round: pure generators that are told each round's results.

A schedule yields *waves*: matchings, in which no host stands twice, and what is different about their load. It receives
what became of the wave by ``send``, so that adaptive schedules and ``--resume`` are the same mechanism as a fixed list.
"""

import random
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fabric_audit.facts.performance import PairResult

Matching: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Wave:
    """What is sent at once, in all kinds of test and both directions: ``pairs`` of (client, server)."""

    pairs: Matching
    qps: int | None = None
    """Queue pairs of each test; ``None`` for the plan's."""


Schedule: TypeAlias = Generator[Wave, Sequence[PairResult], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What a schedule knows before its first wave."""

    hosts: tuple[str, ...]
    leaves: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(host, interface) → the switch it hangs from; empty where no link was resolved."""
    groups: Mapping[str, Hashable] = field(default_factory=dict)
    """Host → what it shares with the hosts it reaches without a spine: the leaves of all its rails."""
    share: float = 0.93
    """Of its class's median that a test must reach: the policy's ``pod_bandwidth_floor``."""
    seed: int = 1

    @property
    def dice(self) -> random.Random:
        """Chance that can be repeated."""
        return random.Random(self.seed)  # noqa: S311 - a schedule is no secret


def smoke(hosts: Sequence[str]) -> Iterator[Matching]:
    """One round: each host once; with an odd number the last host meets the first in a second round."""
    half = len(hosts) // 2
    if half:
        yield tuple(zip(hosts[:half], hosts[half : 2 * half], strict=True))
    if len(hosts) % 2 and len(hosts) > 1:
        yield ((hosts[-1], hosts[0]),)


def circle(hosts: Sequence[str]) -> Iterator[Matching]:
    """Rounds of the circle method; each host is client in half of its pairs, to within one.

    One host stands still, the others walk around it; in round r the hosts at distances +k and -k from the walker
    opposite the still one meet. Which of two is client alternates with k, and for the still host with r: so roles
    are balanced to within one for any number of hosts. Memory is O(N); rounds are made one at a time.

    Source: Lucas, Récréations mathématiques (1883); the round-robin "circle method".
    """
    if len(hosts) < 2:  # noqa: PLR2004 - a pair
        return
    walkers = len(hosts) - 1 if len(hosts) % 2 == 0 else len(hosts)
    still = hosts[walkers] if walkers < len(hosts) else None
    half = (walkers - 1) // 2
    around = [*hosts[:walkers], *hosts[:walkers]]
    for turn in range(walkers):
        ahead = around[turn + 1 : turn + half + 1]
        behind = around[turn + walkers - 1 : turn + walkers - half - 1 : -1]
        pairs = [*zip(ahead[::2], behind[::2], strict=True), *zip(behind[1::2], ahead[1::2], strict=True)]
        if still is not None:
            pairs.append((still, hosts[turn]) if turn % 2 else (hosts[turn], still))
        yield tuple(pairs)


def shuffled(hosts: Sequence[str], dice: random.Random) -> Iterator[Matching]:
    """Random matchings without end, in which no pair meets again before every other has: circles of shuffled hosts."""
    while len(hosts) > 1:
        order = list(hosts)
        dice.shuffle(order)
        yield from circle(order)
