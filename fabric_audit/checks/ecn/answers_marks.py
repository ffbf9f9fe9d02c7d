"""Marks that reach a compute NIC are answered, and CNPs that reach it are obeyed.

Why: configured is not working. A receiver that counts marks and sends no CNP keeps the sender at full rate; a sender
that ignores CNPs does so itself. Either way congestion ends in pause, and ECN's counters on the switches look fine.

Fix: notification point and reaction point on, for the priority that RoCE really uses: `echo 1 >
/sys/class/net/IF/ecn/roce_np/enable/3`, the same for roce_rp; look whether the traffic's priority is another.

Source: np_ecn_marked_roce_packets, np_cnp_sent, rp_cnp_ignored (NVIDIA "Understanding mlx5 counters"); cnpIgnored
(irdma). Only where DCQCN is the algorithm.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import READ_ONCE, by_port, summed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.NICS
RESTS_ON = ("counter", "fabric_port")
MARKED = frozenset({"np_ecn_marked_roce_packets", "RxECNMrkd"})
SENT = frozenset({"np_cnp_sent", "cnpSent"})
IGNORED = frozenset({"rp_cnp_ignored", "cnpIgnored"})


def check(
    counter: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs"
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    named = counter[counter["name"].isin(MARKED | SENT | IGNORED)]
    grown = by_port(named, ("congestion",), fabric_port, rdma_port)
    for port in rows(fabric_port, side="nic"):
        end, wanted = (port.target, port.port), design.of(port.target)
        if wanted.congestion_control != "dcqcn":
            yield not_asked(end, f"congestion_control: {wanted.congestion_control}")
        elif end not in grown:
            yield skipped(end, f"it counts no marks and CNPs, or {READ_ONCE}")
        else:
            yield _judged(end, grown[end])


def _judged(end: tuple[str, str], signs: list[Growth]) -> Finding:
    marked, sent, ignored = (_total(signs, names) for names in (MARKED, SENT, IGNORED))
    wrong = []
    if marked and not sent:
        wrong.append(f"{marked} marks came in and no CNP went out")
    if ignored:
        wrong.append(f"{ignored} CNPs came in and were ignored")
    moved = [sign for sign in signs if sign.delta.value]
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message="; ".join(wrong) or f"{marked} marks, {sent} CNPs sent, none ignored",
        expected="CNPs for marks, and none ignored",
        observed=summed(moved) or "no marks and no CNPs",
        remedy="switch notification and reaction point on for the priority of RoCE" if wrong else "",
        remedy_source="NVIDIA MLNX_OFED, ECN",
        evidence=evidence(*(sign.row for sign in (moved or signs)[:4])),
    )


def _total(signs: list[Growth], names: frozenset[str]) -> int:
    return sum(sign.delta.value or 0 for sign in signs if sign.name in names)
