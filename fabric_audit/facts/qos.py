"""Classification: how a packet's DSCP becomes a priority, a queue and a priority group.

Priority, traffic class, queue and priority group are different things, never one "cos". On a NIC the chain is
DSCP → priority → traffic class; on a switch DSCP → traffic class → queue and priority group.
"""

from fabric_audit.facts import Fact, exact, key, table

ROUNDED = 0.05
"""Share by which a threshold in force may differ from the one set: Cumulus Linux makes 156,672 bytes of 150,000."""


@table
class DscpMap(Fact):
    """Where one DSCP lands on one port."""

    port: str = key("port")
    dscp: int = key("DSCP, 0 to 63", source="RFC 2474")
    priority: int | None = exact("802.1p priority it becomes (hosts)")
    traffic_class: int | None = exact("traffic class it becomes (switches)")
    source: str | None = exact("which tool or file said so, where there are several")


@table
class PcpMap(Fact):
    """Where one 802.1p code point lands on one port."""

    port: str = key("port")
    pcp: int = key("802.1p priority code point, 0 to 7", source="IEEE 802.1Q 6.9.3")
    traffic_class: int | None = exact("traffic class it becomes")


@table
class PriorityMap(Fact):
    """Where one priority of a host port lands."""

    port: str = key("port")
    priority: int = key("priority, 0 to 7")
    traffic_class: int | None = exact("traffic class (transmit queue group) it becomes")
    buffer: int | None = exact("receive buffer it is put in")
    source: str | None = exact("which tool or file said so, where there are several")


@table
class TrafficClassMap(Fact):
    """Where one traffic class of a switch port lands."""

    port: str = key("port")
    traffic_class: int = key("traffic class")
    queue: int | None = exact("egress queue")
    pg: int | None = exact("ingress priority group")


@table
class PfcPriorityMap(Fact):
    """What a PFC priority stops and protects on one switch port."""

    port: str = key("port")
    priority: int = key("PFC priority, 0 to 7")
    queue: int | None = exact("egress queue that stops when this priority is paused")
    pg: int | None = exact("ingress priority group that sends pause for it")


@table
class DscpRewrite(Fact):
    """DSCP written on packets that leave a port."""

    port: str = key("port")
    traffic_class: int = key("traffic class")
    dscp: int | None = exact("DSCP written")


@table
class Queue(Fact):
    """One egress queue (switch) or traffic class (host) of a port."""

    port: str = key("port")
    queue: int = key("queue number")
    scheduler: str | None = exact("strict, dwrr or vendor")
    weight_pct: float | None = exact("share of the bandwidth in percent, for dwrr")
    rate_limit_bps: int | None = exact("largest rate in bits per second; 0 for no limit")
    lossless: bool | None = exact("the platform itself calls it lossless or no-drop")
    mtu_bytes: int | None = exact("largest packet the class carries, where the platform limits it per class")
    limit_raw: str | None = exact("queue limit or dynamic threshold as the platform prints it")
    ecn: bool | None = exact("marks instead of dropping")
    ecn_min_bytes: int | None = exact("fill at which marking starts", tolerance=ROUNDED)
    ecn_max_bytes: int | None = exact("fill at which every packet is marked", tolerance=ROUNDED)
    ecn_min_pct: float | None = exact("the same as a share of the buffer, where the platform has no bytes")
    ecn_max_pct: float | None = exact("the same as a share of the buffer, where the platform has no bytes")
    ecn_mark_pct: float | None = exact("probability at ecn_max in percent")
    ecn_drops_non_ect: bool | None = exact("packets without ECT are dropped between the thresholds")
    ecn_raw: str | None = exact("thresholds as the platform prints them, with unit")
    wred_drops: bool | None = exact("drops at random between two thresholds instead of marking (WRED without ECN)")
    ecn_dynamic: bool | None = exact("thresholds are computed by the switch itself (AI-ECN and the like)")
    source: str | None = exact("which tool or file said so, where there are several")
