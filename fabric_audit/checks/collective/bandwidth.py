"""Collectives over several hosts reach the share of the NICs' rate that the policy asks for.

Why: pairs can be fast and the collective slow: NCCL picks other NICs, stages through host memory, or a rail is missing.
It is what training waits for.

Fix: where pairs are fast and the collective is not, look at NCCL's log (`fabric-audit nccl-log`): near NICs, GDRDMA on
all channels, the same settings on all hosts. The network is not to blame then.

Source: nccl-tests, bus bandwidth at the largest size; its bound over hosts is the sum of a host's NICs. Runs within one
host do not use the fabric. The share is the policy's `bandwidth_floor` times the `share` option, because algorithms
differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.GPUS
RESTS_ON = ("nccl_test",)


@dataclass(frozen=True, slots=True)
class Options:
    """Thresholds of this check."""

    share: float = 0.85
    """What rings and trees over several hosts reach of a host's NICs: 0.93 to 0.98 on pods that owners call good."""


def check(
    nccl_test: "pd.DataFrame",
    intended_nic: "pd.DataFrame",
    design: "Designs",
    options: Options,
) -> Iterator[Finding]:
    """One finding a run of nccl-tests over several hosts."""
    rates: dict[str, int] = {}
    for nic in rows(intended_nic, role="compute"):
        rates[nic.target] = rates.get(nic.target, 0) + (nic.speed_bps or 0)
    slowest = min(rates.values(), default=0)
    for row in rows(nccl_test):
        yield _judged(row, slowest * design.fabric.bandwidth_floor * options.share)


def _judged(row: Any, floor: float) -> Finding:
    subject = (row.target, f"{row.collective or 'collective'} {row.run}")
    if row.hosts == 1:
        return skipped(subject, "it ran within one host")
    if row.outcome != "ok" or row.busbw_bps is None or row.hosts is None or not floor:
        return unknown(subject, f"no bus bandwidth over hosts, or no NIC's rate is known ({row.outcome})", row)
    enough = row.busbw_bps >= floor
    return Finding(
        verdict=Verdict.PASS if enough else Verdict.FAIL,
        subject=subject,
        message=f"{row.busbw_bps / 8e9:.4g} GB/s over {row.hosts} hosts, floor {floor / 8e9:.4g} GB/s",
        expected=f"at least {floor / 8e9:.4g} GB/s",
        observed=f"{row.busbw_bps / 8e9:.4g} GB/s at {row.largest_bytes} bytes",
        remedy="" if enough else "see NCCL's log: near NICs, GDRDMA on all channels, the same settings on all hosts",
        remedy_source="nccl-tests",
        evidence=evidence(row),
    )
