"""No two compute NICs share an IP address or a hardware address.

Why: two hosts with one address answer for each other by turns. Connections of a job land on the wrong host, or hang;
whichever host is asked looks well.

Fix: give the NIC its own address. A hardware address that occurs twice is a cloned image, a virtual machine copied, or
a bond of one host seen as two.

Source: RFC 5227 (address conflicts), IEEE 802 (universally administered addresses).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.addressing.nics import End, addressed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
ID = "addressing.unique"
"""One address of two NICs is one finding: the first NIC's."""
RESTS_ON = ("address", "interface", "fabric_port")


def check(address: "pd.DataFrame", interface: "pd.DataFrame", fabric_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a compute NIC."""
    nics = {(port.target, port.port): port for port in rows(fabric_port, side="nic")}
    owners: dict[str, list[tuple[End, Any]]] = {}
    for one in addressed(address, fabric_port):
        owners.setdefault(str(one.address.ip), []).append((one.end, one.row))
    for row in rows(interface):
        if (row.target, row.port) in nics and row.mac and row.kind != "bond":
            owners.setdefault(row.mac, []).append(((row.target, row.port), row))
    mine: dict[End, list[str]] = {}
    for name, some in owners.items():
        for end, _ in some:
            mine.setdefault(end, []).append(name)
    for end, port in nics.items():
        yield _judged(end, {name: owners[name] for name in mine.get(end, [])}, port)


def _judged(end: End, names: dict[str, list[tuple[End, Any]]], port: Any) -> Finding:
    if not names:
        return unknown(end, "neither an IP address nor a hardware address of it is known", port)
    first = min(other for some in names.values() for other, _ in some)
    shared = {name: [other for other, _ in some if other != end] for name, some in names.items()}
    words = "; ".join(f"{name} is also {', '.join(map(' '.join, o[:3]))}'s" for name, o in sorted(shared.items()) if o)
    return Finding(
        verdict=Verdict.FAIL if words else Verdict.PASS,
        subject=end,
        message=words or f"{', '.join(sorted(names))}: its alone",
        expected="addresses of its own",
        observed=", ".join(sorted(names)),
        remedy="give this NIC its own address" if words else "",
        remedy_source="RFC 5227",
        evidence=evidence(*(row for some in names.values() for other, row in some if words or other == end))[:4],
        explained_by=f"{ID}:{'/'.join(first)}" if words and first != end else "",
    )
