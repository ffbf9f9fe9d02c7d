"""Every compute NIC has a RoCE v2 GID that can be routed, of the same family as its peers have.

Why: a job picks a GID of each NIC. A port with a RoCE v1 or a link-local GID alone reaches nobody beyond its own link,
and one whose peers have IPv4 GIDs while it has none cannot connect to them: `Failed to modify QP`, error 12, or a hang.

Fix: give the interface its IP address; see that it comes up before the RDMA device is used; `rdma link`, `show_gids`.

Source: InfiniBand Architecture 1.3 annex A17 (RoCE v2); Linux drivers/infiniband/core/roce_gid_mgmt.c: a GID for each
address of the interface, as RoCE v1 and v2.
"""

from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
V2 = "RoCE v2"


def check(gid: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a compute NIC on Ethernet."""
    ports = {(row.target, row.netdev): row for row in rows(rdma_port) if row.netdev}
    tables: dict[tuple[str, str, int], list[Any]] = {}
    for row in rows(gid):
        tables.setdefault((row.target, row.device, row.port), []).append(row)
    found = []
    for nic in rows(fabric_port, side="nic"):
        port = ports.get((nic.target, nic.port))
        if port is None or port.link_layer != "InfiniBand":
            found.append((nic, tables.get((nic.target, port.device, port.port), []) if port else []))
    anywhere = {family for _, some in found for row in some if (family := _family(row))}
    for nic, some in found:
        yield _judged((nic.target, nic.port), some, anywhere)


def _family(row: Any) -> str:
    """``IPv4`` or ``IPv6`` of a GID that can be routed; empty for any other."""
    if row.type != V2 or row.gid is None:
        return ""
    if row.ipv4:
        return "IPv4"
    address = ip_address(row.gid)
    return "" if address.is_link_local or address.is_unspecified else "IPv6"


def _judged(end: tuple[str, str], some: Sequence[Any], anywhere: set[str]) -> Finding:
    if not some:
        return unknown(end, "its GIDs are not known")
    families = {family for row in some if (family := _family(row))}
    best = "IPv4" if "IPv4" in anywhere else "IPv6"
    lacks = best not in families
    kinds = ", ".join(sorted({f"{row.type} {_family(row) or 'link-local'}" for row in some}))
    return Finding(
        verdict=Verdict.FAIL if lacks else Verdict.PASS,
        subject=end,
        message=f"has no RoCE v2 GID of {best}, as other NICs have" if lacks and anywhere else f"has {kinds}",
        expected=f"a RoCE v2 GID of {best}",
        observed=kinds,
        remedy="give the interface its IP address" if lacks else "",
        remedy_source="InfiniBand Architecture 1.3 annex A17",
        evidence=evidence(*some[:4]),
    )
