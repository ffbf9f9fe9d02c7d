"""PFC is set, not left to a DCBX neighbour that may not answer.

Why: in mode auto PFC is what DCBX makes of it. A NIC whose firmware answers LLDP no more after an update, or a switch
port with LLDP off, leaves the link lossy; its configuration reads the same as on the day it worked.

Fix: force it. NX-OS: `priority-flow-control mode on`. EOS: `priority-flow-control on` without `dcbx mode`. Hosts: DCBX
in OS mode, not willing: `mlnx_qos -i IF -d os`, mlxconfig LLDP_NB_DCBX_P1=0.

Source: IEEE 802.1Qaz (willing bit); NVIDIA "RoCE configuration": PFC in OS-controlled mode; policy value `pfc_mode`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True


def check(
    pfc_port: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs", cannot: Cannot
) -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    ports = {(row.target, row.port): row for row in rows(pfc_port)}
    ends = [(port.target, port.port) for port in rows(fabric_port)]
    yield from by_target(_judged(end, ports.get(end), design.of(end[0]), cannot) for end in ends)


def _judged(end: tuple[str, str], row: Any, wanted: "Design", cannot: Cannot) -> Finding:
    if not wanted.pfc_required:
        return not_asked(end, "pfc_required")
    if row is None or row.mode is None:
        return silent(end, "whether PFC is forced or negotiated", cannot, "pfc_port.mode", seen=(row,))
    wrong = _wrong(row, wanted)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=wrong or f"PFC is {'negotiated with a neighbour that answers' if row.mode == 'auto' else row.mode}",
        expected={"on": "PFC forced on", "auto": "PFC negotiated"}.get(wanted.pfc_mode, "PFC in force either way"),
        observed=f"mode {row.mode}",
        remedy="force PFC on at this port" if wrong else "",
        remedy_source="IEEE 802.1Qaz",
        evidence=evidence(row),
    )


def _wrong(row: Any, wanted: "Design") -> str:
    """PFC that is off altogether is another check's matter."""
    if row.mode != "auto":
        return ""
    if row.peer_priorities == "" or (row.peer_priorities is None and row.oper_priorities == ""):
        return "PFC is left to DCBX, and no neighbour announces any"
    return "PFC is left to DCBX, the policy wants it forced" if wanted.pfc_mode == "on" else ""
