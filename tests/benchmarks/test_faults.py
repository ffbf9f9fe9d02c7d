"""The fault benchmark in small: its pods can be drawn, and a few of them are judged as they should be."""

from collections import Counter
from itertools import chain

import pytest

from benchmarks.fault_page import page
from benchmarks.fault_pods import FAULTY, HEALTHY, LEFT_OUT, draw, sized
from benchmarks.fault_truth import TRUTH
from benchmarks.faults import row_of
from fabric_audit.checks.model import all_checks
from fabric_audit.simulator.faults import FAULTS, HARMLESS
from fabric_audit.simulator.pod import SimulatedPod


def test_every_fault_has_checks_that_are_there_to_find_it() -> None:
    assert TRUTH.keys() == FAULTS.keys() - LEFT_OUT
    assert len(TRUTH) > 70
    known = {check.id for check in all_checks()}
    assert set(chain.from_iterable(TRUTH.values())) <= known
    assert not FAULTS.keys() & HARMLESS.keys()


def test_all_faults_go_round_in_all_their_sizes() -> None:
    planted = Counter((f.name, f.size) for seed in FAULTY for f in draw(seed).faults)
    assert planted.keys() == {(fault.name, size) for fault, size in sized()}
    assert not any(draw(seed).faults for seed in HEALTHY)
    assert draw(1077) == draw(1077)


@pytest.mark.parametrize("seed", [1, 7, 1001, 1010, 1033])
def test_what_is_drawn_can_be_planted(seed: int) -> None:
    drawn = draw(seed)
    written = (*(fault.written for fault in drawn.faults), *drawn.harmless)
    pod = SimulatedPod(drawn.pod, seed=seed, faults=written, scale=0.0, platforms=drawn.platforms)
    assert pod.fabric.switches["leaf01"].platform == drawn.platforms["leaf"]


@pytest.mark.parametrize("seed", [3, 1003, 1005, 1006])
def test_a_pod_is_judged_as_it_was_made(seed: int) -> None:
    row = row_of(draw(seed))
    assert (row["unplanted"], row["errors"]) == ([], [])
    assert all(fault["found"] and fault["blamed"] for fault in row["faults"])
    assert len(row["faults"]) == len(draw(seed).faults)
    assert f"faults planted | {len(row['faults'])}" in page([row])
