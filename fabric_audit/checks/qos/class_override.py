"""No driver setting forces the traffic of a compute NIC into another class than that of RoCE.

Why: mlx5 takes a global traffic class that overrides whatever an application asks for. Left at 0 by an old start-up
script, it sends every job of that host into the lossy class, and neither the job's environment nor NCCL's log shows it.

Fix: `echo 106 > /sys/class/infiniband/DEV/tc/1/traffic_class` for DSCP 26, or write 0 once more and reload the driver
to end the override; then mend the script or service that writes it at boot.

Source: NVIDIA MLNX_OFED, "RoCE: setting the traffic class globally": the override comes before the application's
class. DSCPs are compared, not bytes: the lower two bits are ECN's (RFC 3168), so that 104 and 106 are one class.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.NICS


def check(rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a compute NIC."""
    ports = {(row.target, row.netdev): row for row in rows(rdma_port) if row.netdev}
    ends = [(row.target, row.port) for row in rows(fabric_port, side="nic")]
    yield from by_target((_judged(end, ports.get(end), design.of(end[0])) for end in ends), "compute NICs")


def _judged(end: tuple[str, str], row: Any, wanted: "Design") -> Finding:
    if row is None:
        return unknown(end, "the RDMA device behind it is not known")
    if row.traffic_class is None:
        return Finding(
            verdict=Verdict.PASS, subject=end, message="the application's class holds", evidence=evidence(row)
        )
    dscp = row.traffic_class >> 2
    right = dscp == wanted.roce_dscp
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=end,
        message=f"the driver forces traffic class {row.traffic_class}, DSCP {dscp}, on every queue pair",
        expected=f"DSCP {wanted.roce_dscp}, or no override",
        observed=f"traffic class {row.traffic_class}: DSCP {dscp}",
        remedy="" if right else f"set the device's traffic class to {wanted.roce_traffic_class}",
        remedy_source="NVIDIA MLNX_OFED, RoCE",
        evidence=evidence(row),
    )
