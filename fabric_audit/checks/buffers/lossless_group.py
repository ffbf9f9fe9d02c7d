"""The RoCE class arrives in a buffer that is lossless and has headroom, on every port.

Why: PFC on for the priority and packets in the right queue are not enough. Pause is sent for a priority *group*, at
ingress; where the class falls into a lossy group, or one without headroom, what arrives after the pause is dropped, and
drops show at ingress, where few look.

Fix: SONiC: TC_TO_PRIORITY_GROUP_MAP, and a lossless profile on `BUFFER_PG|PORT|3`. Dell: `qos map traffic-class ...
priority-group`. EOS, Junos: PFC on the priority. Hosts: `mlnx_qos -i IF --prio2buffer` and `--buffer_size`.

Source: SONiC buffer design (BUFFER_PG, xoff is headroom); IEEE 802.1Qbb; NVIDIA MLNX_OFED, "mlnx_qos". A platform that
prints no groups, but documents that PFC on a priority reserves its buffer, is judged by its PFC; how much headroom that
is, buffers.headroom asks.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.landing import NOWHERE, landings
from fabric_audit.checks.model import Scope
from fabric_audit.checks.pfc.words import in_force
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True
RESTS_ON = ("dscp_map",)


def check(  # noqa: PLR0913, PLR0917 - a group, its pool, and the maps that lead to it on NICs and switches
    priority_group: "pd.DataFrame",
    buffer_pool: "pd.DataFrame",
    priority_map: "pd.DataFrame",
    dscp_map: "pd.DataFrame",
    traffic_class_map: "pd.DataFrame",
    pfc_port: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
    cannot: Cannot,
    reserves: Mapping[str, str],
) -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    lands = landings(dscp_map, traffic_class_map, {one.roce_dscp for one in design.all})
    groups = {(row.target, row.port, row.pg): row for row in rows(priority_group)}
    listed = {place[:2] for place in groups}
    buffers = {(row.target, row.port, row.priority): row.buffer for row in rows(priority_map)}
    paused = {(row.target, row.port): row for row in rows(pfc_port)}
    shared = {row.target for row in rows(buffer_pool) if row.shared_headroom_bytes}

    def examined(end: tuple[str, str], side: str) -> Finding:
        wanted = design.of(end[0])
        if not wanted.pfc_required:
            return not_asked(end, "pfc_required")
        to = lands.get((*end, wanted.roce_dscp), NOWHERE)
        number = buffers.get((*end, wanted.roce_priority)) if side == "nic" else to.pg
        group = groups.get((*end, -1 if number is None else number))
        if side != "nic" and number is not None and group is None and end in listed:
            return _absent(end, number, to.row)
        if side != "nic" and not _told(group) and end[0] in reserves:
            return _reserved(end, wanted.roce_priority, paused.get(end), reserves[end[0]])
        return _judged(end, group, cannot, headroom_elsewhere=end[0] in shared, nic=side == "nic")

    yield from by_target(examined((port.target, port.port), port.side) for port in rows(fabric_port))


def _absent(end: tuple[str, str], number: int, row: Any) -> Finding:
    """The platform lists the groups of this port, and not this one: no buffer is configured for it."""
    return Finding(
        verdict=Verdict.FAIL,
        subject=end,
        message=f"priority group {number} of RoCE has no buffer profile",
        expected="a lossless profile with headroom",
        observed="no profile",
        remedy=f"bind a lossless profile to priority group {number}",
        evidence=evidence(row),
    )


def _told(group: Any) -> bool:
    return group is not None and (group.lossless is not None or group.xoff_bytes is not None)


def _reserved(end: tuple[str, str], priority: int, row: Any, how: str) -> Finding:
    """The platform prints no group; PFC on the priority is what makes one, and what there is to see of it."""
    said = in_force(row)
    if said is None:
        return silent(end, "which buffer RoCE arrives in", {}, seen=(row,))
    has = str(priority) in said
    return Finding(
        verdict=Verdict.PASS if has else Verdict.FAIL,
        subject=end,
        message=f"PFC on priority {priority} reserves its buffer: {how}"
        if has
        else f"no buffer is reserved for RoCE: PFC is off for priority {priority}",
        expected="lossless, with room for what arrives after a pause",
        observed=f"PFC {'on' if has else 'off'} for priority {priority}",
        remedy="" if has else f"switch PFC on for priority {priority} on this port",
        remedy_source=how,
        evidence=evidence(row),
    )


def _judged(end: tuple[str, str], group: Any, cannot: Cannot, *, headroom_elsewhere: bool, nic: bool) -> Finding:
    if not _told(group):
        fields = ("priority_group", "traffic_class_map.pg")
        return silent(end, "which buffer RoCE arrives in", cannot, *fields, seen=(group,))
    wrong = _wrong(group, headroom_elsewhere=headroom_elsewhere, nic=nic)
    name = "buffer" if nic else "priority group"
    room = f"headroom {_bytes(group.xoff_bytes)}, size {_bytes(group.size_bytes)}"
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"{name} {group.pg} of RoCE {wrong or 'is lossless'}",
        expected="lossless, with room for what arrives after a pause",
        observed=f"{group.profile or name} {group.pg}: {room}",
        remedy=f"bind a lossless profile to {name} {group.pg}" if wrong else "",
        evidence=evidence(group),
    )


def _wrong(group: Any, *, headroom_elsewhere: bool, nic: bool) -> str:
    if group.lossless is False:
        return "is lossy"
    if nic:
        return "has no room" if group.size_bytes == 0 else ""
    return "has no headroom" if group.xoff_bytes == 0 and not headroom_elsewhere else ""


def _bytes(value: int | None) -> str:
    return "unknown" if value is None else f"{value} bytes"
