"""Values of a design that cannot all be meant."""

from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.policy.design import Design

_ROCE_V2_HEADERS = 60
"""IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4: what the MTU of an interface holds besides the RDMA payload
(InfiniBand Architecture 1.3, annex A17)."""
_IB_MTUS = (256, 512, 1024, 2048, 4096)


@dataclass(frozen=True, slots=True)
class Conflict:
    """What is wrong with the values of some fields; the first is the one the words are about."""

    fields: tuple[str, ...]
    problem: str
    remedy: str


def conflicts(design: Design) -> Iterator[Conflict]:
    """Every contradiction."""
    yield from _class_conflicts(design)
    yield from _mtu_conflicts(design)
    yield from _limit_conflicts(design)


def _class_conflicts(design: Design) -> Iterator[Conflict]:
    if design.roce_traffic_class >> 2 != design.roce_dscp:
        yield Conflict(
            ("roce_traffic_class", "roce_dscp"),
            f"{design.roce_traffic_class} is DSCP {design.roce_traffic_class >> 2}, roce_dscp is {design.roce_dscp}",
            f"write four times the DSCP plus 2 for ECT(0): {design.roce_dscp * 4 + 2}",
        )
    lossless = design.lossless_priorities
    if design.pfc_required and design.roce_priority not in lossless:
        words = f"priority {design.roce_priority} of RDMA data is not among them, yet pfc_required is true"
        yield Conflict(
            ("lossless_priorities", "roce_priority", "pfc_required"), words, "add it, or set pfc_required to false"
        )
    if design.cnp_priority in lossless:
        words = f"CNPs at priority {design.cnp_priority} could be paused with the data they are about"
        yield Conflict(("cnp_priority", "lossless_priorities"), words, "choose a priority that is not lossless")
    if design.watchdog_required and not lossless:
        words = "there is no lossless priority to guard"
        yield Conflict(
            ("watchdog_required", "lossless_priorities"), words, "set it to false, or name lossless priorities"
        )


def _mtu_conflicts(design: Design) -> Iterator[Conflict]:
    if design.roce_mtu_bytes not in _IB_MTUS:
        words = f"{design.roce_mtu_bytes} is no RDMA path MTU"
        yield Conflict(("roce_mtu_bytes",), words, f"write one of {', '.join(map(str, _IB_MTUS))}")
    if design.transport == "roce" and design.host_mtu_bytes < design.roce_mtu_bytes + _ROCE_V2_HEADERS:
        needed = design.roce_mtu_bytes + _ROCE_V2_HEADERS
        words = f"RDMA packets of {needed} bytes do not fit"
        yield Conflict(("host_mtu_bytes", "roce_mtu_bytes"), words, f"write at least {needed}")
    if design.transport == "roce" and design.switch_mtu_bytes < design.host_mtu_bytes:
        words = f"switches would drop what hosts send at {design.host_mtu_bytes} bytes"
        yield Conflict(("switch_mtu_bytes", "host_mtu_bytes"), words, "write at least host_mtu_bytes")


def _limit_conflicts(design: Design) -> Iterator[Conflict]:
    for lower, upper in (
        ("ecn_min_bytes", "ecn_max_bytes"),
        ("effective_ber_minor", "effective_ber_major"),
        ("pause_share_idle", "pause_share_one_to_one"),
        ("pause_share_one_to_one", "pause_share_incast"),
    ):
        least, most = getattr(design, lower), getattr(design, upper)
        if least is not None and most is not None and least > most:
            yield Conflict((lower, upper), f"{least:g} is more than {upper}, {most:g}", "swap them, or mend one")
