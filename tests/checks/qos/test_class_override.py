"""The driver's global class: none, the right one, or another."""

import pytest

from fabric_audit.checks.qos import class_override
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.rdma import RdmaPort
from tests.checks.judging import findings, verdicts


def host(traffic_class: int | None) -> list[Fact]:
    return [
        FabricPort(port="rdma0", side="nic", rail=0),
        RdmaPort(device="mlx5_0", port=1, netdev="rdma0", traffic_class=traffic_class),
    ]


@pytest.mark.parametrize(
    ("traffic_class", "verdict"), [(None, "PASS"), (106, "PASS"), (104, "PASS"), (0, "FAIL"), (96, "FAIL")]
)
def test_an_override_is_of_the_class_of_roce(traffic_class: int | None, verdict: str) -> None:
    assert verdicts(class_override, {"h1": host(traffic_class)}) == {"h1/rdma0": verdict}


def test_the_device_behind_a_nic_is_not_known() -> None:
    assert verdicts(class_override, {"h1": [FabricPort(port="rdma0", side="nic", rail=0)]}) == {"h1/rdma0": "UNKNOWN"}


def test_all_nics_of_a_host_alike_are_one_finding() -> None:
    two = [*host(0), FabricPort(port="rdma1", side="nic", rail=1)]
    two.append(RdmaPort(device="mlx5_1", port=1, netdev="rdma1", traffic_class=0))
    found = findings(class_override, {"h1": two})
    assert [(f.subject, f.verdict.name) for f in found] == [(("h1",), "FAIL")]
    assert "all its 2 compute NICs" in found[0].message
