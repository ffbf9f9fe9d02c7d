"""Finds what is slow in few waves: a look at everything, then only the pairs that separate what is still suspected.

The first waves pair every host at random: twice with hosts below its own leaf, where no uplink disturbs, and twice with
hosts below others. A slow pair that somebody explains is done. Of the others, one that crosses leaves is repeated with
eight or more queue pairs, so that its flows take other uplinks, and more of them; both ends of one that stays slow are
paired with hosts that are well, below their own leaf first. It ends when nothing is open, when no pair is left that
could tell more, or when the budget of waves is spent.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from fabric_audit.analysis.sides import Observation
from fabric_audit.analysis.slowness import WIDE_QPS, judged
from fabric_audit.facts.performance import PairResult
from fabric_audit.plan.covering import apart, far, near
from fabric_audit.plan.schedule import Field, Matching, Schedule, Wave, shuffled

MOST_WAVES = 16
"""Budget: a tournament of 1024 hosts takes 1023."""
LOOKS = 2
"""First waves below the leaves, and as many across; one more than that where leaves are not known."""
MOST_PARTNERS = 8
"""After so many partners another one tells nothing new about a host."""
Test: TypeAlias = tuple[str, str]
"""(client, server)"""


def adaptive(field: Field, qps: int) -> Schedule:
    """The schedule; ``qps`` are the plan's queue pairs.

    What it asks for last, a report judges by the same rules (:mod:`fabric_audit.analysis.slowness`).
    """
    seen: list[PairResult] = []
    met: dict[Test, int] = {}
    first = [Wave(pairs) for pairs in _first(field)]
    for wave in first:
        seen += yield wave
        _note(met, wave)
    for _ in range(MOST_WAVES - len(first)):
        wave = _next(field, seen, met, max(qps, WIDE_QPS))
        if not wave.pairs:
            return
        seen += yield wave
        _note(met, wave)


def _first(field: Field) -> list[Matching]:
    """Matchings below leaves, then across; at random where nothing is known of leaves, or all hosts share one."""
    groups = Counter(field.groups.get(host) for host in field.hosts)
    if len(groups) == 1:
        return list(islice(shuffled(field.hosts, field.dice), min(LOOKS + 1, max(1, len(field.hosts) - 1))))
    below = islice(near(field), LOOKS if max(groups.values()) > 1 else 0)
    return [*below, *islice(far(field), LOOKS)]


def _note(met: dict[Test, int], wave: Wave) -> None:
    for a, b in wave.pairs:
        for test in ((a, b), (b, a)):
            met[test] = met.get(test, 0) + 1


def _next(field: Field, seen: Sequence[PairResult], met: dict[Test, int], qps: int) -> Wave:
    """The pairs that tell most about what is open: repeats before suspects with hosts that are well."""
    verdicts = [one.verdict for one in judged(seen, field.leaves, field.share).values()]
    opened = [o for verdict in verdicts for o in verdict.unexplained]
    sick = {blame.host for verdict in verdicts for blame in verdict.blamed}
    busy: set[str] = set()
    pairs: list[Test] = []
    for one in opened:
        test = (one.client, one.server)
        if not one.near and met.get(test, 0) < 2 and busy.isdisjoint(test):  # noqa: PLR2004 - tried and repeated
            pairs.append(test)
            busy.update(test)
    suspects = dict.fromkeys(end for one in opened if one.near or one.firm for end in (one.client, one.server))
    doubtful = sick | _ends(opened)
    well = [host for host in field.hosts if host not in doubtful]
    for suspect in suspects:
        partner = None if suspect in busy else _partner(suspect, well, field, met, busy)
        if partner is not None:
            pairs.append((suspect, partner))
            busy.update((suspect, partner))
    return Wave(tuple(pairs), qps)


def _ends(observations: Iterable[Observation]) -> set[str]:
    return {end for one in observations for end in (one.client, one.server)}


def _partner(suspect: str, well: Sequence[str], field: Field, met: dict[Test, int], busy: set[str]) -> str | None:
    """A host that is well and has not met the suspect yet, below its own leaf until that is known, then elsewhere."""
    free = [host for host in well if host not in busy and host != suspect and (suspect, host) not in met]
    partners = [b for a, b in met if a == suspect]
    if len(partners) >= MOST_PARTNERS:
        return None
    near = [host for host in free if not apart(field, suspect, host)]
    known = sum(not apart(field, suspect, host) for host in partners) > LOOKS
    return next(iter(free if known or not near else near), None)
