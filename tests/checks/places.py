"""A switch port and a NIC as the checks of classes and buffers see them."""

from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue, TrafficClassMap

PORT = "Ethernet1"
NIC = "rdma0"


def switch_port(port: str = PORT, **lands: int) -> list[Fact]:
    """A fabric port on which DSCP 26 lands in class, queue and group 3, and DSCP 48 in 6."""
    found: list[Fact] = [FabricPort(port=port, side="host", rail=0)]
    for dscp, usual in ((26, 3), (48, 6)):
        traffic_class = lands.get(f"dscp{dscp}", usual)
        found.append(DscpMap(port=port, dscp=dscp, traffic_class=traffic_class))
    found += [TrafficClassMap(port=port, traffic_class=number, queue=number, pg=number) for number in range(8)]
    return found


def nic(port: str = NIC, priority: int = 3, cnp: int = 6) -> list[Fact]:
    """A compute NIC with its DSCP map."""
    return [
        FabricPort(port=port, side="nic", rail=0),
        DscpMap(port=port, dscp=26, priority=priority),
        DscpMap(port=port, dscp=48, priority=cnp),
        PriorityMap(port=port, priority=3, buffer=1),
    ]


def marking(port: str = PORT, queue: int = 3) -> Queue:
    """A queue that marks between 150 kB and 1.5 MB."""
    return Queue(port=port, queue=queue, ecn=True, ecn_min_bytes=150_000, ecn_max_bytes=1_500_000, ecn_mark_pct=100.0)


def lossless_group(port: str = PORT, pg: int = 3, xoff: int | None = 200_000) -> PriorityGroup:
    """A lossless priority group with headroom."""
    return PriorityGroup(port=port, pg=pg, lossless=True, profile="roce", size_bytes=20_000, xoff_bytes=xoff)
