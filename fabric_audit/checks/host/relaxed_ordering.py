"""Compute NICs may order their PCIe writes freely.

Why: on many CPUs a NIC whose writes must stay in order waits for each to land: 400G become 100G and less on reads from
GPU memory and on machines with several root complexes. Nothing else is wrong.

Fix: BIOS: PCIe relaxed ordering on. ConnectX: mlxconfig PCI_WR_ORDERING=1 (force) where programs do not ask for it
themselves; NCCL asks (NCCL_IB_PCI_RELAXED_ORDERING=2).

Source: PCI Express Base 7.5.3.4 (Enable Relaxed Ordering); linux-rdma/perftest issue 116. Needs root.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.host.functions import nics, tree
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
RESTS_ON = ("pci_device", "fabric_port")


def check(
    pci_device: "pd.DataFrame", rdma_device: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame"
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    functions = tree(pci_device)
    ends = nics(fabric_port, rdma_port, rdma_device)
    yield from by_target((_judged(end, functions.get(end[0], address)) for end, address in ends), "compute NICs")


def _judged(end: tuple[str, str], row: Any) -> Finding:
    if row is None or row.relaxed_ordering is None:
        return unknown(end, "whether it may relax ordering is not known: lspci tells it to root", row)
    return Finding(
        verdict=Verdict.PASS if row.relaxed_ordering else Verdict.FAIL,
        subject=end,
        message="may order its writes freely" if row.relaxed_ordering else "must keep its PCIe writes in order",
        expected="RlxdOrd+",
        observed="RlxdOrd+" if row.relaxed_ordering else "RlxdOrd-",
        remedy="" if row.relaxed_ordering else "switch PCIe relaxed ordering on in the BIOS",
        remedy_source="PCI Express Base 7.5.3.4",
        evidence=evidence(row),
    )
