"""Every switch port of the fabric carries the packets that hosts are meant to send.

Why: a port with a smaller MTU drops every full RoCE packet and lets small ones pass: pings answer, connections are
made, and the first large message hangs.

Fix: set the jumbo MTU on the port. SONiC: `mtu` of PORT; EOS: `mtu 9214`; NX-OS: `mtu 9216`, and in the no-drop class
of the network-qos policy where the port is switched; Junos counts the Ethernet header: `mtu 9216`.

Source: policy value `switch_mtu_bytes`, less the 22 bytes of Ethernet header, VLAN tag and FCS (IEEE 802.3 clause 3)
that one vendor counts in an MTU and another does not. links.mtu compares the two ends of a cable.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.links.mtu import HEADER_SLACK, ROCE_HEADERS
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True


def check(
    interface: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs", cannot: Cannot
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    ports = {(row.target, row.port): row for row in rows(interface)}
    ends = [(port.target, port.port) for port in rows(fabric_port, side={"host", "fabric"})]
    yield from by_target(_judged(end, ports.get(end), design.of(end[0]), cannot) for end in ends)


def _judged(end: tuple[str, str], row: Any, wanted: "Design", cannot: Cannot) -> Finding:
    if row is None or row.mtu_bytes is None:
        return silent(end, "the MTU", cannot, "interface.mtu_bytes", seen=(row,))
    least = max(wanted.switch_mtu_bytes - HEADER_SLACK, wanted.roce_mtu_bytes + ROCE_HEADERS)
    small = row.mtu_bytes < least
    return Finding(
        verdict=Verdict.FAIL if small else Verdict.PASS,
        subject=end,
        message=f"MTU {row.mtu_bytes}{' is too small' if small else ''}",
        expected=f"at least {wanted.switch_mtu_bytes}",
        observed=f"{row.mtu_bytes}",
        remedy=f"set an MTU of {wanted.switch_mtu_bytes} on this port" if small else "",
        remedy_source="policy show",
        evidence=evidence(row),
    )
