"""Congestion notification packets travel in a class that PFC never stops.

Why: a CNP tells a sender to slow down. In the lossless class it waits behind the very queue it is about, and stands
still whenever PFC stops that queue: the sender hears of the congestion after it is over, or not before PFC has spread.

Fix: map the CNP's DSCP to a lossy class with its own queue. SONiC: DSCP_TO_TC_MAP `"48": "6"`. EOS: `qos map dscp 48 to
traffic-class 6`. NX-OS: a class-map for DSCP 48 with its own qos-group. Hosts: `mlnx_qos -i IF --dscp2prio set,48,6`.

Source: DCQCN, SIGCOMM 2015, section 5; NVIDIA Cumulus Linux, RoCE: CNPs in switch priority 6.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.landing import NOWHERE, landings
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

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
    """One finding a port of the RDMA fabric."""
    lands = landings(dscp_map, traffic_class_map, {d.cnp_dscp for d in design.all if d.cnp_dscp is not None})
    by_pcp = {(row.target, row.port) for row in rows(interface, trust_mode="pcp")}
    stopped: dict[tuple[str, str], set[int]] = {}
    for told in rows(pfc_priority_map):
        if told.priority in design.of(told.target).lossless_priorities and told.queue is not None:
            stopped.setdefault((told.target, told.port), set()).add(told.queue)

    def examined(port: Any) -> Finding:
        end, wanted = (port.target, port.port), design.of(port.target)
        if wanted.cnp_dscp is None or not wanted.pfc_required:
            return not_asked(end, "cnp_dscp, pfc_required")
        if end in by_pcp:
            return skipped(end, "DSCPs are not looked at here: qos.trust-dscp says so")
        to = lands.get((*end, wanted.cnp_dscp), NOWHERE)
        if port.side == "nic":
            priority = to.row.priority if to.row is not None else None
            return _judged(end, "priority", priority, wanted.lossless_priorities, to.row, wanted.cnp_dscp)
        queue = to.traffic_class if to.queue is None else to.queue
        return _judged(end, "queue", queue, stopped.get(end, wanted.lossless_priorities), to.row, wanted.cnp_dscp)

    yield from by_target(map(examined, rows(fabric_port)))


def _judged(
    end: tuple[str, str], kind: str, lands: int | None, lossless: Collection[int], row: Any, dscp: int
) -> Finding:
    if lands is None:
        return unknown(end, f"where CNPs of DSCP {dscp} land is not known", row)
    wrong = lands in lossless
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"CNPs of DSCP {dscp} land in {kind} {lands}" + (", which PFC stops" if wrong else ""),
        expected=f"a {kind} other than {', '.join(map(str, sorted(lossless)))}",
        observed=f"{kind} {lands}",
        remedy=f"map DSCP {dscp} to a lossy {kind} of its own" if wrong else "",
        remedy_source="DCQCN, SIGCOMM 2015, section 5",
        evidence=evidence(row),
    )
