"""The schedules by the names of their modes, and what each costs at most."""

from collections.abc import Iterable, Iterator
from itertools import islice

from fabric_audit.plan.adaptive import MOST_WAVES, adaptive
from fabric_audit.plan.schedule import Field, Matching, Schedule, Wave, circle, count_of, shuffled, smoke


def waves_of(mode: str, hosts: int) -> int:
    """How many waves a schedule of that mode makes at most.

    Raises:
        UsageError: no such mode.
    """
    fixed = {"none": 0, "smoke": 1 + hosts % 2, "tournament": hosts - 1 + hosts % 2, "adaptive": MOST_WAVES}
    count = fixed[mode] if mode in fixed else count_of(mode)
    return count if hosts > 1 else 0


def schedule(mode: str, field: Field, qps: int) -> Schedule:
    """The schedule of a mode; ``qps`` are the plan's queue pairs.

    Raises:
        UsageError: no such mode.
    """
    if mode == "adaptive":
        return adaptive(field, qps)
    return _blind(_matchings(mode, field))


def _matchings(mode: str, field: Field) -> Iterator[Matching]:
    fixed = {"smoke": smoke, "tournament": circle}
    if mode == "none":
        return iter(())
    if mode in fixed:
        return fixed[mode](field.hosts)
    return islice(shuffled(field.hosts, field.dice), count_of(mode))


def _blind(matchings: Iterable[Matching]) -> Schedule:
    for pairs in matchings:
        yield Wave(pairs)
