"""NICs send CNPs with the DSCP and priority that switches take for CNPs."""

import pytest

from fabric_audit.checks.ecn import cnp_marking
from fabric_audit.facts.congestion import CongestionSetting
from fabric_audit.facts.intent import FabricPort
from tests.checks.judging import verdicts


@pytest.mark.parametrize(
    ("settings", "verdict"),
    [
        ({"cnp_dscp": "48", "cnp_priority": "6"}, "PASS"),
        ({"cnp_dscp": "4", "cnp_priority": "6"}, "FAIL"),
        ({"cnp_dscp": "48", "cnp_priority": "0"}, "FAIL"),
        ({"cnp_dscp": "48"}, "UNKNOWN"),
        ({"cnp_dscp": "4"}, "FAIL"),
        ({"cnp_dscp": "48", "cnp_priority": None}, "UNKNOWN"),
        ({}, "UNKNOWN"),
    ],
)
def test_cnps_are_marked_as_the_fabric_knows_them(settings: dict[str, str | None], verdict: str) -> None:
    told = [CongestionSetting(port="rdma0", name=name, value=value) for name, value in settings.items()]
    seen = {"h1": [FabricPort(port="rdma0", side="nic"), *told]}
    assert verdicts(cnp_marking, seen) == {"h1/rdma0": verdict}


def test_without_dcqcn_there_are_none() -> None:
    seen = {"h1": [FabricPort(port="rdma0", side="nic")]}
    assert verdicts(cnp_marking, seen, congestion_control="rtt") == {"h1/rdma0": "SKIPPED"}
