"""Every switch has as many links to the next tier as its peers have.

Why: an uplink that is down has no neighbour, and so is in no list of links that are wrong. The leaf it belongs to has
an eighth less bandwidth to the spines, and ECMP piles its flows on the rest.

Fix: look for ports that are down or see no neighbour on the switch that is named, and at their cables.

Source: switches of one role in one unit are built alike; the most links that at least half of them have are expected. A
cable plan in the inventory tells it exactly (links.as-planned).
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
RESTS_ON = ("link",)


def check(link: "pd.DataFrame", interface: "pd.DataFrame", target: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a switch."""
    switches = {row.target: row for row in rows(target, kind="switch")}
    neighbours: dict[str, Counter[str]] = {name: Counter() for name in switches}
    for row in rows(link, role="fabric"):
        neighbours[row.a_target][row.b_target] += 1
        neighbours[row.b_target][row.a_target] += 1
    down: dict[str, list[Any]] = {}
    for port in rows(interface, oper_up=False, kind="physical"):
        if port.target in switches and port.admin_up:
            down.setdefault(port.target, []).append(port)
    peers: dict[tuple[str | None, str | None], list[str]] = {}
    for name, row in switches.items():
        peers.setdefault((row.role, row.unit), []).append(name)
    for names in peers.values():
        usual = _usual([neighbours[name].total() for name in names])
        for name in names:
            yield _judged(name, neighbours[name], usual, down.get(name, []), alone=len(names) == 1)


def _usual(counts: list[int]) -> int:
    """The most links that at least half of the switches have."""
    return max(count for count in counts if 2 * sum(other >= count for other in counts) >= len(counts))


def _judged(name: str, neighbours: Counter[str], usual: int, down: list[Any], *, alone: bool) -> Finding:
    if alone:
        return skipped((name,), "no other switch of its role and unit to compare it with")
    count = neighbours.total()
    if not usual:
        return unknown((name,), "no switch of its role sees another switch")
    lacking = count < usual
    dark = f"; up by configuration and without link: {', '.join(port.port for port in down)}" if down else ""
    return Finding(
        verdict=Verdict.FAIL if lacking else Verdict.PASS,
        subject=(name,),
        message=f"{count} links to other switches, its peers have {usual}{dark}" if lacking else f"{count} links",
        expected=f"{usual} links",
        observed=", ".join(f"{count} to {peer}" for peer, count in sorted(neighbours.items())) or "none",
        remedy="look at the ports without a neighbour, and at their cables" if lacking else "",
        evidence=evidence(*down[:4]),
    )
