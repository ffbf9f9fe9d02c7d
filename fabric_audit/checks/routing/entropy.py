"""Load balancing tells the flows of RoCE apart, and keeps their order where that matters.

Why: training traffic is a few large flows between the same addresses. A hash over addresses alone puts all of them on
one uplink; the same hash at every tier picks the same link again (polarisation). A switch that sprays packets instead
brings them out of order, which NICs that expect order count as loss.

Fix: hash over UDP source port too, or the queue pair (NX-OS, EOS: `ip load-sharing`, user-defined hash fields); another
seed at each tier; adaptive routing only with NICs that reorder: then say so in the policy (`reordering_possible`).

Source: RoCE v2 varies the UDP source port by queue pair (InfiniBand Architecture 1.3 annex A17); Meta, SIGCOMM 2024
(E-ECMP, queue pair scaling). A switch that says nothing of it has its default, which hashes over ports.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.checks.told import told
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("load_balancing",)
VARYING = frozenset({"src_port", "l4_src_port", "roce_qpn", "udp_src_port"})
SPRAYING = ("per_packet", "adaptive")


def check(
    load_balancing: "pd.DataFrame", target: "pd.DataFrame", design: "Designs", coverage: Sequence[CoverageRow]
) -> Iterator[Finding]:
    """One finding a switch and scope."""
    said: dict[str, list[Any]] = {}
    for row in rows(load_balancing):
        said.setdefault(row.target, []).append(row)
    read = told(coverage, "load_balancing")
    for switch in rows(target, kind="switch"):
        for row in said.get(switch.target, ()):
            yield _judged(row, design.of(switch.target))
        if switch.target in read and switch.target not in said:
            yield skipped((switch.target,), "says nothing of load balancing: its default, a hash with ports, holds")


def _judged(row: Any, wanted: "Design") -> Finding:
    subject = (row.target, row.scope)
    if row.mode is None:
        return unknown(subject, "how it balances is not known", row)
    wrong = _wrong(row, wanted)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=subject,
        message=wrong or f"balances by {row.mode.replace('_', ' ')}" + (f" over {row.fields}" if row.fields else ""),
        expected="a hash with UDP source port or queue pair"
        + ("" if not wanted.reordering_possible else ", or spraying"),
        observed=row.raw or row.fields or row.mode,
        remedy="hash over the UDP source port or the queue pair; spray only where NICs reorder" if wrong else "",
        remedy_source="InfiniBand Architecture 1.3 annex A17",
        evidence=evidence(row),
    )


def _wrong(row: Any, wanted: "Design") -> str:
    if row.mode in SPRAYING:
        return "" if wanted.reordering_possible else "sprays packets of a flow, and the policy expects them in order"
    if row.fields and VARYING.isdisjoint(row.fields.split(",")):
        return f"hashes over {row.fields} alone: all flows between two hosts take one link"
    return ""
