"""CNPs go first."""

import pytest

from fabric_audit.checks.qos import cnp_strict
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.qos import Queue
from tests.checks.judging import verdicts
from tests.checks.places import PORT, switch_port


@pytest.mark.parametrize(("scheduler", "verdict"), [("strict", "PASS"), ("dwrr", "FAIL"), (None, "UNKNOWN")])
def test_the_queue_of_cnps_is_strict(scheduler: str | None, verdict: str) -> None:
    seen = {"leaf1": [*switch_port(), Queue(port=PORT, queue=6, scheduler=scheduler)]}
    assert verdicts(cnp_strict, seen) == {"leaf1/Ethernet1": verdict}


def test_a_platform_that_cannot_tell() -> None:
    seen = {"leaf1": [FabricPort(port=PORT, side="host")]}
    found = verdicts(cnp_strict, seen, cannot={("leaf1", "queue.scheduler"): "it prints no schedulers"})
    assert found == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}


def test_a_policy_that_does_not_ask() -> None:
    assert verdicts(cnp_strict, {"leaf1": switch_port()}, cnp_strict=False) == {"leaf1/Ethernet1": "SKIPPED"}
