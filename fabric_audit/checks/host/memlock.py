"""Programs may lock as much memory as RDMA registers.

Why: every RDMA buffer is locked in memory. With the default limit a job fails at start (`Couldn't allocate MR`,
ibv_reg_mr ENOMEM), or falls back to TCP and says so in one line of its log.

Fix: `* - memlock unlimited` in /etc/security/limits.d, LimitMEMLOCK=infinity for sshd, slurmd and containers.

Source: NCCL user guide, "RDMA memory registration"; the limit seen is that of the audit's own login: a job may be given
another one by its scheduler.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.HOSTS
LIMIT = "limit:max locked memory"
UNLIMITED = "unlimited"


@dataclass(frozen=True, slots=True)
class Options:
    """Thresholds of this check."""

    least_bytes: int = 64 * 2**30
    """Bytes that jobs of eight GPUs with a few GiB of buffers each can lock."""


def check(kernel_setting: "pd.DataFrame", target: "pd.DataFrame", options: Options) -> Iterator[Finding]:
    """One finding a host."""
    limits = {row.target: row for row in rows(kernel_setting, name=LIMIT)}
    for host in rows(target, kind="host"):
        yield _judged(host.target, limits.get(host.target), options.least_bytes)


def _judged(host: str, row: Any, least: int) -> Finding:
    if row is None or not (row.value == UNLIMITED or str(row.value).isdecimal()):
        return unknown((host,), "how much memory a program may lock is not known", row)
    enough = row.value == UNLIMITED or int(row.value) >= least
    return Finding(
        verdict=Verdict.PASS if enough else Verdict.FAIL,
        subject=(host,),
        message=f"programs may lock {row.value}" + ("" if row.value == UNLIMITED else " bytes"),
        expected=f"unlimited, or at least {least} bytes",
        observed=str(row.value),
        remedy="" if enough else "memlock unlimited in /etc/security/limits.d, and for the scheduler's daemon",
        evidence=evidence(row),
    )
