"""Thresholds are the policy's, within the hardware's rounding."""

from dataclasses import replace

import pytest

from fabric_audit.checks.ecn import thresholds
from fabric_audit.facts.qos import Queue
from tests.checks.judging import verdicts
from tests.checks.places import PORT, marking, switch_port

ASKED = {"ecn_min_bytes": 150_000, "ecn_max_bytes": 1_500_000, "ecn_mark_percent": 100.0}


@pytest.mark.parametrize(
    ("queue", "verdict"),
    [
        (marking(), "PASS"),
        (replace(marking(), ecn_min_bytes=153_600), "PASS"),
        (replace(marking(), ecn_min_bytes=160_000), "FAIL"),
        (replace(marking(), ecn_max_bytes=1_000_000), "FAIL"),
        (replace(marking(), ecn_mark_pct=10.0), "FAIL"),
        (replace(marking(), ecn_mark_pct=None), "UNKNOWN"),
        (replace(marking(), ecn_mark_pct=None, ecn_min_bytes=1), "FAIL"),
        (replace(marking(), ecn_dynamic=True), "SKIPPED"),
        (Queue(port=PORT, queue=3, ecn=False), "SKIPPED"),
        (Queue(port=PORT, queue=4, ecn=True), "UNKNOWN"),
    ],
)
def test_thresholds_are_those_of_the_policy(queue: Queue, verdict: str) -> None:
    assert verdicts(thresholds, {"leaf1": [*switch_port(), queue]}, **ASKED) == {"leaf1/Ethernet1": verdict}


def test_a_policy_without_thresholds_asks_nothing() -> None:
    assert verdicts(thresholds, {"leaf1": [*switch_port(), marking()]}) == {"leaf1/Ethernet1": "SKIPPED"}


def test_thresholds_in_percent_cannot_be_compared_with_bytes() -> None:
    queue = Queue(port=PORT, queue=3, ecn=True, ecn_min_pct=55.0, ecn_max_pct=90.0)
    cannot = {("leaf1", "queue.ecn_min_bytes"): "thresholds are fill levels in percent"}
    found = verdicts(thresholds, {"leaf1": [*switch_port(), queue]}, cannot=cannot, **ASKED)
    assert found == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}
