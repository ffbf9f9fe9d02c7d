"""The kernel of no host reports faults of NICs, PCIe, memory or cooling.

Why: the kernel says first what counters tell later, if at all: a NIC whose firmware reports errors, a PCIe link that
retries, DMA that the IOMMU refused. Such a host finishes its jobs, slowly, until it does not.

Fix: see the message's part: reseat card and riser for PCIe errors, update firmware for NIC errors, airflow for heat,
memory modules for machine checks.

Source: Linux drivers mlx5, bnxt_en, ice, PCIe AER, EDAC and MCE messages. The log is a ring: what is not in it may have
been overwritten; what is in it may be old. Link changes and Xids have checks of their own (links.flaps, gpu.no-errors).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.told import told
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.HOSTS
CLASSES = frozenset({"nic", "pcie", "iommu", "hardware", "thermal", "module", "peermem"})
HARMLESS = frozenset({"corrected", "bus_error_corrected", "plugged", "unplugged", "invalid_context"})
"""Corrected errors are what correction is for; plugging is somebody's work; peermem says it at a program's end."""


def check(kernel_event: "pd.DataFrame", target: "pd.DataFrame", coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding a host whose log was read, and one for each kind of fault of each part."""
    read = told(coverage, "kernel_event")
    faults: dict[tuple[str, str, str], list[Any]] = {}
    for row in rows(kernel_event, event_class=CLASSES):
        if row.code not in HARMLESS:
            faults.setdefault((row.target, row.subject or row.source, row.code), []).append(row)
    for subject, some in faults.items():
        yield _fault(subject, some)
    faulty = {name for name, _, _ in faults}
    for host in rows(target, kind="host"):
        if host.target in read and host.target not in faulty:
            message = "its kernel log holds no fault"
            yield Finding(verdict=Verdict.PASS, subject=(host.target,), message=message)


def _fault(subject: tuple[str, str, str], some: list[Any]) -> Finding:
    last = some[-1]
    times = f", {len(some)} times" if len(some) > 1 else ""
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject,
        message=f"{last.code.replace('_', ' ')} of {subject[1]}{times}, last at {last.time or 'an unknown time'}",
        expected="no fault in the kernel log",
        observed=last.text or last.code,
        remedy="see the part that the message names",
        evidence=evidence(last),
    )
