"""No GPU reports an error that is not a program's own.

Why: an Xid of memory, NVLink, PCIe or firmware is a GPU that slows down, drops out of its job, or computes wrongly,
long before anyone replaces it. A job that dies on one of a thousand GPUs dies for all.

Fix: what the Xid's own entry says: reset the GPU, look at both ends of the NVLink, replace the card if it comes back.

Source: NVIDIA XID Errors. Xids that point to programs (13, 31, 43, 45 and their like) are not judged; nor is what the
log no longer holds.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.told import told
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS
APPLICATION = "application"


def check(kernel_event: "pd.DataFrame", target: "pd.DataFrame", coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding a host whose log was read, and one for each error of each GPU or NVSwitch."""
    read = told(coverage, "kernel_event")
    errors: dict[tuple[str, str, str], list[Any]] = {}
    for row in rows(kernel_event, event_class={"gpu", "nvswitch"}):
        if row.part != APPLICATION:
            errors.setdefault((row.target, row.subject or row.source, row.code), []).append(row)
    for subject, some in errors.items():
        yield _error(subject, some)
    faulty = {name for name, _, _ in errors}
    for host in rows(target, kind="host"):
        if host.gpus != 0 and host.target in read and host.target not in faulty:
            message = "its kernel log holds no error of a GPU"
            yield Finding(verdict=Verdict.PASS, subject=(host.target,), message=message)


def _error(subject: tuple[str, str, str], some: list[Any]) -> Finding:
    last = some[-1]
    code = f"{'SXid' if last.event_class == 'nvswitch' else 'Xid'} {last.code}" if last.code.isdecimal() else last.code
    times = f", {len(some)} times" if len(some) > 1 else ""
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject,
        message=f"{code.replace('_', ' ')} of {subject[1]}{times}: {last.cause or last.text or 'no meaning is known'}",
        expected="no error of GPU or NVSwitch",
        observed=last.text or code,
        remedy="reset the GPU; replace it if the error comes back",
        remedy_source="NVIDIA XID Errors",
        evidence=evidence(last),
    )
