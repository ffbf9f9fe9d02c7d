"""Jobs send in the lossless class.

Why: NCCL's default traffic class is 0, which every fabric treats as lossy. PFC and ECN, right on every hop, then
protect a class that nobody uses, and the first incast drops the job's packets.

Fix: NCCL_IB_TC=106 for DSCP 26, in one nccl.conf for all hosts or the launcher's environment; or the driver's own
override on every NIC (`/sys/class/infiniband/DEV/tc/1/traffic_class`), which comes before the application's.

Source: NCCL src/transport/net_ib (NCCL_IB_TC, default 0); NVIDIA MLNX_OFED: a device's global class overrides it. A
job's environment is seen in its log; without log, file and override, what jobs send is not known, and not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.nccl_env import traffic_class
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.HOSTS
RESTS_ON = ("nccl_env",)
CLASS = "NCCL_IB_TC"


def check(
    nccl_env: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a host: the driver's override, else what a job said, else the host's nccl.conf."""
    ends = {(row.target, row.port) for row in rows(fabric_port, side="nic")}
    overrides: dict[str, list[Any]] = {}
    for row in rows(rdma_port):
        if (row.target, row.netdev) in ends:
            overrides.setdefault(row.target, []).append(row)
    settings: dict[str, Any] = {}
    for row in rows(nccl_env, name=CLASS):
        name = row.host or row.target
        if name not in settings or row.source == "log":
            settings[name] = row
    logged = len(nccl_log) > 0
    for host, ports in overrides.items():
        if all(port.traffic_class is not None for port in ports):
            yield skipped((host,), "the driver decides the class of all traffic: qos.class-override judges it")
        elif host in settings or logged:
            yield _judged(host, settings.get(host), design.of(host))
        else:
            yield skipped((host,), "neither a job's log nor nccl.conf tells the class of jobs; NCCL's default is 0")


def _judged(host: str, row: Any, wanted: "Design") -> Finding:
    sent = traffic_class(None if row is None else row.value)
    right = sent.dscp == wanted.roce_dscp
    words = f"{CLASS}={row.value}" if row is not None else f"{CLASS} is not set"
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=(host,),
        message=f"{words}: jobs send DSCP {sent.dscp}",
        expected=f"DSCP {wanted.roce_dscp}",
        observed=f"DSCP {sent.dscp}",
        remedy="" if right else f"{CLASS}={wanted.roce_traffic_class} on all hosts",
        remedy_source="NCCL user guide, NCCL_IB_TC",
        evidence=evidence(row),
    )
