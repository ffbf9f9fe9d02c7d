"""802.3x pause is off in both directions."""

import pytest

from fabric_audit.checks.pfc import link_pause_off
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.ports import Interface
from tests.checks.judging import verdicts


@pytest.mark.parametrize(
    ("receives", "sends", "verdict"),
    [
        (False, False, "PASS"),
        (True, False, "FAIL"),
        (False, True, "FAIL"),
        (None, True, "FAIL"),
        (None, False, "UNKNOWN"),
        (None, None, "UNKNOWN"),
    ],
)
def test_pause_of_the_whole_link(receives: bool | None, sends: bool | None, verdict: str) -> None:
    port = Interface(port="rdma0", link_pause_rx=receives, link_pause_tx=sends)
    seen = {"h1": [FabricPort(port="rdma0", side="nic"), port]}
    assert verdicts(link_pause_off, seen) == {"h1/rdma0": verdict}


def test_a_platform_without_such_a_setting() -> None:
    seen = {"leaf1": [FabricPort(port="Ethernet1", side="host")]}
    cannot = {("leaf1", "interface.link_pause_rx"): "no setting for it"}
    assert verdicts(link_pause_off, seen, cannot=cannot) == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}


def test_a_policy_that_allows_it() -> None:
    seen = {"h1": [FabricPort(port="rdma0", side="nic"), Interface(port="rdma0", link_pause_rx=True)]}
    assert verdicts(link_pause_off, seen, link_pause_allowed=True) == {"h1/rdma0": "SKIPPED"}
