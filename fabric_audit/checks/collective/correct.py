"""Collectives give right results.

Why: a wrong value in an all-reduce is memory or a link that changes data. Nothing else tells it: the job goes on and
learns nonsense.

Fix: leave hosts out one by one until the error is gone; then GPU memory (Xid, ECC), NVLink, and the NIC's PCIe path.

Source: nccl-tests, column #wrong and "Out of bounds values"; a run without validation (-c 0) proves nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS


def check(nccl_test: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a run of nccl-tests."""
    for row in rows(nccl_test):
        yield _judged(row)


def _judged(row: Any) -> Finding:
    subject = (row.target, f"{row.collective or 'collective'} {row.run}")
    bad = (row.wrong or 0) + (row.out_of_bounds or 0)
    if not bad and (row.outcome != "ok" or row.wrong is None):
        return unknown(subject, f"its results were not checked ({row.outcome})", row)
    return Finding(
        verdict=Verdict.FAIL if bad else Verdict.PASS,
        subject=subject,
        message=f"{bad} wrong values" if bad else "all values are right",
        expected="no wrong value",
        observed=f"{bad} wrong values",
        remedy="leave hosts out one by one until the error is gone" if bad else "",
        remedy_source="nccl-tests",
        evidence=evidence(row),
    )
