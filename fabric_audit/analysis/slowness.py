"""Which tests are slow by the pod's own distribution, what moves when a test is repeated, and who is to blame.

A test is held against others of its class: the same tool, memory and line rate, below one leaf or across leaves. It is
slow where it lies below the policy's share of the class's median *and* below what the class's own scatter explains.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median, median_high
from typing import Any, NamedTuple, TypeAlias

from fabric_audit.analysis.blame import Verdict, blame
from fabric_audit.analysis.sides import Observation

Kind: TypeAlias = tuple[str, str]
"""(tool, memory)"""
Leaves: TypeAlias = Mapping[tuple[str, str], str]
"""(host, interface) → the switch it hangs from."""

DEVIATIONS = 5.0
"""Deviations below the median that scatter alone is believed to make: once in 3.5 million tests of a normal one."""
NORMAL = 1.4826
"""From a median absolute deviation to the standard deviation of a normal distribution (Rousseeuw and Croux, 1993)."""
A_CLASS = 4
"""Tests of a class without which its median means little; smaller ones are held against all of their kind."""
WIDE_QPS = 8
"""Queue pairs with which a repeated test uses most uplinks of a group: what is slow then is no accident of a hash."""


class PathClass(NamedTuple):
    """What a test is comparable by: rate in bits per second, and whether it stays below one leaf, where known."""

    line_rate_bps: int | None
    near: bool | None


@dataclass(frozen=True, slots=True)
class Judged:
    """Every bandwidth test of one kind: the verdict, and the median in bits per second."""

    verdict: Verdict
    median_bps: float


def judged(results: Iterable[Any], leaves: Leaves, share: float) -> dict[Kind, Judged]:
    """Who is to blame for what is slow, by kind of test.

    Args:
        results: rows or facts of ``pair_result``; those without a bandwidth are left out.
        leaves: where interfaces hang; empty where no link was resolved.
        share: of its class's median that a test must reach.
    """
    kinds: dict[Kind, list[Any]] = {}
    for row in results:
        if row.outcome == "ok" and row.bandwidth_bps is not None and row.tool.endswith("_bw"):
            kinds.setdefault((row.tool, row.memory), []).append(row)
    return {kind: _judged(some, leaves, share) for kind, some in kinds.items()}


def _judged(some: Sequence[Any], leaves: Leaves, share: float) -> Judged:
    ends = [(leaves.get((r.client, r.client_port), ""), leaves.get((r.server, r.server_port), "")) for r in some]
    classes = [PathClass(r.line_rate_bps, a == b if a and b else None) for r, (a, b) in zip(some, ends, strict=True)]
    slow = below_their_class([r.bandwidth_bps for r in some], classes, share)
    tests: dict[tuple[str, str, int], list[tuple[Observation, int]]] = {}
    for row, (a, b), bad in zip(some, ends, slow, strict=True):
        one = Observation(client=row.client, server=row.server, rail=row.rail, bad=bad, client_leaf=a, server_leaf=b)
        tests.setdefault((row.client, row.server, row.rail), []).append((one, row.qps or 0))
    settled = [_settled(repeats) for repeats in tests.values()]
    verdict = blame([one for one, _ in settled])
    moved = tuple(one for one, has_moved in settled if has_moved and verdict.blames(one) is None)
    return Judged(replace(verdict, moved=moved), median(r.bandwidth_bps for r in some))


def _settled(repeats: Sequence[tuple[Observation, int]]) -> tuple[Observation, bool]:
    """One observation for all repeats of a test, and whether it was bad only with some queue pairs.

    Below one leaf there is no choice of path, so there the greater part decides.
    """
    one = repeats[0][0]
    if len(repeats) == 1:
        return one, False
    bad = [seen.bad for seen, _ in repeats]
    if one.near:
        return replace(one, bad=sum(bad) * 2 > len(bad), firm=len(bad) > 1), False
    wide = any(seen.bad and qps >= WIDE_QPS for seen, qps in repeats[1:])
    return replace(one, bad=all(bad), firm=all(bad) and wide), any(bad) and not all(bad)


def below_their_class(values: Sequence[float], classes: Sequence[PathClass], share: float) -> list[bool]:
    """Which values are slow among those of their class.

    The median of a class stands as long as no more than half of it is slow: the higher of two in the middle. Scatter
    is taken from its upper half: slow tests lie below, and must not widen the limit that they are held against. Across
    leaves it is left aside: what scatters there are collisions, and those are told by repeating the test.
    """
    members: dict[PathClass, list[float]] = {}
    for value, one in zip(values, classes, strict=True):
        members.setdefault(one, []).append(value)
    for_all = _limit(values, share, scattered=True)
    limits = {
        one: _limit(some, share, scattered=one.near is not False) if len(some) >= A_CLASS else for_all
        for one, some in members.items()
    }
    return [value < limits[one] for value, one in zip(values, classes, strict=True)]


def _limit(values: Sequence[float], share: float, *, scattered: bool) -> float:
    if not values:
        return 0.0
    middle = median_high(values)
    scatter = NORMAL * median(value - middle for value in values if value >= middle) if scattered else 0.0
    return min(share * middle, middle - DEVIATIONS * scatter)
