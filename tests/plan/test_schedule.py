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
    assert len(rounds) == waves_of("tournament", count)
    served = {host: max(count - 1, 0) - clients[host] for host in hosts(count)}
    assert all(abs(clients[host] - served[host]) <= 1 for host in hosts(count))


@pytest.mark.parametrize(("count", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (8, 1), (9, 2)])
def test_smoke_uses_every_host(count: int, rounds: int) -> None:
    matchings = list(smoke(hosts(count)))
    assert len(matchings) == rounds == waves_of("smoke", count)
    used = {host for matching in matchings for pair in matching for host in pair}
    assert used == set(hosts(count) if count > 1 else [])


def test_a_schedule_takes_results_and_none_is_empty() -> None:
    running = schedule("tournament", Field(hosts=tuple(hosts(4))), qps=4)
    first = next(running)
    assert running.send([]) != first
    assert list(schedule("none", Field(hosts=tuple(hosts(4))), qps=4)) == []


@given(st.integers(0, 12), st.integers(1, 40), st.integers(0, 5))
def test_a_sample_is_random_repeatable_and_meets_no_pair_twice_before_all_others(
    count: int, waves: int, seed: int
) -> None:
    field = Field(hosts=tuple(hosts(count)), seed=seed)
    drawn = [wave.pairs for wave in schedule(f"sample:{waves}", field, qps=4)]
    assert drawn == [wave.pairs for wave in schedule(f"sample:{waves}", field, qps=4)]
    assert len(drawn) == waves_of(f"sample:{waves}", count)
    turn = waves_of("tournament", count)
    pairs = [frozenset(pair) for matching in drawn[:turn] for pair in matching]
    assert len(pairs) == len(set(pairs))
    assert all(len({host for pair in matching for host in pair}) == 2 * len(matching) for matching in drawn)


def test_seeds_differ() -> None:
    first, second = (list(schedule("sample:3", Field(hosts=tuple(hosts(9)), seed=seed), qps=4)) for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize("mode", ["sample", "sample:0", "sample:x", "sample:-1", "all", "", "adaptive:3"])
def test_a_mode_that_does_not_exist_is_said(mode: str) -> None:
    with pytest.raises(UsageError, match="no traffic mode is called"):
        waves_of(mode, 8)
