"""Flaps, bit errors, modules, aggregates."""

import pytest

from fabric_audit.checks.links import bit_errors, error_margin, flaps, members, optics
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import Fabric, FabricPort, IntendedNic
from fabric_audit.facts.ports import BondMember, Transceiver
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.routing import LagMember
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import Stamped
from tests.checks.judging import verdicts
from tests.checks.readings import still, twice

NIC = FabricPort(port="rdma0", side="nic", rail=0)
DEVICE = RdmaPort(device="mlx5_0", port=1, netdev="rdma0")
POD = still("pod", Fabric(name="pod"))


@pytest.mark.parametrize(
    ("name", "port", "before", "after", "verdict"),
    [
        ("carrier_down_count", "rdma0", 1, 1, "PASS"),
        ("carrier_down_count", "rdma0", 1, 2, "FAIL"),
        ("link_downed", "mlx5_0/1", 3, 4, "FAIL"),
        ("carrier_down_count", "other", 1, 9, "SKIPPED"),
    ],
)
def test_a_link_that_goes_down_during_the_run(name: str, port: str, before: int, after: int, verdict: str) -> None:
    counted = twice("h1", {name: before}, {name: after}, port=port, counter_class="flap")
    assert verdicts(flaps, [*still("h1", NIC, DEVICE), *counted]) == {"h1/rdma0": verdict}


@pytest.mark.parametrize(("times", "days", "verdict"), [(10, 2, "PASS"), (11, 2, "FAIL"), (6, 0.1, "FAIL")])
def test_a_link_that_went_down_too_often(times: int, days: float, verdict: str) -> None:
    counted = twice("h1", {"carrier_down_count": times}, {}, port="rdma0", counter_class="flap")
    uptime = System(name="h1", uptime_s=days * 86400)
    assert verdicts(flaps, [*still("h1", NIC, DEVICE, uptime), *counted]) == {"h1/rdma0": verdict}


def ratio(ber: float | None, port: str = "mlx5_0/1") -> list[Stamped]:
    return [*POD, *still("h1", NIC, DEVICE, Transceiver(port=port, post_fec_ber=ber))]


@pytest.mark.parametrize(
    ("ber", "bad", "suspect"),
    [(0.0, "PASS", "PASS"), (1e-16, "PASS", "PASS"), (1e-13, "PASS", "FAIL"), (1e-11, "FAIL", "FAIL")],
)
def test_effective_bit_errors(ber: float, bad: str, suspect: str) -> None:
    assert verdicts(bit_errors, ratio(ber)) == {"h1/rdma0": bad}
    assert verdicts(error_margin, ratio(ber)) == {"h1/rdma0": suspect}


def test_a_ratio_of_an_interface() -> None:
    assert verdicts(bit_errors, ratio(1e-11, "rdma0")) == {"h1/rdma0": "FAIL"}


def test_nobody_tells_ratios() -> None:
    assert verdicts(bit_errors, ratio(None)) == {"pod": "NOT_VERIFIABLE"}


def test_one_port_of_several_tells_none() -> None:
    other = still("h1", FabricPort(port="rdma1", side="nic", rail=1))
    assert verdicts(bit_errors, [*ratio(0.0), *other]) == {"h1/rdma0": "PASS", "h1/rdma1": "SKIPPED"}


@pytest.mark.parametrize(
    ("module", "verdict"),
    [
        (Transceiver(port="rdma0", alarms="", temperature_c=50.0), "PASS"),
        (Transceiver(port="rdma0", alarms="rx power low warning", temperature_c=50.0), "FAIL"),
        (Transceiver(port="rdma0", alarms="", temperature_c=80.0), "FAIL"),
        (Transceiver(port="rdma0", passive=True, temperature_c=0.0), "SKIPPED"),
    ],
)
def test_modules(module: Transceiver, verdict: str) -> None:
    assert verdicts(optics, {"h1": [NIC, module]}) == {"h1/rdma0": verdict}


def test_no_module_tells_anything() -> None:
    assert verdicts(optics, [*POD, *still("h1", NIC, Transceiver(port="rdma0"))]) == {"pod": "NOT_VERIFIABLE"}


def test_a_port_without_readings_beside_one_with() -> None:
    seen = {"h1": [NIC, FabricPort(port="rdma1", side="nic"), Transceiver(port="rdma0", alarms="")]}
    assert verdicts(optics, seen) == {"h1/rdma0": "PASS", "h1/rdma1": "SKIPPED"}


def member(**told: object) -> BondMember:
    return BondMember(bond="bond0", port="rdma0", **told)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fact", "verdict"),
    [
        (LagMember(lag="Po1", port="rdma0", bundled=True), "PASS"),
        (LagMember(lag="Po1", port="rdma0", bundled=False, reason="no LACP partner"), "FAIL"),
        (LagMember(lag="Po1", port="rdma0"), "UNKNOWN"),
        (member(up=True, active=True), "PASS"),
        (member(up=True, active=False, mode="802.3ad"), "FAIL"),
        (member(up=True, active=False, mode="active-backup"), "PASS"),
        (member(up=False, active=False, mode="active-backup"), "FAIL"),
        (member(), "UNKNOWN"),
    ],
)
def test_members_of_aggregates(fact: Fact, verdict: str) -> None:
    assert set(verdicts(members, {"h1": [NIC, fact]}).values()) == {verdict}


def test_a_bond_that_is_promised_and_not_there() -> None:
    nic = IntendedNic(nic="rdma0", netdev="rdma0", role="compute", bond="bond0")
    assert verdicts(members, {"h1": [NIC, nic]}) == {"h1/bond0": "UNKNOWN"}


def test_no_aggregates() -> None:
    other = LagMember(lag="Po9", port="management", bundled=False)
    assert verdicts(members, [*POD, *still("h1", NIC, other)]) == {"pod": "SKIPPED"}
