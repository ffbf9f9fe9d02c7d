"""A small healthy fabric as facts: two hosts, two leaves, a spine, every hop of the lossless chain told."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import CongestionControl, CongestionSetting
from fabric_audit.facts.intent import FabricPort, Link, Target
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.rdma import RdmaPort

Facts = dict[str, list[Fact]]
CABLES = (
    ("h1", "rdma0", "leaf1", "down1", "host"),
    ("leaf1", "up1", "spine1", "down1", "fabric"),
    ("leaf2", "up1", "spine1", "down2", "fabric"),
    ("h2", "rdma0", "leaf2", "down1", "host"),
)
HOSTS = ("h1", "h2")


def healthy() -> Facts:
    """Nothing is wrong: each end of each cable has all that its checks ask for."""
    found: Facts = {name: [Target(kind="host", platform="linux")] for name in HOSTS}
    found |= {name: [Target(kind="switch", platform="sonic", role=name[:-1])] for name in ("leaf1", "leaf2", "spine1")}
    for a, a_port, b, b_port, role in CABLES:
        found[a].append(Link(a_target=a, a_port=a_port, b_target=b, b_port=b_port, by="lldp", role=role))
        for target, port in ((a, a_port), (b, b_port)):
            found[target] += _nic(port) if target in HOSTS else _switch_port(port, "host" if role == "host" else role)
    return found


def _nic(port: str) -> Iterator[Fact]:
    yield from (
        FabricPort(port=port, side="nic", rail=0),
        RdmaPort(device="mlx5_0", port=1, netdev=port),
        Interface(port=port, trust_mode="dscp", mtu_bytes=9000, link_pause_rx=False, link_pause_tx=False),
        DscpMap(port=port, dscp=26, priority=3),
        DscpMap(port=port, dscp=48, priority=6),
        PriorityMap(port=port, priority=3, buffer=1),
        PriorityGroup(port=port, pg=1, lossless=True, size_bytes=150_000),
        PfcPort(port=port, mode="on", oper_priorities="3"),
        CongestionControl(port=port, priority=3, algorithm="dcqcn", notification_point=True, reaction_point=True),
        CongestionSetting(port=port, name="cnp_dscp", value="48"),
        CongestionSetting(port=port, name="cnp_priority", value="6"),
    )


def _switch_port(port: str, side: str) -> Iterator[Fact]:
    yield from (
        FabricPort(port=port, side=side, rail=0 if side == "host" else None),
        Interface(port=port, trust_mode="dscp", mtu_bytes=9216),
        DscpMap(port=port, dscp=26, traffic_class=3),
        DscpMap(port=port, dscp=48, traffic_class=6),
        TrafficClassMap(port=port, traffic_class=3, queue=3, pg=3),
        TrafficClassMap(port=port, traffic_class=6, queue=6, pg=0),
        PfcPort(port=port, mode="on", oper_priorities="3"),
        PriorityGroup(port=port, pg=3, lossless=True, xoff_bytes=200_000),
        Queue(port=port, queue=3, ecn=True, ecn_min_bytes=150_000, ecn_max_bytes=1_500_000),
        Queue(port=port, queue=6, scheduler="strict"),
        PfcWatchdog(port=port, queue=-1, enabled=True, action="drop", detect_ms=200, big_red_switch=False),
    )


def changed(seen: Facts, target: str, kind: type[Fact], where: Callable[[Any], bool], **values: Any) -> Facts:
    """The same facts, but one row of one target has other values."""
    (old,) = [fact for fact in seen[target] if isinstance(fact, kind) and where(fact)]
    return seen | {target: [replace(fact, **values) if fact is old else fact for fact in seen[target]]}


def without(seen: Facts, target: str, kind: type[Fact], where: Callable[[Any], bool]) -> Facts:
    """The same facts, but some rows of one target are missing."""
    return seen | {target: [fact for fact in seen[target] if not (isinstance(fact, kind) and where(fact))]}
