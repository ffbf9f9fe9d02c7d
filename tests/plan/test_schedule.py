"""Schedules: every pair once, nobody twice in a round, roles balanced."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.plan.schedule import circle, rounds_of, schedule, smoke


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
    assert len(rounds) == rounds_of("tournament", count)
    served = {host: max(count - 1, 0) - clients[host] for host in hosts(count)}
    assert all(abs(clients[host] - served[host]) <= 1 for host in hosts(count))


@pytest.mark.parametrize(("count", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (8, 1), (9, 2)])
def test_smoke_uses_every_host(count: int, rounds: int) -> None:
    matchings = list(smoke(hosts(count)))
    assert len(matchings) == rounds == rounds_of("smoke", count)
    used = {host for matching in matchings for pair in matching for host in pair}
    assert used == set(hosts(count) if count > 1 else [])


def test_a_schedule_takes_results_and_none_is_empty() -> None:
    running = schedule("tournament", hosts(4))
    first = next(running)
    assert running.send([]) != first
    assert list(schedule("none", hosts(4))) == []
