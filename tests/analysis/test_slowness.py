"""Slow by the pod's own distribution, and what repeats of a test say."""

from typing import Any

import pytest

from fabric_audit.analysis.slowness import PathClass, below_their_class, judged
from fabric_audit.facts.performance import PairResult

FAST, SLOWER, FAR = PathClass(400, None), PathClass(200, None), PathClass(400, near=False)


def slow(values: list[float], classes: list[PathClass] | None = None) -> list[bool]:
    return below_their_class(values, classes or [FAST] * len(values), 0.93)


def test_slow_is_slower_than_most() -> None:
    assert slow([100.0, 101.0, 50.0, 99.0]) == [False, False, True, False]
    assert slow([100.0, 100.0, 50.0, 50.0]) == [False, False, True, True]
    assert slow([]) == []


def test_each_class_has_its_own_median() -> None:
    values = [400.0, 400.0, 400.0, 390.0, 200.0, 200.0, 200.0, 100.0]
    assert slow(values, [FAST] * 4 + [SLOWER] * 4) == [False] * 7 + [True]


def test_scatter_of_the_fast_half_widens_the_limit_and_that_of_the_slow_half_does_not() -> None:
    noisy = [100.0, 104.0, 108.0, 112.0, 96.0, 92.0, 88.0, 84.0, 20.0]
    assert slow(noisy) == [False] * 8 + [True]
    assert slow([100.0] * 6 + [50.0, 60.0, 70.0, 80.0]) == [False] * 6 + [True] * 4


def test_across_leaves_scatter_is_collisions_and_widens_nothing() -> None:
    assert slow([100.0, 104.0, 108.0, 112.0, 96.0, 92.0, 88.0, 84.0, 20.0], [FAR] * 9) == [False] * 6 + [True] * 3


def test_of_a_class_of_few_the_whole_kind_is_the_measure() -> None:
    assert slow([100.0, 100.0, 100.0, 100.0, 50.0], [FAST] * 4 + [SLOWER]) == [False] * 4 + [True]


def result(client: str, server: str, gbps: float, **told: Any) -> PairResult:
    usual: dict[str, Any] = {"round": 1, "rail": 0, "tool": "ib_write_bw", "memory": "host", "outcome": "ok", "qps": 4}
    ports: dict[str, Any] = {"client_port": "p", "server_port": "p"}
    return PairResult(client=client, server=server, bandwidth_bps=gbps * 1e9, **(usual | ports | told))


LEAVES = {("a", "p"): "leaf1", ("b", "p"): "leaf1", ("c", "p"): "leaf2", ("d", "p"): "leaf2"}
WELL = [result("a", "b", 390), result("c", "d", 390), result("b", "d", 390), result("d", "a", 390)]


@pytest.mark.parametrize(("again", "moved"), [(390.0, True), (200.0, False)])
def test_what_is_slow_with_some_queue_pairs_only_has_moved(again: float, moved: bool) -> None:
    repeats = [result("a", "c", 200), result("a", "c", again, qps=8, round=2)]
    verdict = judged([*WELL, *repeats], LEAVES, 0.93)["ib_write_bw", "host"].verdict
    assert verdict.blamed == ()
    assert [(o.client, o.server) for o in verdict.moved] == ([("a", "c")] if moved else [])
    assert [(o.client, o.server, o.firm) for o in verdict.unexplained] == ([] if moved else [("a", "c", True)])


def test_below_one_leaf_there_is_nothing_to_collide_with() -> None:
    repeats = [result("b", "a", 200), result("b", "a", 200, round=2), result("b", "a", 390, qps=8, round=3)]
    verdict = judged([*WELL, *repeats], LEAVES, 0.93)["ib_write_bw", "host"].verdict
    assert verdict.moved == ()
    assert [(o.client, o.server) for o in verdict.unexplained] == [("b", "a")]


def test_kinds_are_judged_apart_and_what_has_no_result_is_left_out() -> None:
    more = [result("a", "b", 100, memory="gpu"), result("a", "b", 0, tool="ib_write_lat")]
    lost = PairResult(round=1, client="a", server="b", rail=0, tool="ib_send_bw", memory="host", outcome="killed")
    found = judged([*WELL, *more, lost], LEAVES, 0.93)
    assert set(found) == {("ib_write_bw", "host"), ("ib_write_bw", "gpu")}
    assert found["ib_write_bw", "gpu"].median_bps == 100e9
