"""Schedules: every pair once, nobody twice in a round, roles balanced."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.errors import UsageError
from fabric_audit.plan.modes import schedule, waves_of
from fabric_audit.plan.schedule import Field, circle, smoke


def hosts(count: int) -> list[str]:
    return [f"gpu{n:03d}" for n in range(count)]


@given(st.integers(0, 40))
def test_a_tournament_meets_every_pair_once(count: int) -> None:
    met: Counter[frozenset[str]] = Counter()
    clients: Counter[str] = Counter()
    rounds = list(circle(hosts(count)))
    for matching in rounds:
        players = [host for pair in matching for host in pair]
        assert len(players) == len(set(players))
        met.update(frozenset(pair) for pair in matching)
        clients.update(client for client, _ in matching)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) <= {1}
    assert len(rounds) == waves_of("tournament", count, 10.0)
    served = {host: max(count - 1, 0) - clients[host] for host in hosts(count)}
    assert all(abs(clients[host] - served[host]) <= 1 for host in hosts(count))


@pytest.mark.parametrize(("count", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (8, 1), (9, 2)])
def test_smoke_uses_every_host(count: int, rounds: int) -> None:
    matchings = list(smoke(hosts(count)))
    assert len(matchings) == rounds == waves_of("smoke", count, 10.0)
    used = {host for matching in matchings for pair in matching for host in pair}
    assert used == set(hosts(count) if count > 1 else [])


def test_a_schedule_takes_results_and_none_is_empty() -> None:
    running = schedule("tournament", Field(hosts=tuple(hosts(4))), 4, 3)
    first = next(running)
    assert running.send([]) != first
    assert list(schedule("none", Field(hosts=tuple(hosts(4))), 4, 3)) == []


@given(st.integers(0, 12), st.integers(1, 40), st.integers(0, 5))
def test_a_sample_is_random_repeatable_and_meets_no_pair_twice_before_all_others(
    count: int, waves: int, seed: int
) -> None:
    field = Field(hosts=tuple(hosts(count)), seed=seed)
    drawn = [wave.pairs for wave in schedule(f"sample:{waves}", field, 4, waves)]
    assert drawn == [wave.pairs for wave in schedule(f"sample:{waves}", field, 4, waves)]
    assert len(drawn) == waves_of(f"sample:{waves}", count, 10.0)
    turn = waves_of("tournament", count, 10.0)
    pairs = [frozenset(pair) for matching in drawn[:turn] for pair in matching]
    assert len(pairs) == len(set(pairs))
    assert all(len({host for pair in matching for host in pair}) == 2 * len(matching) for matching in drawn)


def test_seeds_differ() -> None:
    first, second = (list(schedule("sample:3", Field(hosts=tuple(hosts(9)), seed=seed), 4, 3)) for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize("mode", ["sample", "sample:0", "sample:x", "sample:-1", "all", "", "adaptive:3", "incast:2"])
def test_a_mode_that_does_not_exist_is_said(mode: str) -> None:
    with pytest.raises(UsageError, match="no traffic mode is called"):
        waves_of(mode, 8, 10.0)


def test_a_soak_loads_every_host_below_its_leaf_and_across_in_turn() -> None:
    groups = {name: f"leaf{n // 4}" for n, name in enumerate(hosts(16))}
    field = Field(hosts=tuple(hosts(16)), groups=groups)
    assert waves_of("soak:2m", 16, 10.0) == 12
    waves = [wave.pairs for wave in schedule("soak:2m", field, 4, 12)]
    assert len(waves) == 12
    for number, pairs in enumerate(waves):
        assert {groups[a] == groups[b] for a, b in pairs} == {number % 2 == 0}
        assert len({host for pair in pairs for host in pair}) == 2 * len(pairs) >= 14
    below = [frozenset(pair) for pairs in waves[0:6:2] for pair in pairs]
    assert len(below) == len(set(below)), "no pair again before all others below its leaf"


@pytest.mark.parametrize("groups", [{}, {name: name for name in hosts(8)}])
def test_a_soak_needs_no_leaves(groups: dict[str, str]) -> None:
    waves = list(schedule("soak:1m", Field(hosts=tuple(hosts(8)), groups=groups), 4, 5))
    assert [len(wave.pairs) for wave in waves] == [4] * 5


@pytest.mark.parametrize("mode", ["soak", "soak:", "soak:long"])
def test_a_soak_without_a_duration_is_said(mode: str) -> None:
    with pytest.raises(UsageError, match="names no duration"):
        waves_of(mode, 8, 10.0)
