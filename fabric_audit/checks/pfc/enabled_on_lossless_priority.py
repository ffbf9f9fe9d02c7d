"""PFC is on for the lossless priority on every NIC and switch port of the RDMA fabric.

Why: without PFC on its priority a full queue drops RoCE packets instead of stopping the sender. The link is up and
nothing is logged; go-back-N turns each lost packet into a retransmitted window, and one lost packet in a thousand
stalls a thousand GPUs.

Fix: hosts: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0`. SONiC: `pfc_enable` of the port in PORT_QOS_MAP. EOS:
`priority-flow-control on` and `priority-flow-control priority 3 no-drop`. NX-OS: `priority-flow-control mode on`.
Cumulus: `nv set qos roce`. Onyx: `dcb priority-flow-control priority 3 enable`, and on each port.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016; the vendors' RoCE guides named in `policy show`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.pfc.words import in_force, words
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True


def check(pfc_port: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    ports = {(row.target, row.port): row for row in rows(pfc_port)}
    for end in ((row.target, row.port) for row in rows(fabric_port)):
        wanted = design.of(end[0])
        if wanted.pfc_required:
            yield _judged(end, ports.get(end), "".join(map(str, sorted(wanted.lossless_priorities))))
        else:
            yield not_asked(end, "pfc_required")


def _judged(end: tuple[str, str], row: Any, wanted: str) -> Finding:
    said = in_force(row)
    if said is None:
        return Finding(verdict=Verdict.UNKNOWN, subject=end, message="its PFC is not known")
    lacking = [priority for priority in wanted if priority not in said]
    return Finding(
        verdict=Verdict.FAIL if lacking else Verdict.PASS,
        subject=end,
        message=f"PFC is off for priority {', '.join(lacking)}" if lacking else f"PFC is on for {words(said)}",
        expected=f"PFC on for {words(wanted)}",
        observed=f"PFC on for {words(said)}",
        remedy=f"switch PFC on for {words(wanted)} on this port" if lacking else "",
        evidence=evidence(row),
    )
