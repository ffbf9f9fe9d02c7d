"""No compute NIC pauses the fabric for long.

Why: a NIC sends pause because it cannot put packets into memory as fast as they come: a PCIe link at half width, a
wrong NUMA node, ACS, an IOMMU, a NIC whose firmware hangs. The fabric is healthy and waits; congestion spreads from
this one port to every sender. No drop counter moves anywhere.

Fix: PCIe width and speed of the NIC (`lspci -vv`), MaxReadReq, NUMA placement, relaxed ordering; `ethtool -S IF`:
outbound_pci_stalled_wr says so itself. A pause storm (tx_pause_storm_error_events) needs firmware and a restart.

Source: tx_prioN_pause_duration (Linux mlx5 counters); RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.4
(slow-receiver symptom). Limits by load: `pause_share_idle`, `pause_share_one_to_one`, `pause_share_incast`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import READ_ONCE, by_port, summed
from fabric_audit.checks.counters.pauses import Pause, pauses, too_long
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.NICS
RESTS_ON = ("counter", "fabric_port")
STORMS = frozenset({"tx_pause_storm_warning_events", "tx_pause_storm_error_events", "continuous_roce_pause_events"})
"""Counters of a NIC that has sent pause without an end (mlx5, bnxt_en)."""


def check(
    pfc_counter: "pd.DataFrame",
    counter: "pd.DataFrame",
    interface: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    pair_result: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    sent = pauses(pfc_counter, interface, pair_result, "tx", design)
    storms = by_port(counter[counter["name"].isin(STORMS)], ("pause_sent",), fabric_port, rdma_port)
    for port in rows(fabric_port, side="nic"):
        end = (port.target, port.port)
        if end in sent or end in storms:
            yield _judged(end, sent.get(end, []), storms.get(end, []), design.of(port.target))
        else:
            yield skipped(end, f"it counts no pause of a lossless priority, or {READ_ONCE}")


def _judged(end: tuple[str, str], sent: list[Pause], storms: list[Growth], wanted: "Design") -> Finding:
    stormed = [storm for storm in storms if storm.delta.value]
    worst = too_long(sent, wanted)
    words = [f"pause storms: {summed(stormed)}"] if stormed else []
    if worst:
        words.append(f"it paused the switch {worst.words}, at most {worst.limit(wanted):.1%} allowed")
    certain = bool(stormed) or (worst is not None and worst.exact)
    return Finding(
        verdict=Verdict.FAIL if certain else Verdict.NOT_VERIFIABLE if worst else Verdict.PASS,
        subject=end,
        message="; ".join(words) or "absorbs what it is sent",
        expected="pause no longer than the policy allows under each load",
        observed=sent[0].words if sent else "no pause",
        remedy="look at the NIC's PCIe width and speed, NUMA placement, MaxReadReq, then at its firmware"
        if words
        else "",
        remedy_source="RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.4",
        evidence=evidence(*(s.row for s in stormed[:2]), *(pause.interval.row for pause in sent[:2])),
    )
