"""The intent of a fabric, in no vendor's words: what checks hold the facts against.

A field has no default here: shipped profiles are the one place for values, each with its source. ``None`` means
that the value is not judged.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, TypeVar, dataclass_transform, get_type_hints

Transport: TypeAlias = Literal["roce", "infiniband"]
Trust: TypeAlias = Literal["dscp", "pcp", "any"]
PfcMode: TypeAlias = Literal["on", "auto", "any"]
CongestionAlgorithm: TypeAlias = Literal["dcqcn", "rtt", "none", "any"]
ClassT = TypeVar("ClassT")


def intent(meaning: str, *, low: float | None = None, high: float | None = None) -> Any:
    """A field with its meaning, and the least and most that make sense."""
    return field(metadata={"meaning": meaning, "low": low, "high": high})


def share(meaning: str) -> Any:
    """A share of a whole, from 0 to 1."""
    return intent(meaning, low=0, high=1)


def priority(meaning: str) -> Any:
    """An 802.1p priority."""
    return intent(meaning, low=0, high=7)


def dscp(meaning: str) -> Any:
    """A DSCP of RFC 2474."""
    return intent(meaning, low=0, high=63)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(intent, share, priority, dscp))
def intended(cls: type[ClassT]) -> type[ClassT]:
    """A frozen dataclass all of whose fields are required."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@intended
class Design:
    """What the fabric is meant to be."""

    transport: Transport = intent("what RDMA runs over")
    roce_dscp: int = dscp("DSCP of RDMA data")
    roce_priority: int = priority("802.1p priority that RDMA data becomes on NICs, and whose PFC protects it")
    roce_traffic_class: int = intent("traffic class byte of RDMA data: DSCP, then ECN bits", low=0, high=255)
    lossless_priorities: tuple[int, ...] = priority("priorities that PFC protects; no others may have it")
    cnp_dscp: int | None = dscp("DSCP of congestion notification packets")
    cnp_priority: int | None = priority("priority of congestion notification packets on NICs")
    cnp_strict: bool = intent("CNPs travel in a strict-priority queue")
    trust_mode: Trust = intent("what ports classify packets by")

    pfc_required: bool = intent("PFC protects the lossless priorities at every hop")
    pfc_mode: PfcMode = intent("PFC forced on, or negotiated by DCBX")
    link_pause_allowed: bool = intent("802.3x pause of whole links may be on")
    headroom_cable_m: float = intent("cable length in metres that headroom must allow for if none is known", low=0)
    ecn_required: bool = intent("the queue of RDMA data marks CE instead of dropping")
    ecn_min_bytes: int | None = intent("queue length from which some packets are marked", low=1)
    ecn_max_bytes: int | None = intent("queue length from which all packets are marked", low=1)
    ecn_mark_percent: float | None = intent("marking probability just below ecn_max_bytes", low=0, high=100)
    ecn_tolerance: float = share("share by which ECN thresholds may differ, as hardware rounds them")
    watchdog_required: bool = intent("a PFC watchdog guards exactly the lossless queues")
    watchdog_detect_ms: float = intent("longest detection time, for each 32 ports of a switch", low=1)
    watchdog_actions: tuple[str, ...] = intent("what a firing watchdog may do: drop, forward, alert, shutdown")
    congestion_control: CongestionAlgorithm = intent("algorithm of the NICs")
    reordering_possible: bool = intent("packets of a flow may arrive out of order (adaptive routing, spraying)")

    host_mtu_bytes: int = intent("least MTU of a host's RDMA interfaces", low=256, high=65535)
    switch_mtu_bytes: int = intent("least MTU of switch ports", low=256, high=65535)
    roce_mtu_bytes: int = intent("RDMA path MTU", low=256, high=4096)
    link_flaps_limit: int = intent("most losses of carrier in a day", low=0)
    effective_ber_minor: float = intent("bit error rate after FEC from which a link is suspect", low=0, high=1)
    effective_ber_major: float = intent("bit error rate after FEC from which a link is bad", low=0, high=1)
    uncorrectable_codewords_limit: int = intent("most codewords that FEC may give up on during the run", low=0)
    optic_margin_db: float = intent("least distance of received power from the module's alarm level", low=0)
    optic_temperature_c: float = intent("highest temperature of a module", low=0, high=150)

    bandwidth_floor: float = share("least share of line rate x payload efficiency at the negotiated MTU")
    pod_bandwidth_floor: float = share("least share of the pod's best pair of the same kind")
    latency_ratio_limit: float = intent("most times the pod's median latency at the same number of hops", low=1)
    gdr_required: bool = intent("NICs read and write GPU memory directly")
    gdr_floor: float = share("least share of host memory bandwidth that GPU memory reaches on paths PIX and PXB")

    loss_ratio_limit: float = share("most lost or retransmitted packets of those sent, counted by NICs")
    loss_per_minute_limit: float = intent("most lost or retransmitted packets a minute of one NIC", low=0)
    lossless_drops_limit: int = intent("most packets that a lossless queue or priority group drops", low=0)
    pause_share_idle: float = share("most time a port is paused while the tool sends nothing")
    pause_share_one_to_one: float = share("most time a port is paused while every host has one partner")
    pause_share_incast: float = share("most time a port is paused while many send to one")

    max_read_request_bytes: int = intent("PCIe MaxReadReq of NICs", low=128, high=4096)
    acs_redirect_allowed: bool = intent("bridges between GPU and NIC may send peer traffic through the root")
    iommu_translation_allowed: bool = intent("the IOMMU may translate DMA")
    clock_skew_s: float = intent("most by which the clocks of two targets may differ, in seconds", low=0)
    foreign_load_share: float = share("most of a link that others may use while the tool sends")


def meanings() -> dict[str, str]:
    """What each value means, by its name."""
    return {f.name: f.metadata["meaning"] for f in fields(Design)}


def types() -> dict[str, Any]:
    """The type of each value, by its name."""
    return get_type_hints(Design)
