"""Blame by all pairs: one sick side, several, and what cannot be told."""

import random
from itertools import permutations

import pytest

from fabric_audit.analysis.blame import blame
from fabric_audit.analysis.sides import Blame, Observation

HOSTS = [f"gpu{n:03d}" for n in range(1, 9)]


def observed(bad: set[tuple[str, str]], hosts: list[str] = HOSTS) -> list[Observation]:
    """Every ordered pair; bad where the client ``sends`` badly or the server ``receives`` badly."""
    return [
        Observation(client=c, server=s, rail=0, bad=(c, "sends") in bad or (s, "receives") in bad)
        for c, s in permutations(hosts, 2)
    ]


def test_nobody_is_blamed_for_nothing() -> None:
    assert blame(observed(set())).blamed == ()


@pytest.mark.parametrize("role", ["sends", "receives"])
def test_the_side_that_is_bad_with_every_peer_is_blamed(role: str) -> None:
    verdict = blame(observed({("gpu003", role)}))
    assert verdict.blamed == (Blame(host="gpu003", rail=0, role=role, bad=7, seen=7),)  # type: ignore[arg-type]
    assert verdict.unexplained == ()


def test_bad_in_both_directions_is_one_finding() -> None:
    (found,) = blame(observed({("gpu003", "sends"), ("gpu003", "receives")})).blamed
    assert (found.host, found.role) == ("gpu003", "both")


@pytest.mark.parametrize("seed", range(40))
def test_several_sick_sides_are_found_and_no_other(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - repeatable cases, nothing secret
    sick = {(host, dice.choice(["sends", "receives"])) for host in dice.sample(HOSTS, dice.randint(1, 3))}
    verdict = blame(observed(sick))
    assert {(b.host, b.role) for b in verdict.blamed} == sick
    assert verdict.unexplained == ()


def test_one_bad_pair_among_good_ones_blames_no_nic() -> None:
    observations = [
        Observation(client=o.client, server=o.server, rail=0, bad=(o.client, o.server) == ("gpu001", "gpu002"))
        for o in observed(set())
    ]
    verdict = blame(observations)
    assert verdict.blamed == ()
    assert [(o.client, o.server) for o in verdict.unexplained] == [("gpu001", "gpu002")]


def test_one_test_with_one_peer_cannot_tell_the_ends_apart() -> None:
    verdict = blame([Observation(client="gpu001", server="gpu002", rail=0, bad=True)])
    assert verdict.blamed == ()
    assert len(verdict.unexplained) == 1


def test_the_same_host_on_another_rail_is_another_nic() -> None:
    observations = observed({("gpu003", "sends")})
    observations += [Observation(client=o.client, server=o.server, rail=1, bad=False) for o in observed(set())]
    (found,) = blame(observations).blamed
    assert found.rail == 0


def test_an_observation_leads_to_its_culprit() -> None:
    verdict = blame(observed({("gpu003", "sends")}))
    culprit = verdict.blames(Observation(client="gpu003", server="gpu004", rail=0, bad=True))
    assert isinstance(culprit, Blame)
    assert culprit.host == "gpu003"
    assert verdict.blames(Observation(client="gpu004", server="gpu003", rail=0, bad=True)) is None
