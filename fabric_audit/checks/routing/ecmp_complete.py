"""Traffic to every other leaf is spread over all links that lead there.

Why: an uplink that is up and missing from the set of next hops carries nothing, and the others carry its share: with
large flows some links are full while one is idle. Every link, session and counter looks well.

Fix: see why the path is not equal: a prefix that one spine does not announce, maximum-paths, a metric or AS path that
differs, an interface taken out of service and forgotten.

Source: equal-cost multipath (RFC 2992). Towards a higher tier all uplinks are expected; towards a lower one, and an
address of the neighbour itself, all links to the same switch. Prefixes that leave by no fabric port are not judged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_interface
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.fabric_paths import End, fabric_paths
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
RESTS_ON = ("ecmp_group",)
HOST = ("/32", "/128")
"""Lengths of prefixes that may be the address of a neighbour; of one that tells no addresses, they are taken for it."""
TIERS = ("leaf", "spine", "superspine", "core")
"""Roles from the hosts upwards; another word is of no tier."""


def check(
    ecmp_group: "pd.DataFrame",
    link: "pd.DataFrame",
    interface: "pd.DataFrame",
    address: "pd.DataFrame",
    target: "pd.DataFrame",
) -> Iterator[Finding]:
    """One finding a switch, or one for each set of links that its prefixes leave out."""
    opposite = fabric_paths(rows(link, role="fabric")).opposite
    down = {(row.target, row.port) for row in rows(interface, oper_up=False)}
    roles = {row.target: row.role for row in rows(target)}
    uplinks = _gathered((name, port) for name, port in opposite if (name, port) not in down)
    owned = _gathered((str(ip_interface(row.address).network), row.target) for row in rows(address))
    fabric = _Fabric(uplinks, opposite, roles, owned)
    gaps: dict[tuple[str, tuple[str, ...]], list[Any]] = {}
    seen: dict[str, list[Any]] = {}
    for row in rows(ecmp_group):
        used = set((row.ports or "").split(",")) & uplinks.get(row.target, set())
        if used:
            seen.setdefault(row.target, []).append(row)
            missing = _expected(row, used, fabric) - used
            if missing:
                gaps.setdefault((row.target, tuple(sorted(missing))), []).append(row)
    for (name, missing_ports), some in gaps.items():
        yield _gap(name, missing_ports, some)
    lacking = {name for name, _ in gaps}
    for name, some in seen.items():
        if name not in lacking:
            words = f"all {len(some)} prefixes over the fabric use every link that leads there"
            yield Finding(verdict=Verdict.PASS, subject=(name,), message=words, evidence=evidence(some[0]))


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, value in pairs:
        found.setdefault(name, set()).add(value)
    return found


@dataclass(frozen=True, slots=True)
class _Fabric:
    """Ports to other switches that are up, what is at their ends, the roles of all, and who has an address where."""

    uplinks: dict[str, set[str]]
    opposite: Any
    roles: dict[str, str | None]
    owned: dict[str, set[str]]

    def tier(self, switch: str) -> int | None:
        role = self.roles.get(switch)
        return TIERS.index(role) if role in TIERS else None


def _expected(group: Any, used: set[str], fabric: _Fabric) -> set[str]:
    """Upwards: every port to a higher tier; downwards, and to a neighbour itself: every port to those that are used."""
    switch = group.target
    ends: dict[str, End] = {port: fabric.opposite[switch, port] for port in fabric.uplinks[switch]}
    mine, there = fabric.tier(switch), {ends[port][0] for port in used}
    tiers = {fabric.tier(name) for name in there}
    silent = not there & set().union(*fabric.owned.values()) and group.prefix.endswith(HOST)
    its_own = len(there) == 1 and (silent or there <= fabric.owned.get(group.prefix, set()))
    if mine is not None and not its_own and all(tier is not None and tier > mine for tier in tiers):
        above = {port for port, end in ends.items() if (fabric.tier(end[0]) or 0) > mine}
        return above | used
    return {port for port, end in ends.items() if end[0] in there}


def _gap(name: str, missing: tuple[str, ...], some: list[Any]) -> Finding:
    shown = ", ".join(row.prefix for row in some[:3])
    return Finding(
        verdict=Verdict.FAIL,
        subject=(name, *missing) if len(missing) == 1 else (name, f"{len(missing)} ports from {missing[0]}"),
        message=f"{len(some)} prefixes ({shown}) do not use {', '.join(missing)}, which leads there and is up",
        expected="every link that leads there",
        observed=f"{some[0].ways} ways: {some[0].ports}",
        remedy="see why the path is not equal: announcements, maximum-paths, metrics",
        remedy_source="RFC 2992",
        evidence=evidence(*some[:4]),
    )
