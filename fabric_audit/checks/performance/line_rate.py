"""Every pair reaches the share of its line rate that the policy asks for, in both directions.

Why: all-reduce is synchronous. The slowest link of a ring sets the pace of every GPU in it, so one NIC at 70 % makes
the whole job 40 % slower, and the average of all links hides it.

Fix: the finding names the slower end where results over several pairs tell it. Look at that host's PCIe link (width,
speed), its cable and optics (FEC), its NIC's NUMA placement, then at the leaf port.

A test that was repeated is judged by its slowest run, unless it is slow with some queue pairs only: then it can reach
its rate, and performance.ecmp-collision says what keeps it from that.

Source: the floor is line rate x payload efficiency at the negotiated MTU x the policy's factor. Payload efficiency of
RoCE v2 with path MTU M is M / (M + 98): 14 Ethernet, 4 FCS, 20 preamble and gap, 20 IPv4, 8 UDP, 12 BTH, 16 RETH on
writes, 4 ICRC (InfiniBand Architecture 1.3 annex A17, IEEE 802.3).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import blamed_for, leaves, slow_pairs
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS
RESTS_ON = ("pair_result",)
OVERHEAD_BYTES = 98
"""Bytes on the wire of one RoCE v2 packet besides its payload; see the manual."""


def check(pair_result: "pd.DataFrame", link: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a pair, rail and tool in each direction, with host memory: what NIC and fabric can do."""
    slow = slow_pairs(pair_result, link, design.fabric.pod_bandwidth_floor)
    where = leaves(link)
    tests: dict[tuple[str, str, int, str], list[Any]] = {}
    for row in rows(pair_result, memory="host"):
        if row.tool.endswith("_bw"):
            tests.setdefault((row.client, row.server, row.rail, row.tool), []).append(row)
    for (client, server, rail, tool), repeats in tests.items():
        moved = slow[tool, "host"].verdict.moved if (tool, "host") in slow else ()
        collided = any((o.client, o.server, o.rail) == (client, server, rail) for o in moved)
        row = max(repeats, key=_reached) if collided else min(repeats, key=_reached)
        yield _judged(row, design.of(client).bandwidth_floor, blamed_for(row, slow, where))


def _reached(row: Any) -> float:
    """By which the repeats of a test are compared; one without a result stands last."""
    return float(row.bandwidth_bps) if row.bandwidth_bps is not None else -1.0


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
