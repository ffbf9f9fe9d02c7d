"""Every NIC and switch port of the fabric classifies by DSCP.

Why: RoCE v2 between routed ports carries no VLAN tag. A port that trusts the VLAN priority puts every packet into
priority 0, past PFC and ECN, however well both are configured.

Fix: hosts: `mlnx_qos -i IF --trust dscp`. EOS: `qos trust dscp`. NX-OS: classify by DSCP in the qos policy. SONiC: bind
`dscp_to_tc_map` in PORT_QOS_MAP. Cumulus: `nv set qos roce`.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 3 (DSCP-based PFC).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True


def check(interface: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    ports = {(row.target, row.port): row for row in rows(interface)}
    for port in rows(fabric_port):
        end = (port.target, port.port)
        yield _judged(end, ports.get(end), design.of(port.target).trust_mode)


def _judged(end: tuple[str, str], row: Any, wanted: str) -> Finding:
    if row is None or row.trust_mode is None:
        words = "what it classifies by is not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=end, message=words, evidence=evidence(row))
    right = row.trust_mode == wanted or (wanted == "dscp" and row.trust_mode == "dscp_pcp")
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=end,
        message=f"trusts {row.trust_mode}",
        expected=f"trust {wanted}",
        observed=f"trust {row.trust_mode}",
        remedy="" if right else f"let this port trust {wanted}",
        evidence=evidence(row),
    )
