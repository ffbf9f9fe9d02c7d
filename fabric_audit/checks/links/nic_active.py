"""Every compute NIC of the inventory is there, active, and as fast as promised.

Why: a job that finds seven NICs of eight runs, at seven eighths of its speed or on a rail shared by two GPUs, and
nothing reports it. The inventory is what was bought; what answers is compared with it, not with itself.

Fix: look for the device with `lspci` and `rdma link`; a port that is DOWN has no light or no peer; a rate below the
promise is a cable, a module or a port profile of lower speed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS


def check(intended_nic: "pd.DataFrame", rdma_port: "pd.DataFrame", interface: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a compute NIC."""
    ports = {(row.target, name): row for row in rows(rdma_port) for name in (row.device, row.netdev) if name}
    speeds = {(row.target, row.port): row.speed_bps for row in rows(interface)}
    answered = {row.target for row in rows(rdma_port)}
    for nic in rows(intended_nic, role="compute"):
        port = ports.get((nic.target, nic.device)) or ports.get((nic.target, nic.netdev))
        yield _judged(nic, port, speeds, answered=nic.target in answered)


def _judged(nic: Any, port: Any, speeds: dict[tuple[str, str], int | None], *, answered: bool) -> Finding:
    subject = (nic.target, nic.nic)
    if port is None:
        verdict = Verdict.FAIL if answered else Verdict.UNKNOWN
        words = f"{nic.nic} is not there" if answered else f"{nic.target} did not say which RDMA devices it has"
        return Finding(verdict=verdict, subject=subject, message=words, expected=f"RDMA device {nic.nic}")
    rate = port.rate_bps or speeds.get((nic.target, port.netdev))
    wrong = _wrong(nic, port, rate)
    if wrong is None and (port.state is None or (nic.speed_bps is not None and rate is None)):
        words = f"state or rate of {nic.nic} is not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(port))
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=subject,
        message=wrong or f"{nic.nic} is active" + (f" at {rate // 10**9}G" if rate else ""),
        expected="ACTIVE" + (f" at {nic.speed_bps // 10**9}G" if nic.speed_bps else ""),
        observed=f"{port.state} at {rate // 10**9}G" if rate else str(port.state),
        evidence=evidence(port),
    )


def _wrong(nic: Any, port: Any, rate: int | None) -> str | None:
    if port.state not in (None, "ACTIVE"):
        return f"{nic.nic} is {port.state}"
    if nic.speed_bps and rate and rate < nic.speed_bps:
        return f"{nic.nic} runs at {rate / 1e9:g}G, the inventory promises {nic.speed_bps / 1e9:g}G"
    return None
