"""CNPs land outside of the lossless class."""

from fabric_audit.checks.qos import cnp_not_lossless
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import PfcPriorityMap
from tests.checks.judging import verdicts
from tests.checks.places import NIC, PORT, nic, switch_port


def test_a_class_of_their_own() -> None:
    seen = {"leaf1": switch_port(), "h1": nic()}
    assert verdicts(cnp_not_lossless, seen) == {"leaf1/Ethernet1": "PASS", "h1/rdma0": "PASS"}


def test_in_the_lossless_class() -> None:
    seen = {"leaf1": switch_port(dscp48=3), "h1": nic(cnp=3)}
    assert verdicts(cnp_not_lossless, seen) == {"leaf1/Ethernet1": "FAIL", "h1/rdma0": "FAIL"}


def test_in_the_queue_that_pfc_stops_where_it_has_another_number() -> None:
    seen = {"leaf1": [*switch_port(), PfcPriorityMap(port=PORT, priority=3, queue=6)]}
    assert verdicts(cnp_not_lossless, seen) == {"leaf1/Ethernet1": "FAIL"}


def test_where_they_land_is_not_known() -> None:
    assert verdicts(cnp_not_lossless, {"leaf1": [FabricPort(port=PORT, side="host")]}) == {"leaf1/Ethernet1": "UNKNOWN"}


def test_a_nic_that_looks_at_no_dscp_is_judged_elsewhere() -> None:
    seen = {"h1": [FabricPort(port=NIC, side="nic"), Interface(port=NIC, trust_mode="pcp")]}
    assert verdicts(cnp_not_lossless, seen) == {"h1/rdma0": "SKIPPED"}


def test_a_policy_without_cnps_asks_nothing() -> None:
    assert verdicts(cnp_not_lossless, {"leaf1": switch_port()}, cnp_dscp=None) == {"leaf1/Ethernet1": "SKIPPED"}
