"""Every compute NIC's cable leads to a switch port that is known, by one story.

Why: whatever is judged of a path rests on knowing the path. A NIC whose switch port nobody knows is left out of every
check of both ends; two sources that tell different ports mean that a cable was moved, or that a table is stale.

Fix: run lldpd on the host (`lldpcli show neighbors`), or switch LLDP on at the switch; ConnectX firmware answers LLDP
by itself (mlxconfig LLDP_NB_TX_MODE_P1) and may hide the host's. A cable plan in the inventory helps where neither can.

Source: IEEE 802.1AB; links resolve by LLDP, else a MAC address learned, else ARP or ND, else the cable plan.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
RESTS_ON = ("fabric_port",)


def check(link: "pd.DataFrame", fabric_port: "pd.DataFrame", target: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a compute NIC."""
    cables = {}
    for row in rows(link):
        cables[row.a_target, row.a_port] = cables[row.b_target, row.b_port] = row
    switches = any(True for _ in rows(target, kind="switch"))
    nics = [(port.target, port.port) for port in rows(fabric_port, side="nic")]
    if switches:
        yield from by_target((_judged(end, cables.get(end)) for end in nics), "compute NICs")
    else:
        yield from (skipped(end, "the inventory names no switches") for end in nics)


def _judged(end: tuple[str, str], cable: Any) -> Finding:
    if cable is None:
        return unknown(end, "the switch port at the other end of its cable is not known")
    a, b = (cable.a_target, cable.a_port), (cable.b_target, cable.b_port)
    there = " ".join(b if a == end else a)
    return Finding(
        verdict=Verdict.FAIL if cable.conflict else Verdict.PASS,
        subject=end,
        message=f"leads to {there} by {cable.by}" + (f", but {cable.conflict}" if cable.conflict else ""),
        expected="one port by all sources",
        observed=cable.conflict or f"{there} by {cable.by}",
        remedy="see where the cable goes; clear stale neighbours" if cable.conflict else "",
        remedy_source="IEEE 802.1AB",
        evidence=evidence(cable),
    )
