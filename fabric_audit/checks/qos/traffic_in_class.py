"""Test traffic was carried in the lossless class, and in no other.

Why: a bandwidth measured in the wrong class proves nothing about the lossless one. A driver's override, a NIC that
trusts the VLAN priority, a tool that ignores its own option: the test runs, and everything it was to prove it proves
for the lossy class.

Fix: the finding that explains this one says why the class was not used. Without one: see the tool's `--tclass`, and
the traffic class of the job (NCCL_IB_TC), which by default is 0.

Source: tx_prioN_bytes (mlx5), tx_bytes_priN (bnxt_en): bytes a NIC sent by priority, round by round. A result whose
class did not move is void.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import by_port
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.PAIRS
RESTS_ON = ("counter", "pair_result")
BY_PRIORITY = r"tx_prio(?P<mlx5>\d)_bytes|tx_bytes_pri(?P<bnxt>\d)"
LEAST = 0.9
"""Share of what a NIC sent in a round that must be in the class: the rest is whoever else uses the host."""


@dataclass(slots=True)
class _Sent:
    """Bytes that one NIC sent by priority, in the rounds in which it was a client."""

    by_priority: dict[int, int] = field(default_factory=dict)
    rows: list[Any] = field(default_factory=list)


def check(
    counter: "pd.DataFrame",
    pair_result: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a compute NIC that sent."""
    clients: dict[tuple[str, str], set[str]] = {}
    for row in rows(pair_result, outcome="ok"):
        if row.client_port and row.traffic_class is not None:
            asked = row.traffic_class >> 2 == design.of(row.client).roce_dscp
            if asked:
                clients.setdefault((row.client, row.client_port), set()).add(f"round-{row.round:04d}")
    named = counter[counter["name"].str.fullmatch(BY_PRIORITY)]
    grown = by_port(named, ("traffic",), fabric_port, rdma_port)
    for end, rounds in sorted(clients.items()):
        yield _judged(end, _sent(grown.get(end, []), rounds), design.of(end[0]))


def _sent(signs: list[Growth], rounds: set[str]) -> _Sent:
    found = _Sent()
    for sign in signs:
        named = re.fullmatch(BY_PRIORITY, sign.name)
        if named and sign.after in rounds:
            priority = int(named["mlx5"] or named["bnxt"])
            found.by_priority[priority] = found.by_priority.get(priority, 0) + (sign.delta.value or 0)
            if sign.delta.value:
                found.rows.append(sign.row)
    return found


def _judged(end: tuple[str, str], sent: _Sent, wanted: "Design") -> Finding:
    total = sum(sent.by_priority.values())
    if not sent.by_priority:
        return skipped(end, "the driver counts no bytes by priority")
    if not total:
        return unknown(end, "no priority's counter moved while it sent: they were cleared, or do not count", *sent.rows)
    share = sent.by_priority.get(wanted.roce_priority, 0) / total
    right = share >= LEAST
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=end,
        message=f"{share:.0%} of what it sent was in priority {wanted.roce_priority}",
        expected=f"at least {LEAST:.0%}",
        observed=_listed(sent.by_priority, total),
        remedy="" if right else "see why the class was not used: driver's override, trust, DSCP map, the tool's option",
        evidence=evidence(*sent.rows[:4]),
    )


def _listed(by_priority: Mapping[int, int], total: int) -> str:
    return ", ".join(f"priority {p} {sent / total:.0%}" for p, sent in sorted(by_priority.items()) if sent)
