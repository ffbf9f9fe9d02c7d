"""From a wave to rounds: kinds of test, directions, rails in turn, and the first pair alone."""

from dataclasses import replace

from fabric_audit.plan.model import TrafficPlan
from fabric_audit.plan.rounds import kinds, steps, steps_per_wave, trial
from fabric_audit.plan.schedule import Wave

PLAN = TrafficPlan(
    mode="tournament",
    hosts=("h1", "h2", "h3", "h4"),
    rails=(0, 1),
    tools=("ib_write_bw", "ib_write_lat"),
    memory=("host", "gpu"),
    size_bytes=65536,
    qps=4,
    duration_s=5.0,
    traffic_class=106,
    waves=3,
    rounds=0,
    pairs=0,
    bytes_at_most=0,
    seconds=0.0,
    share=0.93,
)
WAVE = Wave((("h1", "h2"), ("h3", "h4")))


def test_latency_runs_on_one_queue_pair_and_never_with_gpu_memory() -> None:
    assert kinds(PLAN) == [("ib_write_bw", "host"), ("ib_write_bw", "gpu"), ("ib_write_lat", "host")]
    made = list(steps(WAVE, PLAN, 1))
    assert len(made) == steps_per_wave(PLAN) == 6
    assert {(step.tool, slot.qps) for step in made for slot in step.slots} == {("ib_write_bw", 4), ("ib_write_lat", 1)}


def test_both_directions_all_rails_and_one_number_a_round() -> None:
    first, back, *_ = steps(WAVE, PLAN, 7)
    assert (first.number, back.number) == (7, 8)
    assert [(s.client, s.server, s.rail) for s in first.slots] == [
        (a, b, rail) for a, b in WAVE.pairs for rail in (0, 1)
    ]
    assert [(s.client, s.server) for s in back.slots] == [("h2", "h1"), ("h2", "h1"), ("h4", "h3"), ("h4", "h3")]


def test_rails_may_take_turns() -> None:
    serial = replace(PLAN, serial_rails=True)
    made = list(steps(WAVE, serial, 1))
    assert len(made) == steps_per_wave(serial) == 12
    assert all(len({slot.rail for slot in step.slots}) == 1 for step in made)


def test_a_wave_may_ask_for_other_queue_pairs() -> None:
    assert {slot.qps for slot in next(steps(Wave(WAVE.pairs, 8), PLAN, 1)).slots} == {8}


def test_one_pair_on_one_rail_goes_first_unless_that_is_all() -> None:
    (first,) = trial(WAVE, PLAN)
    assert [(s.client, s.server, s.rail, s.memory) for s in first.slots] == [("h1", "h2", 0, "host")]
    assert list(trial(Wave(WAVE.pairs[:1]), replace(PLAN, rails=(0,)))) == []
