"""Every routing session of a switch is established, and every uplink carries one.

Why: an uplink that is up and has no session carries nothing: the switch has an eighth less bandwidth, and no link is
down. A session that comes and goes moves every flow behind it each time.

Fix: see why the session is down: addresses of both ends, AS numbers, MTU, authentication, BFD. EOS: `show ip bgp
neighbors`; NX-OS: `show bgp sessions`; Junos: `show bgp neighbor`.

Source: RFC 4271 8.2.2 (session states). An uplink is tied to its session by interface, or by the subnet of its address;
where neither is told, only the sessions themselves are judged.
"""

from collections.abc import Iterator
from ipaddress import ip_address, ip_interface
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
RESTS_ON = ("bgp_neighbor",)
UP = "established"


def check(bgp_neighbor: "pd.DataFrame", address: "pd.DataFrame", fabric_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding an uplink without a session, and one a session: what is missing at one end is down at the other."""
    subnets: dict[str, list[tuple[Any, str]]] = {}
    for row in rows(address):
        subnets.setdefault(row.target, []).append((ip_interface(row.address).network, row.port))
    carried: dict[str, set[str]] = {}
    over: list[tuple[Any, str | None]] = []
    for session in rows(bgp_neighbor):
        port = session.port or _port(session.neighbor, subnets.get(session.target, []))
        over.append((session, port))
        carried.setdefault(session.target, set()).update({port} if port else ())
    for uplink in rows(fabric_port, side="fabric"):
        ports = carried.get(uplink.target, set())
        if ports and uplink.port not in ports:
            yield _without(uplink, len(ports))
    for session, port in over:
        yield _judged(session, port)


def _port(neighbor: str, subnets: list[tuple[Any, str]]) -> str | None:
    """The port on whose subnet a neighbour's address lies."""
    try:
        wanted = ip_address(neighbor)
    except ValueError:
        return None
    return next((port for network, port in subnets if wanted in network and network.num_addresses <= 4), None)  # noqa: PLR2004 - a point-to-point subnet


def _judged(session: Any, port: str | None) -> Finding:
    parts = (port, session.neighbor, session.vrf, session.family)
    subject = (session.target, *dict.fromkeys(part for part in parts if part))
    if session.state is None:
        return unknown(subject, "the state of the session is not known", session)
    up = session.state == UP
    return Finding(
        verdict=Verdict.PASS if up else Verdict.FAIL,
        subject=subject,
        message=f"the session is {session.state}",
        expected=UP,
        observed=session.state,
        remedy="" if up else "see addresses, AS numbers, MTU, authentication and BFD of both ends",
        remedy_source="RFC 4271 8.2.2",
        evidence=evidence(session),
    )


def _without(port: Any, others: int) -> Finding:
    return Finding(
        verdict=Verdict.FAIL,
        subject=(port.target, port.port),
        message=f"this uplink carries no routing session, {others} other ports do",
        expected="a session on every uplink",
        observed="none",
        remedy="configure the session of this uplink",
        evidence=evidence(port),
    )
