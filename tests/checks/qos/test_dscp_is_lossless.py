"""The RoCE DSCP lands in the queue that PFC of its priority stops, whatever the queue's number."""

import pytest

from fabric_audit.checks.qos.dscp_is_lossless import check
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PfcPriorityMap, TrafficClassMap
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Designs
from tests.checks.tables import seen, verdicts

PORT = "et-0/0/0"


@pytest.mark.parametrize(
    ("landed", "queue", "stopped", "verdict"),
    [
        (3, 3, [], "PASS"),
        (4, 4, [], "FAIL"),
        (4, 4, [(3, 4)], "PASS"),
        (3, 3, [(3, 4)], "FAIL"),
        (4, 4, [(4, 4), (3, 3)], "FAIL"),
        (3, None, [(3, None)], "PASS"),
        (None, 3, [(3, 3)], "UNKNOWN"),
    ],
)
def test_dscp_26(landed: int | None, queue: int | None, stopped: list[tuple[int, int | None]], verdict: str) -> None:
    found = check(
        seen(DscpMap, DscpMap(port=PORT, dscp=26, traffic_class=landed)),
        seen(TrafficClassMap, *([TrafficClassMap(port=PORT, traffic_class=queue, queue=queue)] if queue else [])),
        seen(PfcPriorityMap, *(PfcPriorityMap(port=PORT, priority=p, queue=q) for p, q in stopped)),
        seen(Interface, Interface(port=PORT, trust_mode="dscp")),
        seen(FabricPort, FabricPort(port=PORT, side="fabric")),
        Designs(load_policy("roce-lossless").design),
    )
    assert verdicts(found) == {f"leaf1/{PORT}": verdict}


def test_a_nic_is_judged_by_its_priority() -> None:
    found = check(
        seen(DscpMap, DscpMap(port="eth1", dscp=26, priority=3), target="gpu1"),
        seen(TrafficClassMap),
        seen(PfcPriorityMap, PfcPriorityMap(port="eth1", priority=3, queue=5), target="gpu1"),
        seen(Interface, Interface(port="eth1", trust_mode="dscp"), target="gpu1"),
        seen(FabricPort, FabricPort(port="eth1", side="nic"), target="gpu1"),
        Designs(load_policy("roce-lossless").design),
    )
    assert verdicts(found) == {"gpu1/eth1": "PASS"}
