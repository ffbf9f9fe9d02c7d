"""Sessions, equal paths, hashes."""

from typing import Any

import pytest

from fabric_audit.checks.routing import ecmp_complete, entropy, hash_varies, session_up
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import Fabric, FabricPort, Link, Target
from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup, LoadBalancing
from fabric_audit.findings import CoverageRow
from tests.checks.judging import findings, verdicts


def session(neighbor: str, state: str | None = "established", port: str | None = None) -> BgpNeighbor:
    return BgpNeighbor(vrf="default", neighbor=neighbor, family="", state=state, port=port)


@pytest.mark.parametrize(("state", "verdict"), [("established", "PASS"), ("active", "FAIL"), (None, "UNKNOWN")])
def test_sessions(state: str | None, verdict: str) -> None:
    assert verdicts(session_up, {"leaf1": [session("192.0.2.1", state)]}) == {"leaf1/192.0.2.1/default": verdict}


def uplinks() -> list[Fact]:
    return [
        *(FabricPort(port=port, side="fabric") for port in ("up1", "up2")),
        Address(port="up1", address="192.0.2.0/31"),
        Address(port="up2", address="192.0.2.2/31"),
        Address(port="vlan10", address="198.51.100.1/24"),
    ]


def without_session(*sessions: BgpNeighbor) -> list[str]:
    found = findings(session_up, {"leaf1": [*uplinks(), *sessions]})
    return [f.subject[1] for f in found if "no routing session" in f.message]


def test_an_uplink_without_a_session() -> None:
    assert without_session(session("192.0.2.1"), session("192.0.2.3")) == []
    assert without_session(session("192.0.2.1")) == ["up2"]
    assert without_session(session("fe80::1", port="up2")) == ["up1"]


def test_sessions_that_are_tied_to_no_uplink_prove_nothing_about_uplinks() -> None:
    assert without_session(session("198.51.100.9")) == []
    assert without_session(session("peer-group")) == []


def clos(*groups: EcmpGroup, down: str = "") -> dict[str, list[Fact]]:
    """A leaf with two cables to each of two spines; spine1 with two cables to each of two leaves."""
    found: dict[str, list[Fact]] = {
        "leaf1": [Target(kind="switch", role="leaf"), *groups],
        "leaf2": [Target(kind="switch", role="leaf")],
        "spine1": [Target(kind="switch", role="spine")],
        "spine2": [Target(kind="switch", role="spine")],
    }
    for leaf in ("leaf1", "leaf2"):
        for spine in ("spine1", "spine2"):
            for n in (1, 2):
                link = Link(a_target=leaf, a_port=f"{spine}-{n}", b_target=spine, b_port=f"{leaf}-{n}", role="fabric")
                found[leaf].append(link)
    if down:
        found["leaf1"].append(Interface(port=down, oper_up=False))
    return found


def group(*ports: str, prefix: str = "10.2.0.0/16") -> EcmpGroup:
    return EcmpGroup(vrf="default", prefix=prefix, ports=",".join(ports), ways=len(ports))


ALL = ("spine1-1", "spine1-2", "spine2-1", "spine2-2")


def test_all_uplinks_are_used() -> None:
    assert verdicts(ecmp_complete, clos(group(*ALL))) == {"leaf1": "PASS"}


@pytest.mark.parametrize(
    ("used", "missing"), [(ALL[:3], "spine2-2"), (ALL[:2], "spine2-1, spine2-2"), (ALL[2:3], "spine1-1")]
)
def test_an_uplink_is_left_out(used: tuple[str, ...], missing: str) -> None:
    (found,) = findings(ecmp_complete, clos(group(*used), group(*used, prefix="10.3.0.0/16")))
    assert found.verdict.name == "FAIL"
    assert missing in found.message
    assert found.message.startswith("2 prefixes (10.2.0.0/16, 10.3.0.0/16)")


def test_an_uplink_that_is_down_is_not_missed() -> None:
    assert verdicts(ecmp_complete, clos(group(*ALL[:3]), down="spine2-2")) == {"leaf1": "PASS"}


def test_prefixes_of_hosts_are_not_judged() -> None:
    assert verdicts(ecmp_complete, clos(group("vlan10"))) == {}


def test_downwards_only_the_links_to_that_leaf_are_expected() -> None:
    seen = clos()
    seen["spine1"] += [group("leaf1-1", "leaf1-2"), group("leaf2-1", prefix="10.9.0.0/16")]
    found = findings(ecmp_complete, seen)
    assert [(f.subject, f.verdict.name) for f in found] == [(("spine1", "leaf2-2"), "FAIL")]


READ = (CoverageRow(target="leaf1", phase="baseline", section="x", tables=("load_balancing",), state="parsed"),)
LEAF = Target(kind="switch", platform="arista_eos", role="leaf")


def balancing(**told: Any) -> LoadBalancing:
    return LoadBalancing(scope="ecmp", **told)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (balancing(mode="hash", fields="src_ip,dst_ip,src_port,dst_port"), "PASS"),
        (balancing(mode="hash", fields="src_ip,dst_ip,roce_qpn"), "PASS"),
        (balancing(mode="hash", fields="src_ip,dst_ip"), "FAIL"),
        (balancing(mode="hash"), "PASS"),
        (balancing(mode="flowlet"), "PASS"),
        (balancing(mode="per_packet"), "FAIL"),
        (balancing(mode="adaptive"), "FAIL"),
        (balancing(), "UNKNOWN"),
    ],
)
def test_flows_are_told_apart(row: LoadBalancing, verdict: str) -> None:
    assert verdicts(entropy, {"leaf1": [LEAF, row]}, coverage=READ) == {"leaf1/ecmp": verdict}


def test_spraying_where_nics_reorder() -> None:
    seen = {"leaf1": [LEAF, balancing(mode="adaptive")]}
    assert verdicts(entropy, seen, coverage=READ, reordering_possible=True) == {"leaf1/ecmp": "PASS"}


def test_a_default_hash() -> None:
    assert verdicts(entropy, {"leaf1": [LEAF]}, coverage=READ) == {"leaf1": "SKIPPED"}
    assert verdicts(entropy, {"leaf1": [LEAF]}) == {}


def test_seeds() -> None:
    spine = Target(kind="switch", platform="arista_eos", role="spine")
    pod = [Fabric(name="pod")]
    same = {"pod": pod, "leaf1": [LEAF, balancing(seed="7")], "spine1": [spine, balancing(seed="7")]}
    other = {"pod": pod, "leaf1": [LEAF, balancing(seed="7")], "spine1": [spine, balancing(seed="8")]}
    assert verdicts(hash_varies, same) == {"leaf1/seed 7": "FAIL"}
    assert verdicts(hash_varies, other) == {"pod": "PASS"}
    assert verdicts(hash_varies, {"pod": pod, "leaf1": [LEAF]}) == {"pod": "SKIPPED"}
