"""Addresses of compute NICs: unique, routable, alike, by their own way, behind their own MAC."""

from typing import Any

import pytest

from fabric_audit.checks.addressing import (
    arp_answers,
    neighbor_is_meant,
    own_way_out,
    roce_v2_gid,
    same_gid_index,
    unique,
)
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.ports import Address, Interface, NeighborEntry, Route, RouteRule
from fabric_audit.facts.rdma import Gid, RdmaPort
from fabric_audit.facts.system import KernelSetting
from tests.checks.judging import findings, verdicts


def nic(rail: int, address: str = "", mac: str = "", gids: tuple[Gid, ...] = ()) -> list[Fact]:
    port = f"rdma{rail}"
    found: list[Fact] = [
        FabricPort(port=port, side="nic", rail=rail),
        RdmaPort(device=f"mlx5_{rail}", port=1, netdev=port, link_layer="Ethernet"),
        Interface(port=port, mac=mac or None, kind="physical"),
    ]
    return [*found, *([Address(port=port, address=address)] if address else []), *gids]


def test_addresses_of_their_own() -> None:
    seen = {"h1": nic(0, "10.1.0.1/16", "02:00:5e:00:00:01"), "h2": nic(0, "10.1.0.2/16", "02:00:5e:00:00:02")}
    assert set(verdicts(unique, seen).values()) == {"PASS"}


@pytest.mark.parametrize(
    ("address", "mac", "words"),
    [
        ("10.1.0.1/16", "02:00:5e:00:00:02", "10.1.0.1 is also h1 rdma0's"),
        ("10.1.0.2/16", "02:00:5e:00:00:01", "02:00:5e:00:00:01 is also h1 rdma0's"),
    ],
)
def test_an_address_that_two_nics_have(address: str, mac: str, words: str) -> None:
    seen = {"h1": nic(0, "10.1.0.1/16", "02:00:5e:00:00:01"), "h2": nic(0, address, mac)}
    found = {f.subject[0]: f for f in findings(unique, seen)}
    assert {name: f.verdict.name for name, f in found.items()} == {"h1": "FAIL", "h2": "FAIL"}
    assert found["h2"].message == words


def test_link_local_addresses_may_be_alike_and_none_is_unknown() -> None:
    seen = {"h1": nic(0, "fe80::1/64", "02:00:5e:00:00:01"), "h2": nic(0, "fe80::1/64", "02:00:5e:00:00:02")}
    assert set(verdicts(unique, seen).values()) == {"PASS"}
    assert verdicts(unique, {"h1": nic(0)}) == {"h1/rdma0": "UNKNOWN"}


LOCAL = "fe80:0000:0000:0000:0000:5eff:fe00:0001"
GLOBAL = "2001:0db8:0000:0000:0000:0000:0000:0001"


def gid(index: int, gid: str = LOCAL, ipv4: str | None = None, type: str = "RoCE v2", rail: int = 0) -> Gid:  # noqa: A002 - the column's name
    return Gid(device=f"mlx5_{rail}", port=1, index=index, gid=gid, type=type, ipv4=ipv4)


V4 = (gid(0), gid(3, "0000:0000:0000:0000:0000:ffff:0a01:0001", "10.1.0.1"))


@pytest.mark.parametrize(
    ("gids", "verdict"),
    [
        (V4, "PASS"),
        ((gid(0),), "FAIL"),
        ((gid(2, ipv4="10.1.0.2", type="RoCE v1"),), "FAIL"),
        ((gid(0, GLOBAL),), "FAIL"),
        ((), "UNKNOWN"),
    ],
)
def test_a_gid_like_those_of_its_peers(gids: tuple[Gid, ...], verdict: str) -> None:
    found = verdicts(roce_v2_gid, {"h1": nic(0, gids=V4), "h2": nic(0, gids=gids)})
    assert found == {"h1/rdma0": "PASS", "h2/rdma0": verdict}


def test_a_pod_of_ipv6_alone() -> None:
    seen = {"h1": nic(0, gids=(gid(0, GLOBAL),)), "h2": nic(0, gids=(gid(0),))}
    assert verdicts(roce_v2_gid, seen) == {"h1/rdma0": "PASS", "h2/rdma0": "FAIL"}


def test_the_index_is_the_same_everywhere() -> None:
    other = (gid(0), gid(5, "0000:0000:0000:0000:0000:ffff:0a01:0003", "10.1.0.3"))
    seen = {"h1": nic(0, gids=V4), "h2": nic(0, gids=V4), "h3": nic(0, gids=other), "h4": nic(0)}
    assert verdicts(same_gid_index, seen) == {
        "h1/rdma0": "PASS",
        "h2/rdma0": "PASS",
        "h3/rdma0": "FAIL",
        "h4/rdma0": "SKIPPED",
    }


def host(*more: Fact) -> list[Fact]:
    """Two rails in subnets of their own, with a default route by the first one."""
    return [
        *nic(0, "10.1.0.1/16"),
        *nic(1, "10.2.0.1/16"),
        RouteRule(priority=0, source="all", table_id="local"),
        RouteRule(priority=32766, source="all", table_id="main"),
        Route(destination="10.1.0.0/16", port="rdma0", table_id="main"),
        Route(destination="10.2.0.0/16", port="rdma1", table_id="main"),
        Route(destination="default", port="rdma0", table_id="main"),
        *more,
    ]


def peer(second: str) -> list[Fact]:
    return [*nic(0, "10.1.0.2/16"), *nic(1, second)]


RULED = (
    RouteRule(priority=100, source="10.2.0.1", table_id="101"),
    Route(destination="default", port="rdma1", table_id="101"),
)


@pytest.mark.parametrize(
    ("more", "second", "verdict"),
    [
        ((), "10.2.0.2/16", "PASS"),
        ((), "10.20.0.2/16", "FAIL"),
        (RULED, "10.20.0.2/16", "PASS"),
        ((RouteRule(priority=99, source="10.2.0.0/16", table_id="7"), *RULED), "10.20.0.2/16", "PASS"),
        ((Route(destination="10.20.0.0/16", port="rdma1", table_id="main", metric=5),), "10.20.0.2/16", "PASS"),
        ((Route(destination="10.20.0.0/16", port="rdma1", table_id="main", usable=False),), "10.20.0.2/16", "FAIL"),
    ],
)
def test_each_rail_leaves_by_its_own_nic(more: tuple[Fact, ...], second: str, verdict: str) -> None:
    found = verdicts(own_way_out, {"h1": host(*more), "h2": peer(second)})
    assert (found["h1/rdma0"], found["h1/rdma1"]) == ("PASS", verdict)


def test_ways_that_cannot_be_judged() -> None:
    assert verdicts(own_way_out, {"h1": nic(0, "10.1.0.1/16")}) == {"h1/rdma0": "SKIPPED"}
    assert verdicts(own_way_out, {"h1": nic(0)}) == {"h1/rdma0": "SKIPPED"}
    found = verdicts(own_way_out, {"h1": nic(0, "10.1.0.1/16"), "h2": nic(0, "10.1.0.2/16")})
    assert found == {"h1/rdma0": "UNKNOWN", "h2/rdma0": "UNKNOWN"}


def settings(**values: Any) -> list[Fact]:
    """``all_arp_ignore=1`` is net.ipv4.conf.all.arp_ignore; what is not given is 0."""
    found: list[Fact] = []
    for port in ("all", "rdma0", "rdma1"):
        for name in ("arp_ignore", "arp_announce", "rp_filter"):
            value = values.get(f"{port}_{name}", 0)
            found.append(KernelSetting(name=f"net.ipv4.conf.{port}.{name}", value=str(value)))
    return found


ONE_SUBNET = [*nic(0, "10.1.0.1/16"), *nic(1, "10.1.0.2/16")]


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({"all_arp_ignore": 1, "all_arp_announce": 2}, "PASS"),
        ({"all_arp_ignore": 1, "all_arp_announce": 2, "all_rp_filter": 1}, "FAIL"),
        ({"all_arp_announce": 2}, "FAIL"),
        ({}, "FAIL"),
    ],
)
def test_arp_between_nics_of_one_subnet(values: dict[str, int], verdict: str) -> None:
    assert set(verdicts(arp_answers, {"h1": [*ONE_SUBNET, *settings(**values)]}).values()) == {verdict}


def test_arp_where_it_does_not_matter_or_is_not_told() -> None:
    assert set(verdicts(arp_answers, {"h1": [*nic(0, "10.1.0.1/16"), *nic(1, "10.2.0.1/16")]}).values()) == {"SKIPPED"}
    assert set(verdicts(arp_answers, {"h1": ONE_SUBNET}).values()) == {"UNKNOWN"}


@pytest.mark.parametrize(
    ("address", "mac", "verdict"),
    [
        ("10.1.0.2", "02:00:5e:00:00:02", "PASS"),
        ("10.1.0.2", "02:00:5e:00:00:99", "FAIL"),
        ("10.1.255.254", "02:00:5f:00:00:01", "SKIPPED"),
    ],
)
def test_neighbours_are_who_they_are_taken_for(address: str, mac: str, verdict: str) -> None:
    seen = {
        "h1": [*nic(0, "10.1.0.1/16", "02:00:5e:00:00:01"), NeighborEntry(port="rdma0", address=address, mac=mac)],
        "h2": nic(0, "10.1.0.2/16", "02:00:5e:00:00:02"),
    }
    assert verdicts(neighbor_is_meant, seen) == {"h1/rdma0": verdict, "h2/rdma0": "SKIPPED"}
