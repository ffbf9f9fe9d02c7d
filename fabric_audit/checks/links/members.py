"""Every member of an aggregate in the RDMA fabric carries traffic.

Why: an aggregate with a member missing stays up with half of its bandwidth. Nothing goes down, no counter moves; the
hosts behind it are the slow ones.

Fix: see why the member is not bundled: LACP at the other end, another speed, another aggregator. `cat
/proc/net/bonding/bond0`; `show port-channel detail`; `show port-channel summary`.

Source: IEEE 802.1AX (collecting, distributing); Linux Documentation/networking/bonding.rst (active aggregator).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS
RESTS_ON = ("fabric_port",)
BACKUP = "active-backup"
"""A mode in which all members but one wait."""


def check(
    lag_member: "pd.DataFrame",
    bond_member: "pd.DataFrame",
    intended_nic: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    fabric: "pd.DataFrame",
) -> Iterator[Finding]:
    """One finding a member port."""
    ends = {(port.target, port.port) for port in rows(fabric_port)}
    found = False
    for row in rows(lag_member):
        if (row.target, row.port) in ends:
            found = True
            yield _judged((row.target, row.lag, row.port), row, row.bundled, row.reason)
    bonds = {(row.target, row.bond) for row in rows(bond_member) if (row.target, row.port) in ends}
    for row in rows(bond_member):
        if (row.target, row.bond) in bonds:
            found = True
            works = row.up if row.active is None or row.mode == BACKUP else row.active and row.up is not False
            yield _judged((row.target, row.bond, row.port), row, works, "no link" if row.up is False else "not active")
    seen = {(row.target, row.bond) for row in rows(bond_member)}
    for nic in rows(intended_nic, role="compute"):
        if nic.bond is not None and (nic.target, nic.bond) not in seen:
            found = True
            yield unknown((nic.target, nic.bond), f"the inventory promises {nic.bond}, no member of it is known")
    if not found:
        yield from (skipped((row.name,), "no port of the RDMA fabric is in an aggregate") for row in rows(fabric))


def _judged(subject: tuple[str, ...], row: Any, works: bool | None, reason: str | None) -> Finding:
    if works is None:
        return unknown(subject, "whether it carries traffic is not known", row)
    return Finding(
        verdict=Verdict.PASS if works else Verdict.FAIL,
        subject=subject,
        message="carries traffic" if works else f"carries no traffic of {subject[1]}: {reason or 'no reason given'}",
        expected=f"bundled in {subject[1]}",
        observed="bundled" if works else reason or "not bundled",
        remedy="" if works else "see LACP and speed at both ends of this member",
        remedy_source="IEEE 802.1AX",
        evidence=evidence(row),
    )
