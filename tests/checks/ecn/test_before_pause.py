"""Marks come before pause: by fixed limits, or by the bound of a dynamic one."""

from dataclasses import replace

import pytest

from fabric_audit.checks.ecn import before_pause
from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.profiles import BufferProfile
from fabric_audit.facts.qos import Queue
from tests.checks.judging import findings, verdicts
from tests.checks.places import PORT, lossless_group, marking, switch_port

POOL = [BufferPool(pool="ingress", size_bytes=1_200_000), BufferProfile(profile="roce", pool="ingress")]


@pytest.mark.parametrize(
    ("group", "verdict"),
    [
        (replace(lossless_group(), pause_at_bytes=1_000_000), "PASS"),
        (replace(lossless_group(), pause_at_bytes=100_000), "FAIL"),
        (replace(lossless_group(), static_limit_bytes=150_000), "FAIL"),
        (replace(lossless_group(), alpha_exp=-1), "PASS"),
        (replace(lossless_group(), alpha_exp=-3), "FAIL"),
        (lossless_group(), "UNKNOWN"),
    ],
)
def test_ecn_begins_below_the_limit(group: PriorityGroup, verdict: str) -> None:
    seen = {"leaf1": [*switch_port(), marking(), group, *POOL]}
    assert verdicts(before_pause, seen) == {"leaf1/Ethernet1": verdict}


def test_the_bound_of_a_dynamic_limit_is_alpha_by_one_plus_alpha_of_the_pool() -> None:
    seen = {"leaf1": [*switch_port(), marking(), replace(lossless_group(), alpha_exp=-1), *POOL]}
    assert "at most 400000 bytes" in findings(before_pause, seen)[0].message


def test_a_platform_that_prints_no_groups() -> None:
    cannot = {("leaf1", "priority_group"): "it prints none"}
    found = verdicts(before_pause, {"leaf1": [*switch_port(), marking()]}, cannot=cannot)
    assert found == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}


def test_a_queue_that_does_not_mark_is_judged_elsewhere() -> None:
    seen = {"leaf1": [*switch_port(), Queue(port=PORT, queue=3, ecn=False), lossless_group()]}
    assert verdicts(before_pause, seen) == {"leaf1/Ethernet1": "SKIPPED"}
