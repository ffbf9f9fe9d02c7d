"""Collectives: right values, and bandwidth over hosts."""

from typing import Any

import pytest

from fabric_audit.checks.collective import bandwidth, correct
from fabric_audit.facts.gpu_traffic import NcclTest
from fabric_audit.facts.intent import IntendedNic
from tests.checks.judging import verdicts


def run(**told: Any) -> NcclTest:
    usual: dict[str, Any] = {"collective": "all_reduce", "outcome": "ok", "wrong": 0, "hosts": 2, "busbw_bps": 3.1e12}
    return NcclTest(run=1, **(usual | told))


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({}, "PASS"),
        ({"wrong": 3, "outcome": "wrong_values"}, "FAIL"),
        ({"out_of_bounds": 1}, "FAIL"),
        ({"wrong": None}, "UNKNOWN"),
        ({"outcome": "cut"}, "UNKNOWN"),
    ],
)
def test_values_are_right(told: dict[str, Any], verdict: str) -> None:
    assert verdicts(correct, {"h1": [run(**told)]}) == {"h1/all_reduce 1": verdict}


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({}, "PASS"),
        ({"busbw_bps": 1.7e12}, "FAIL"),
        ({"hosts": 1, "busbw_bps": 1e9}, "SKIPPED"),
        ({"busbw_bps": None, "outcome": "no_result"}, "UNKNOWN"),
        ({"hosts": None}, "UNKNOWN"),
    ],
)
def test_bandwidth_over_hosts(told: dict[str, Any], verdict: str) -> None:
    nics = [IntendedNic(nic=f"mlx5_{n}", role="compute", speed_bps=400 * 10**9) for n in range(8)]
    assert verdicts(bandwidth, {"h1": [run(**told), *nics]}) == {"h1/all_reduce 1": verdict}


def test_rates_that_are_not_known() -> None:
    assert verdicts(bandwidth, {"h1": [run()]}) == {"h1/all_reduce 1": "UNKNOWN"}
