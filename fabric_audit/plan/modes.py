"""The schedules by the names of their modes, and what each costs at most."""

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from fabric_audit.documents.quantities import QuantityError, duration_s
from fabric_audit.errors import UsageError
from fabric_audit.plan.adaptive import MOST_WAVES, adaptive
from fabric_audit.plan.covering import covering
from fabric_audit.plan.schedule import Field, Matching, Schedule, Wave, circle, shuffled, smoke

MODES = "none, smoke, tournament, adaptive, sample:K and soak:DURATION"


def waves_of(mode: str, hosts: int, wave_s: float) -> int:
    """How many waves a schedule of that mode makes at most.

    Args:
        mode: its name.
        hosts: how many take part.
        wave_s: how long a wave takes, for schedules that go on for a time.

    Raises:
        UsageError: no such mode.
    """
    fixed = {"none": 0, "smoke": 1 + hosts % 2, "tournament": hosts - 1 + hosts % 2, "adaptive": MOST_WAVES}
    count = fixed[mode] if mode in fixed else _counted(mode, wave_s)
    return count if hosts > 1 else 0


def schedule(mode: str, field: Field, qps: int, waves: int) -> Schedule:
    """The schedule of a mode, as :func:`waves_of` knows it.

    Args:
        mode: its name.
        field: hosts, and where they hang.
        qps: the plan's queue pairs.
        waves: most waves, for schedules that have no end of their own.
    """
    if mode == "adaptive":
        return adaptive(field, qps)
    return _blind(_matchings(mode, field, waves))


def _counted(mode: str, wave_s: float) -> int:
    name, _, number = mode.partition(":")
    if name == "sample" and number.isdecimal() and int(number):
        return int(number)
    try:
        if name == "soak":
            return max(1, math.ceil(duration_s(number) / wave_s))
    except QuantityError as error:
        raise UsageError(f"soak:{number} names no duration; write {error}") from None
    raise UsageError(f"no traffic mode is called {mode!r}; there are {MODES}")


def _matchings(mode: str, field: Field, waves: int) -> Iterator[Matching]:
    match mode.partition(":")[0]:
        case "smoke":
            return smoke(field.hosts)
        case "tournament":
            return circle(field.hosts)
        case "sample":
            return islice(shuffled(field.hosts, field.dice), waves)
        case "soak":
            return islice(covering(field), waves)
    return iter(())


def _blind(matchings: Iterable[Matching]) -> Schedule:
    for pairs in matchings:
        yield Wave(pairs)
