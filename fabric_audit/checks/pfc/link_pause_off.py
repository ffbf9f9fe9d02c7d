"""No port that uses PFC has 802.3x pause on.

Why: 802.3x pause stops a whole link, CNPs, control traffic and all. Where it is on, PFC is off on most hardware, and
one slow receiver halts everything behind it: a fifth of the bandwidth can be gone with every drop counter at zero.

Fix: hosts: `ethtool -A IF rx off tx off autoneg off`. EOS: `flowcontrol receive off`, `flowcontrol send off`. NX-OS:
`no flowcontrol receive on`, `no flowcontrol send on`. Junos: `no-flow-control`. Cumulus: no `qos link-pause` profile.

Source: IEEE 802.1Q-2018 clause 36 (a port uses PFC or PAUSE, never both); IEEE 802.3 annex 31B.
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

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True


def check(
    interface: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs", cannot: Cannot
) -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    ports = {(row.target, row.port): row for row in rows(interface)}
    ends = [(port.target, port.port) for port in rows(fabric_port)]
    yield from by_target(
        not_asked(end, "link_pause_allowed")
        if design.of(end[0]).link_pause_allowed
        else _judged(end, ports.get(end), cannot)
        for end in ends
    )


def _judged(end: tuple[str, str], row: Any, cannot: Cannot) -> Finding:
    state = {} if row is None else {"receives": row.link_pause_rx, "sends": row.link_pause_tx}
    on = [way for way, value in state.items() if value]
    if not on and (not state or None in state.values()):
        fields = ("interface.link_pause_rx", "interface.link_pause_tx")
        return silent(end, "whether 802.3x pause is on", cannot, *fields, seen=(row,))
    return Finding(
        verdict=Verdict.FAIL if on else Verdict.PASS,
        subject=end,
        message=f"{' and '.join(on)} 802.3x pause of the whole link" if on else "802.3x pause is off",
        expected="802.3x pause off in both directions",
        observed=", ".join(f"{way} {'on' if value else 'off'}" for way, value in state.items()),
        remedy="switch 802.3x pause off in both directions" if on else "",
        remedy_source="IEEE 802.1Q clause 36",
        evidence=evidence(row),
    )
