"""The GID that jobs use has the same index on every compute NIC.

Why: a job that fixes NCCL_IB_GID_INDEX=3 takes whatever stands at index 3. A host that got an address more, or in
another order, has another GID there: RoCE v1, or link-local, and its ranks fail to connect or go by another class.

Fix: unset NCCL_IB_GID_INDEX (NCCL 2.21 and later choose by themselves); else configure addresses alike on all hosts.

Source: NCCL user guide, NCCL_IB_GID_INDEX; Linux fills GID tables in the order in which addresses come.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS


def check(gid: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a compute NIC."""
    devices = {(row.target, row.netdev): row for row in rows(rdma_port) if row.netdev}
    first: dict[tuple[str, str, int], Any] = {}
    for row in rows(gid, type="RoCE v2"):
        key = (row.target, row.device, row.port)
        if row.ipv4 and (key not in first or row.index < first[key].index):
            first[key] = row
    ends = [(port.target, port.port) for port in rows(fabric_port, side="nic")]
    used = {end: first.get((end[0], devices[end].device, devices[end].port)) for end in ends if end in devices}
    counted = Counter(row.index for row in used.values() if row is not None)
    usual = max(sorted(counted), key=counted.__getitem__) if counted else None
    yield from by_target((_judged(end, used.get(end), usual) for end in ends), "compute NICs")


def _judged(end: tuple[str, str], row: Any, usual: int | None) -> Finding:
    if row is None:
        return skipped(end, "it has no RoCE v2 GID of IPv4: addressing.roce-v2-gid judges that")
    alike = row.index == usual
    return Finding(
        verdict=Verdict.PASS if alike else Verdict.FAIL,
        subject=end,
        message=f"its RoCE v2 GID of IPv4 has index {row.index}" + ("" if alike else f", most NICs have it at {usual}"),
        expected=f"index {usual}",
        observed=f"index {row.index}",
        remedy="" if alike else "unset NCCL_IB_GID_INDEX, or configure addresses alike on all hosts",
        remedy_source="NCCL user guide, NCCL_IB_GID_INDEX",
        evidence=evidence(row),
    )
