"""The neighbour that a compute NIC has learned for a peer's address is that peer's NIC.

Why: an address behind another MAC than its owner's sends one rail's traffic to another NIC, or another host: ARP flux,
a duplicate address, a stale entry after a card was replaced. It is slow, or lost, for this one pair.

Fix: `ip neigh flush dev IF`; then see why the wrong one answered: ARP settings of the peer, duplicate addresses.

Source: each host's neighbour table against the hardware addresses of the pod's NICs; RFC 826, RFC 4861. Addresses that
belong to no NIC of the pod, such as gateways, are not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.addressing.nics import End, addressed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
RESTS_ON = ("neighbor_entry", "fabric_port")


def check(
    neighbor_entry: "pd.DataFrame",
    address: "pd.DataFrame",
    interface: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    nics = [(port.target, port.port) for port in rows(fabric_port, side="nic")]
    macs = {(row.target, row.port): row.mac for row in rows(interface)}
    owners = {str(one.address.ip): one.end for one in addressed(address, fabric_port)}
    learned: dict[End, list[Any]] = {}
    for row in rows(neighbor_entry):
        learned.setdefault((row.target, row.port), []).append(row)
    for end in nics:
        yield _judged(end, learned.get(end, []), owners, macs)


def _judged(end: End, learned: list[Any], owners: dict[str, End], macs: dict[End, str | None]) -> Finding:
    wrong = []
    for row in learned:
        owner = owners.get(row.address)
        meant = macs.get(owner) if owner else None
        if row.mac and meant and row.mac != meant:
            wrong.append((row, owner, meant))
    known = sum(bool(row.mac and macs.get(owners.get(row.address, ("", "")))) for row in learned)
    if not known:
        return skipped(end, f"of none of its {len(learned)} neighbours it is known that it is a NIC of the pod")
    words = "; ".join(
        f"{row.address} is {' '.join(owner or ())} at {meant}, and was learned at {row.mac}"
        for row, owner, meant in wrong[:3]
    )
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=words or f"{known} of its {len(learned)} neighbours are NICs of the pod, at their own addresses",
        expected="each address at its owner's hardware address",
        observed=f"{len(wrong)} of {known} wrong",
        remedy="flush the entry, then see who answered for the address" if wrong else "",
        remedy_source="RFC 826",
        evidence=evidence(*(row for row, _, _ in wrong[:4])),
    )
