"""Traffic of each compute NIC leaves by that NIC.

Why: a host with eight NICs has eight ways out and one routing table. Without a rule for each address, packets from rail
3's address leave by whichever NIC has the default route: RDMA refuses to connect, or all rails share one cable.

Fix: a table for each rail and a rule `from ADDRESS lookup TABLE`, with the rail's gateway as its default route; netplan
and NetworkManager have words for it.

Source: Linux ip-rule(8), ip-route(8): rules in order of priority, then the longest prefix, then the least metric. RDMA
asks for the route with the address of its GID as source (drivers/infiniband/core/addr.c). The way to another host's NIC
on the same rail is looked up, as the kernel would.
"""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.checks.addressing.nics import Addressed, addressed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
Ip: TypeAlias = IPv4Address | IPv6Address


def check(
    address: "pd.DataFrame", route: "pd.DataFrame", route_rule: "pd.DataFrame", fabric_port: "pd.DataFrame"
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    mine = {one.end: one for one in addressed(address, fabric_port) if one.address.version == 4}  # noqa: PLR2004 - IPv4
    peers: dict[int | None, list[Addressed]] = {}
    for one in mine.values():
        peers.setdefault(one.rail, []).append(one)
    routes: dict[tuple[str, str], list[Any]] = {}
    for row in rows(route):
        routes.setdefault((row.target, row.table_id), []).append(row)
    rules: dict[str, list[Any]] = {}
    for row in rows(route_rule):
        rules.setdefault(row.target, []).append(row)
    for end in ((port.target, port.port) for port in rows(fabric_port, side="nic")):
        here = mine.get(end)
        some = peers[here.rail] if here is not None else []
        peer = next((other for other in (*some[:1], *some[-1:]) if other.end[0] != end[0]), None)
        if here is None or peer is None:
            yield skipped(end, "it has no IPv4 address, or no other host has one on its rail")
        else:
            yield _judged(here, peer.address.ip, sorted(rules.get(end[0], []), key=lambda rule: rule.priority), routes)


def _judged(one: Addressed, peer: Ip, rules: Sequence[Any], routes: Mapping[tuple[str, str], list[Any]]) -> Finding:
    found = _looked_up(one, peer, rules, routes)
    if not rules:
        return unknown(one.end, "the routing rules of its host are not known", one.row)
    right = found is not None and found.port == one.end[1]
    table = f" (table {found.table_id})" if found is not None else ""
    words = f"leaves by {found.port}{table}" if found is not None else "has no way out"
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=one.end,
        message=f"from {one.address.ip} to {peer} {words}",
        expected=f"out of {one.end[1]}",
        observed=words,
        remedy="" if right else f"ip rule add from {one.address.ip} lookup a table whose routes leave by {one.end[1]}",
        remedy_source="ip-rule(8)",
        evidence=evidence(found, one.row),
    )


def _looked_up(one: Addressed, peer: Ip, rules: Sequence[Any], routes: Mapping[tuple[str, str], list[Any]]) -> Any:
    """The route that the kernel takes from this address to the peer; None where there is none."""
    for rule in rules:
        if _applies(rule, one.address.ip, peer):
            best = _best(routes.get((one.end[0], rule.table_id), []), peer)
            if best is not None:
                return best
    return None


def _applies(rule: Any, source: Ip, destination: Ip) -> bool:
    if rule.iif or rule.fwmark or rule.oif:
        return False
    matches = _within(source, rule.source) and _within(destination, rule.destination or "all")
    return matches != bool(getattr(rule, "negated", False))


def _within(address: Ip, prefix: str) -> bool:
    if prefix in ("all", "default", "any"):
        return True
    try:
        network = ip_network(prefix, strict=False)
    except ValueError:
        return False
    return address.version == network.version and address in network


def _best(some: Sequence[Any], peer: Ip) -> Any:
    fitting = [row for row in some if _within(peer, row.destination) and row.usable is not False]
    return min(fitting, key=lambda row: (-_length(row.destination), row.metric or 0), default=None)


def _length(prefix: str) -> int:
    return 0 if prefix in ("all", "default", "any") else ip_network(prefix, strict=False).prefixlen
