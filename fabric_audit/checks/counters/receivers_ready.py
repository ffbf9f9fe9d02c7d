"""Receivers had a buffer posted for what they were sent.

Why: a receiver without a posted buffer answers "not ready", and the sender waits and tries again: latency in steps of
milliseconds, without loss and without pause. It is the receiving program that is slow, or its CPU, never the fabric.

Fix: give the job its own cores, on the NIC's NUMA node; NCCL: leave NCCL_IB_QPS_PER_CONNECTION and buffer counts alone;
see what else runs on the host.

Source: out_of_buffer (Linux mlx5 counters.c, NVIDIA "Understanding mlx5 counters"), rx_out_of_buffer (bnxt_re),
send_rnr_err (rxe). Growth during the run counts. What a sender counts of peers that were not ready (rnr_nak_retry_err)
is shown, and never held against the sender.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import READ_ONCE, by_port, summed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
RESTS_ON = ("counter", "fabric_port")
FAR = frozenset(
    {
        *("rnr_nak_retry_err", "req_rnr_retries_exceeded", "rnr_naks_rcvd", "RNR received"),
        *("rcvd_rnr_err", "retry_rnr_exceeded_err"),
    }
)
"""Counters of a sender whose peers were not ready: they tell of the peers."""


@dataclass(frozen=True, slots=True)
class Options:
    """Thresholds of this check."""

    most: int = 1000
    """Packets of a NIC that may meet an unready receiver during a run: programs that start do so."""


def check(
    counter: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame", options: Options
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    grown = by_port(counter, ("slow_receiver",), fabric_port, rdma_port)
    for port in rows(fabric_port, side="nic"):
        end = (port.target, port.port)
        yield _judged(end, grown[end], options.most) if end in grown else skipped(end, READ_ONCE)


def _judged(end: tuple[str, str], signs: list[Growth], most: int) -> Finding:
    counted = [sign for sign in signs if sign.delta.value and sign.row.unit in ("packets", "events", None)]
    moved = [sign for sign in counted if sign.name not in FAR]
    total = sum(sign.delta.value or 0 for sign in moved)
    return Finding(
        verdict=Verdict.FAIL if total > most else Verdict.PASS,
        subject=end,
        message=f"it was not ready to receive: {summed(moved)}" if total > most else "it was ready to receive",
        expected=f"at most {most} packets",
        observed=summed(counted) or "none",
        remedy="give the receiving program its own cores on the NIC's NUMA node" if total > most else "",
        evidence=evidence(*(sign.row for sign in (moved or counted or signs)[:4])),
    )
