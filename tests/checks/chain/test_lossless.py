"""The chain breaks at the hop where it was broken, and that hop is the one root finding."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from fabric_audit.checks.engine import Evidences, evaluate_all
from fabric_audit.checks.model import all_checks
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import CongestionControl, CongestionSetting
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, Queue
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.routing import Vxlan
from fabric_audit.facts.tables import frames
from fabric_audit.findings import CoverageRow, Finding, Verdict
from fabric_audit.inventory.model import Host, Inventory, Login, Nic, Switch
from fabric_audit.policy.load import load_policy
from tests.checks.chain.fabric import HOSTS, Facts, changed, healthy, without
from tests.checks.judging import stamped

CHAIN = next(check for check in all_checks() if check.id == "chain.lossless")
PARTS = tuple(check for check in all_checks() if check.id in (*CHAIN.judges_by, CHAIN.id))


def audited(
    seen: Facts, cannot: dict[tuple[str, str], str] | None = None, *, chain_only: bool = False
) -> list[Finding]:
    """Every finding of the chain and of the checks it judges by."""
    login = Login(address="192.0.2.1")
    nics = (Nic(rail=0, device="mlx5_0", netdev="rdma0"),)
    inventory = Inventory(
        fabric="small",
        hosts=tuple(Host(name=name, login=login, nics=nics, gpus=0) for name in HOSTS),
        switches=tuple(Switch(name=name, login=login, platform="sonic") for name in sorted(set(seen) - set(HOSTS))),
    )
    asked = tuple(sorted(frozenset().union(*(check.evidence for check in PARTS))))
    coverage = tuple(
        CoverageRow(target=target, phase="baseline", section="all", tables=asked, state="parsed") for target in seen
    )
    evidences = Evidences(
        inventory=inventory,
        tables=frames(stamped(seen)),
        coverage=coverage,
        traffic=False,
        cannot=cannot or {},
        as_of=date(2025, 1, 1),
    )
    results = evaluate_all((CHAIN,) if chain_only else PARTS, evidences, load_policy("roce-lossless"))
    return [finding for result in results for finding in result.findings]


def chain(found: list[Finding]) -> dict[str, Finding]:
    return {f.subject[0]: f for f in found if f.check == "chain.lossless"}


def roots(found: list[Finding]) -> list[str]:
    return [f.id for f in found if f.verdict is Verdict.FAIL and not f.explained_by]


def test_a_healthy_fabric() -> None:
    found = audited(healthy())
    assert roots(found) == []
    assert {name: f.verdict.name for name, f in chain(found).items()} == {"h1": "PASS", "h2": "PASS"}
    assert "all 6 ports" in chain(found)["h1"].message


def at(port: str) -> Callable[[Any], bool]:
    return lambda fact: fact.port == port


def mapping(port: str, dscp: int) -> Callable[[Any], bool]:
    return lambda fact: fact.port == port and fact.dscp == dscp


def numbered(port: str, queue: int) -> Callable[[Any], bool]:
    return lambda fact: fact.port == port and fact.queue == queue


BREAKS: dict[str, Any] = {
    "class": ("h1", RdmaPort, lambda _: True, {"traffic_class": 0}, "qos.class-override:h1/rdma0", 0),
    "trust": ("h1", Interface, at("rdma0"), {"trust_mode": "pcp"}, "qos.trust-dscp:h1/rdma0", 0),
    "priority": ("h1", DscpMap, mapping("rdma0", 26), {"priority": 0}, "qos.dscp-is-lossless:h1/rdma0", 0),
    "nic-pfc": ("h1", PfcPort, at("rdma0"), {"mode": "off"}, "pfc.enabled-on-lossless-priority:h1/rdma0", 0),
    "cnp": ("h1", CongestionSetting, lambda s: s.name == "cnp_dscp", {"value": "0"}, "ecn.cnp-marking:h1/rdma0", 0),
    "answers": (
        *("h1", CongestionControl, at("rdma0"), {"notification_point": False}),
        *("ecn.congestion-control-on:h1/rdma0", 0),
    ),
    "cable": ("leaf1", Interface, at("down1"), {"mtu_bytes": 1500}, "links.mtu:leaf1/down1", 1),
    "leaf-pfc": (
        *("leaf1", PfcPort, at("down1"), {"oper_priorities": "4"}),
        *("pfc.enabled-on-lossless-priority:leaf1/down1", 1),
    ),
    "leaf-class": ("leaf1", DscpMap, mapping("down1", 26), {"traffic_class": 0}, "qos.dscp-is-lossless:leaf1/down1", 1),
    "group": ("leaf1", PriorityGroup, at("down1"), {"lossless": False}, "buffers.lossless-group:leaf1/down1", 1),
    "ecn": ("leaf1", Queue, numbered("up1", 3), {"ecn": False}, "ecn.marks-on-lossless-queue:leaf1/up1", 1),
    "cnp-queue": ("leaf1", DscpMap, mapping("up1", 48), {"traffic_class": 3}, "qos.cnp-not-lossless:leaf1/up1", 1),
    "spine-trust": ("spine1", Interface, at("down1"), {"trust_mode": "pcp"}, "qos.trust-dscp:spine1/down1", 2),
    "spine-out": ("spine1", Queue, numbered("down2", 3), {"wred_drops": True}, "ecn.marks-not-drops:spine1/down2", 2),
    "watchdog": ("leaf2", PfcWatchdog, at("up1"), {"enabled": False}, "pfc.watchdog-enabled:leaf2/up1", 3),
    "red-switch": (
        "leaf2",
        PfcWatchdog,
        at("up1"),
        {"big_red_switch": True},
        "watchdog.acts-on-storms-only:leaf2/up1",
        3,
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_is_one_root_finding_at_its_hop(name: str) -> None:
    target, kind, where, values, root, hop = BREAKS[name]
    found = audited(changed(healthy(), target, kind, where, **values))
    assert roots(found) == [root]
    lost = chain(found)["h1"]
    assert lost.verdict is Verdict.FAIL
    assert lost.explained_by == root
    assert f"lost at hop {hop}, " in lost.message


def test_a_nic_is_not_charged_with_its_peers_faults() -> None:
    found = audited(changed(healthy(), "h2", PfcPort, at("rdma0"), mode="off"))
    assert {name: f.verdict.name for name, f in chain(found).items()} == {"h1": "PASS", "h2": "FAIL"}


def test_alone_it_is_its_own_root() -> None:
    seen = changed(healthy(), "leaf1", PfcPort, at("down1"), mode="off")
    found = audited(seen, chain_only=True)
    assert roots(found) == ["chain.lossless:h1/rdma0"]
    assert "PFC is off for priority 3" in chain(found)["h1"].message


@pytest.mark.parametrize(("target", "port", "kind"), [("leaf1", "up1", PfcPort), ("spine1", "down2", PriorityGroup)])
def test_a_hop_that_is_not_told_leaves_the_chain_unknown(target: str, port: str, kind: type[Fact]) -> None:
    found = chain(audited(without(healthy(), target, kind, at(port))))["h1"]
    assert found.verdict is Verdict.UNKNOWN
    assert target in found.message


def test_a_platform_that_cannot_tell_leaves_it_not_verifiable() -> None:
    seen = healthy()
    for port in ("down1", "down2"):
        seen = without(seen, "spine1", PriorityGroup, at(port))
    found = chain(audited(seen, {("spine1", "priority_group"): "it prints none"}))["h1"]
    assert found.verdict is Verdict.NOT_VERIFIABLE
    assert "nothing breaks it" in found.message


@pytest.mark.parametrize(
    ("mode", "copies", "verdict"),
    [("copy", True, "PASS"), ("copy", None, "NOT_VERIFIABLE"), ("unknown", True, "NOT_VERIFIABLE")],
)
def test_a_tunnel_that_may_lose_the_class(mode: str, copies: bool | None, verdict: str) -> None:
    seen = healthy()
    seen["leaf1"].append(Vxlan(port="vtep", present=True, dscp_mode=mode, ecn_copy=copies))
    assert chain(audited(seen))["h1"].verdict.name == verdict


def test_the_switch_port_of_a_nic_is_not_known() -> None:
    seen = without(healthy(), "h1", Fact, lambda fact: fact.TABLE == "link")
    found = chain(audited(seen))
    assert {name: f.verdict.name for name, f in found.items()} == {"h1": "UNKNOWN", "h2": "PASS"}


def test_without_switches_the_chain_is_the_nic() -> None:
    alone = {name: [f for f in facts if f.TABLE != "link"] for name, facts in healthy().items() if name in HOSTS}
    assert {f.verdict.name for f in chain(audited(alone)).values()} == {"PASS"}
