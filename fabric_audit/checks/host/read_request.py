"""Compute NICs may ask for as much in one PCIe read as the policy wants.

Why: a NIC that sends reads its data from memory in requests of MaxReadReq bytes. At 128 or 512, what the BIOS left,
there are not enough requests on the way to fill 400G: sending is slow, receiving is not.

Fix: `setpci -s BDF CAP_EXP+8.w` with bits 14:12 set to 5 (4096 bytes), at each boot; the NIC's firmware or the BIOS can
set it for good.

Source: PCI Express Base 7.5.3.4; NVIDIA ngc_multinode_perf README; policy value `max_read_request_bytes`. Needs root.
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

    from fabric_audit.policy.model import Designs

ON = Scope.NICS
RESTS_ON = ("pci_device", "fabric_port")


def check(
    pci_device: "pd.DataFrame",
    rdma_device: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    functions = tree(pci_device)
    yield from by_target(
        (
            _judged(end, functions.get(end[0], address), design.of(end[0]).max_read_request_bytes)
            for end, address in nics(fabric_port, rdma_port, rdma_device)
        ),
        "compute NICs",
    )


def _judged(end: tuple[str, str], row: Any, wanted: int) -> Finding:
    if row is None or row.max_read_request_bytes is None:
        return unknown(end, "its MaxReadReq is not known: lspci tells it to root", row)
    enough = row.max_read_request_bytes >= wanted
    return Finding(
        verdict=Verdict.PASS if enough else Verdict.FAIL,
        subject=end,
        message=f"MaxReadReq is {row.max_read_request_bytes} bytes",
        expected=f"at least {wanted} bytes",
        observed=f"{row.max_read_request_bytes} bytes",
        remedy="" if enough else f"set MaxReadReq to {wanted} bytes",
        remedy_source="PCI Express Base 7.5.3.4",
        evidence=evidence(row),
    )
