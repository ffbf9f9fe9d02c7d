"""Who is paired with whom, round after round: pure generators that are told each round's results.

A schedule yields *matchings*: tuples of (client, server) in which no host stands twice. It receives what became of
the round by ``send``, so that adaptive schedules and ``--resume`` are the same mechanism as a fixed list.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeAlias

from fabric_audit.errors import UsageError
from fabric_audit.facts.performance import PairResult

Matching: TypeAlias = tuple[tuple[str, str], ...]
Schedule: TypeAlias = Generator[Matching, Sequence[PairResult], None]


def smoke(hosts: Sequence[str]) -> Schedule:
    """One round: each host once; with an odd number the last host meets the first in a second round."""
    ordered = list(hosts)
    half = len(ordered) // 2
    if half:
        yield tuple(zip(ordered[:half], ordered[half : 2 * half], strict=True))
    if len(ordered) % 2 and len(ordered) > 1:
        yield ((ordered[-1], ordered[0]),)


def tournament(hosts: Sequence[str]) -> Schedule:
    """Every pair once, in as few rounds as can be: N - 1 for an even number of hosts, N for an odd one."""
    yield from circle(hosts)


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
    for turn in range(walkers):
        pairs = []
        if still is not None:
            opposite = hosts[turn]
            pairs.append((still, opposite) if turn % 2 else (opposite, still))
        for k in range(1, (walkers - 1) // 2 + 1):
            ahead, behind = hosts[(turn + k) % walkers], hosts[(turn - k) % walkers]
            pairs.append((ahead, behind) if k % 2 else (behind, ahead))
        yield tuple(pairs)


def rounds_of(mode: str, hosts: int) -> int:
    """How many matchings a schedule of that mode makes at most.

    Raises:
        UsageError: no such mode.
    """
    _known(mode)
    if hosts < 2:  # noqa: PLR2004 - a pair
        return 0
    return {"none": 0, "smoke": 1 + hosts % 2, "tournament": hosts - 1 + hosts % 2}[mode]


def schedule(mode: str, hosts: Sequence[str]) -> Schedule:
    """The schedule of a mode.

    Raises:
        UsageError: no such mode.
    """
    return _known(mode)(hosts)


def _known(mode: str) -> Callable[[Sequence[str]], Schedule]:
    modes = {"none": _none, "smoke": smoke, "tournament": tournament}
    if mode not in modes:
        raise UsageError(f"no traffic mode is called {mode!r}; there are {', '.join(modes)}")
    return modes[mode]


def _none(_hosts: Sequence[str]) -> Schedule:
    yield from ()
