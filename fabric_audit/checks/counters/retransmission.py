"""Compute NICs lose and repeat no packets while somebody else's traffic runs.

Why: without traffic of its own the audit still sees what jobs do to the fabric. Packets that are lost and sent again
while a job trains are the job's lost time.

Fix: see who loses: the receiver counts the gap, the sender's side causes it. `fabric-audit run` with traffic blames one
NIC over all pairs (counters.lossy-nic); then cable, optics, and the queue drops of its leaf.

Source: packet_seq_err, local_ack_timeout_err and others of each driver's counter table; limits are the policy's
`loss_per_minute_limit`. Where packets may be reordered, gaps at a receiver are no loss. With traffic, losses are judged
pair by pair instead.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import READ_ONCE, by_port, summed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.NICS
RESTS_ON = ("counter", "fabric_port")
MINUTE_S = 60.0


def check(
    counter: "pd.DataFrame",
    pair_result: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    sent = len(pair_result) > 0
    grown = {} if sent else by_port(counter, ("loss", "retransmission"), fabric_port, rdma_port)
    for port in rows(fabric_port, side="nic"):
        end = (port.target, port.port)
        if sent:
            yield skipped(end, "traffic was sent: counters.lossy-nic judges it pair by pair")
        elif end not in grown:
            yield skipped(end, READ_ONCE)
        else:
            yield _judged(end, grown[end], design.of(port.target).loss_per_minute_limit)


def _judged(end: tuple[str, str], signs: list[Growth], limit: float) -> Finding:
    lost = [sign for sign in signs if sign.delta.value]
    minutes = max(1.0, max(sign.elapsed_s for sign in signs) / MINUTE_S)
    rate = max((sign.delta.value or 0 for sign in lost), default=0) / minutes
    return Finding(
        verdict=Verdict.FAIL if rate > limit else Verdict.PASS,
        subject=end,
        message=f"packets were lost: {summed(lost)}" if lost else "nothing was lost or sent again",
        expected=f"at most {limit:g} a minute",
        observed=f"{rate:g} a minute" if lost else "none",
        remedy="run with traffic, which tells whose fault it is" if rate > limit else "",
        evidence=evidence(*(sign.row for sign in (lost or signs)[:4])),
    )
