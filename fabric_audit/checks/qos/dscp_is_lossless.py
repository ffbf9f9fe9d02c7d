"""The RoCE DSCP lands in a lossless priority on every NIC and in its traffic class on every switch port.

Why: PFC and ECN protect a priority, and a packet is in it only if its DSCP says so to every device on the way. A map
that sends DSCP 26 to a lossy queue on one switch makes the whole path lossy, with PFC and ECN on everywhere. The
lossless queue need not have the number of its priority: on Junos priority 3 may stop queue 4.

Fix: hosts: `mlnx_qos -i IF --dscp2prio set,26,3`. SONiC: DSCP_TO_TC_MAP. EOS: `qos map dscp 26 to traffic-class 3`.
NX-OS: the class-map of type qos. A community SONiC switch maps 26 to TC 1, which is lossy, until told otherwise.

Source: RFC 2474; SONiC `qos_config.j2`; the vendors' RoCE guides named in `policy show`.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True


def check(
    dscp_map: "pd.DataFrame",
    traffic_class_map: "pd.DataFrame",
    pfc_priority_map: "pd.DataFrame",
    interface: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a port of the RDMA fabric, folded into one a switch where all its ports are alike wrong."""
    trusts = {(r.target, r.port): r.trust_mode for r in rows(interface)}
    maps = {(r.target, r.port, r.dscp): r for r in rows(dscp_map, dscp={one.roce_dscp for one in design.all})}
    queues = {(r.target, r.port, r.traffic_class): r.queue for r in rows(traffic_class_map)}
    stopped: dict[tuple[str, str], set[int]] = {}
    for told in rows(pfc_priority_map):
        if told.priority in design.of(told.target).lossless_priorities and told.queue is not None:
            stopped.setdefault((told.target, told.port), set()).add(told.queue)
    judged = []
    for port in rows(fabric_port):
        end, wanted = (port.target, port.port), design.of(port.target)
        row = maps.get((*end, wanted.roce_dscp))
        if not wanted.pfc_required:
            finding = not_asked(end, "pfc_required")
        elif port.side == "nic" and trusts.get(end) == "pcp":
            finding = _unclassified(end, wanted)
        else:
            lands = _lands(row, queues, nic=port.side == "nic")
            queued = {} if port.side == "nic" else stopped
            finding = _judged(row, lands, queued.get(end, wanted.lossless_priorities), _unknown(end, wanted))
        judged.append(finding)
    yield from by_target(judged)


def _unclassified(end: tuple[str, str], design: "Design") -> Finding:
    return Finding(
        verdict=Verdict.FAIL,
        subject=end,
        message=f"DSCP {design.roce_dscp} is not looked at: the port trusts the VLAN priority",
        explained_by=f"qos.trust-dscp:{'/'.join(end)}",
    )


def _lands(row: Any, queues: dict[tuple[str, str, int], int | None], *, nic: bool) -> int | None:
    """The priority of a NIC, or the queue of a switch, that the DSCP lands in."""
    if row is None:
        return None
    if nic:
        return None if row.priority is None else int(row.priority)
    queue = queues.get((row.target, row.port, row.traffic_class))
    return row.traffic_class if queue is None else queue


def _unknown(end: tuple[str, str], design: "Design") -> Finding:
    words = f"where DSCP {design.roce_dscp} lands is not known"
    return Finding(verdict=Verdict.UNKNOWN, subject=end, message=words)


def _judged(row: Any, lands: int | None, lossless: Collection[int], unknown: Finding) -> Finding:
    if lands is None:
        return unknown
    right = lands in lossless
    wanted = ", ".join(map(str, sorted(lossless)))
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=unknown.subject,
        message=f"DSCP {row.dscp} lands in {lands}" + ("" if right else f", which is lossy; lossless is {wanted}"),
        expected=f"DSCP {row.dscp} in {wanted}",
        observed=str(lands),
        remedy="" if right else f"map DSCP {row.dscp} to {wanted}",
        evidence=evidence(row),
    )
