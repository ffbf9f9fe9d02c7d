"""Both ends of a cable: speed, FEC, the plan, and what is known of it."""

import pytest

from fabric_audit.checks.links import as_planned, nic_cabled, same_fec, same_speed
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import Cable, Fabric, FabricPort, Link, Target
from fabric_audit.facts.ports import Interface
from tests.checks.judging import verdicts

CABLE = Link(a_target="h1", a_port="rdma0", b_target="leaf1", b_port="down1", by="lldp", role="host")
G = 10**9


def ends(host: Interface, leaf: Interface) -> dict[str, list[Fact]]:
    return {"h1": [CABLE, host], "leaf1": [leaf]}


@pytest.mark.parametrize(
    ("here", "there", "verdict"),
    [(400 * G, 400 * G, "PASS"), (400 * G, 200 * G, "FAIL"), (None, 400 * G, "UNKNOWN"), (400 * G, None, "UNKNOWN")],
)
def test_speed(here: int | None, there: int | None, verdict: str) -> None:
    seen = ends(Interface(port="rdma0", speed_bps=here), Interface(port="down1", speed_bps=there))
    assert verdicts(same_speed, seen) == {"h1/rdma0/leaf1/down1": verdict}


@pytest.mark.parametrize(
    ("here", "there", "verdict"),
    [
        ({"fec_oper": "rs"}, {"fec_mode": "rs"}, "PASS"),
        ({"fec_mode": "auto", "fec_oper": "rs"}, {"fec_mode": "rs"}, "PASS"),
        ({"fec_oper": "none"}, {"fec_oper": "none"}, "PASS"),
        ({"fec_oper": "rs"}, {"fec_oper": "fc"}, "FAIL"),
        ({"fec_mode": "rs", "fec_oper": "none"}, {"fec_mode": "rs"}, "FAIL"),
        ({"fec_mode": "auto"}, {"fec_mode": "rs"}, "UNKNOWN"),
        ({}, {"fec_mode": "rs"}, "UNKNOWN"),
    ],
)
def test_fec(here: dict[str, str], there: dict[str, str], verdict: str) -> None:
    def port(name: str, told: dict[str, str]) -> Interface:
        return Interface(port=name, fec_mode=told.get("fec_mode"), fec_oper=told.get("fec_oper"))

    found = verdicts(same_fec, ends(port("rdma0", here), port("down1", there)))
    assert set(found.values()) == {verdict}


def test_fec_that_a_platform_cannot_tell_is_its_own_end() -> None:
    seen = ends(Interface(port="rdma0", fec_oper="rs"), Interface(port="down1"))
    found = verdicts(same_fec, seen, cannot={("leaf1", "interface.fec_mode"): "it prints none"})
    assert found == {"leaf1/down1/h1/rdma0": "NOT_VERIFIABLE"}


NIC = FabricPort(port="rdma0", side="nic", rail=0)
SWITCH = Target(kind="switch", platform="sonic")


def test_a_nic_whose_cable_is_known() -> None:
    assert verdicts(nic_cabled, {"h1": [NIC, CABLE], "leaf1": [SWITCH]}) == {"h1/rdma0": "PASS"}


def test_two_sources_that_disagree() -> None:
    torn = Link(
        a_target="h1", a_port="rdma0", b_target="leaf1", b_port="down1", by="lldp", conflict="mac says leaf2 down1"
    )
    assert verdicts(nic_cabled, {"h1": [NIC, torn], "leaf1": [SWITCH]}) == {"h1/rdma0": "FAIL"}


def test_a_nic_whose_cable_nobody_knows() -> None:
    seen: dict[str, list[Fact]] = {"h1": [NIC], "leaf1": [SWITCH]}
    assert verdicts(nic_cabled, seen) == {"h1/rdma0": "UNKNOWN"}


def test_without_switches_there_is_nothing_to_know() -> None:
    assert verdicts(nic_cabled, {"h1": [NIC]}) == {"h1/rdma0": "SKIPPED"}


PLAN = Cable(a_target="leaf1", a_port="down1", b_target="h1", b_port="rdma0")


def link(port: str, leaf_port: str, by: str = "lldp") -> Link:
    return Link(a_target="h1", a_port=port, b_target="leaf1", b_port=leaf_port, by=by)


@pytest.mark.parametrize(
    ("links", "verdict"),
    [
        ([link("rdma0", "down1")], "PASS"),
        ([link("rdma1", "down1"), link("rdma0", "down2")], "FAIL"),
        ([link("rdma0", "down2")], "FAIL"),
        ([link("rdma0", "down1", "cables")], "UNKNOWN"),
        ([], "UNKNOWN"),
    ],
)
def test_the_cable_plan(links: list[Link], verdict: str) -> None:
    assert verdicts(as_planned, {"h1": [PLAN, *links]}) == {"leaf1/down1/h1/rdma0": verdict}


def test_no_plan() -> None:
    seen: dict[str, list[Fact]] = {"pod": [Fabric(name="pod")], "h1": [CABLE]}
    assert verdicts(as_planned, seen) == {"pod": "SKIPPED"}
