"""Every pair reaches the share of its line rate that the policy asks for, in both directions.

Why: all-reduce is synchronous. The slowest link of a ring sets the pace of every GPU in it, so one NIC at 70 % makes
the whole job 40 % slower, and the average of all links hides it.

Fix: the finding names the slower end where results over several pairs tell it. Look at that host's PCIe link (width,
speed), its cable and optics (FEC), its NIC's NUMA placement, then at the leaf port.

Source: the floor is line rate x payload efficiency at the negotiated MTU x the policy's factor. Payload efficiency of
RoCE v2 with path MTU M is M / (M + 98): 14 Ethernet, 4 FCS, 20 preamble and gap, 20 IPv4, 8 UDP, 12 BTH, 16 RETH on
writes, 4 ICRC (InfiniBand Architecture 1.3 annex A17, IEEE 802.3).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import blamed_for, slow_nics
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS
OVERHEAD_BYTES = 98
"""Bytes on the wire of one RoCE v2 packet besides its payload; see the manual."""


def check(pair_result: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a pair, rail and tool in each direction, with host memory: what NIC and fabric can do."""
    slow = slow_nics(pair_result, design.fabric.pod_bandwidth_floor)
    for row in rows(pair_result):
        if row.tool.endswith("_bw") and row.memory == "host":
            yield _judged(row, design.of(row.client).bandwidth_floor, blamed_for(row, slow))


def floor_bps(line_rate_bps: float, mtu_bytes: int, factor: float) -> float:
    """Payload bandwidth that must be reached, in bits per second."""
    return line_rate_bps * mtu_bytes / (mtu_bytes + OVERHEAD_BYTES) * factor


def _judged(row: Any, factor: float, culprit: str) -> Finding:
    subject = (row.client, f"rail {row.rail}", row.server, row.tool, row.memory)
    if row.outcome != "ok" or row.bandwidth_bps is None:
        words = f"no result: {row.outcome}" + (f" ({row.message})" if row.message else "")
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(row))
    if row.line_rate_bps is None or row.mtu_bytes is None:
        words = f"{_gbps(row.bandwidth_bps)}, but the line rate or path MTU is not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(row))
    floor = floor_bps(row.line_rate_bps, row.mtu_bytes, factor)
    enough = row.bandwidth_bps >= floor
    return Finding(
        verdict=Verdict.PASS if enough else Verdict.FAIL,
        subject=subject,
        message=f"{row.client} to {row.server} on rail {row.rail}: {_gbps(row.bandwidth_bps)}, floor {_gbps(floor)}",
        expected=f"at least {_gbps(floor)}",
        observed=_gbps(row.bandwidth_bps),
        evidence=evidence(row),
        explained_by="" if enough else culprit,
    )


def _gbps(bps: float) -> str:
    """In Gb/s with as many digits as a slow lab link needs."""
    return f"{bps / 1e9:.4g} Gb/s"
