"""The IOMMU lets NICs and GPUs reach memory without translation.

Why: translated DMA goes through the IOMMU for every page: GPUDirect RDMA is slow or fails, and a NIC's own writes miss
its cache of translations. `intel_iommu=on` or an AMD default without `iommu=pt` is all it takes.

Fix: `iommu=pt` on the kernel's command line (with intel_iommu=on where SR-IOV needs it), or the IOMMU off in the BIOS.

Source: Linux Documentation/ABI/testing/sysfs-kernel-iommu_groups (identity, DMA, DMA-FQ); NVIDIA ngc_multinode_perf
README: iommu=pt; policy value `iommu_translation_allowed`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.host.functions import nics, tree
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.NICS
RESTS_ON = ("kernel_setting", "fabric_port")
TRANSLATED = ("DMA", "DMA-FQ")


def check(
    pci_device: "pd.DataFrame",
    kernel_setting: "pd.DataFrame",
    rdma_device: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a host."""
    functions = tree(pci_device)
    names = {"iommu:units", "cmdline:iommu"}
    settings = {(row.target, row.name): row for row in rows(kernel_setting, name=names)}
    hosts: dict[str, list[Any]] = {}
    for end, address in nics(fabric_port, rdma_port, rdma_device):
        hosts.setdefault(end[0], []).append(functions.get(end[0], address))
    for host, found in hosts.items():
        units, option = (settings.get((host, name)) for name in ("iommu:units", "cmdline:iommu"))
        if design.of(host).iommu_translation_allowed:
            yield not_asked((host,), "iommu_translation_allowed")
        else:
            yield _judged(host, [row for row in found if row is not None and row.iommu_type], units, option)


def _judged(host: str, grouped: list[Any], units: Any, option: Any) -> Finding:
    translated = [row for row in grouped if row.iommu_type in TRANSLATED]
    words = f"translates DMA of {', '.join(row.address for row in translated)}" if translated else ""
    words = words or _passed_through(grouped, units, option)
    if not words:
        return unknown((host,), "whether an IOMMU translates its DMA is not known", units, option)
    return Finding(
        verdict=Verdict.FAIL if translated else Verdict.PASS,
        subject=(host,),
        message=words,
        expected="identity (passthrough), or no IOMMU",
        observed=", ".join(sorted({row.iommu_type for row in grouped})) or words,
        remedy="add iommu=pt to the kernel's command line" if translated else "",
        remedy_source="NVIDIA ngc_multinode_perf README",
        evidence=evidence(*translated[:4], units, option),
    )


def _passed_through(grouped: list[Any], units: Any, option: Any) -> str:
    """Why DMA is not translated, by the nearest evidence first; empty where nothing tells."""
    if grouped:
        return "passes DMA of its NICs through"
    if units is not None and not units.value:
        return "no IOMMU is in use"
    return "iommu=pt is on the kernel's command line" if option is not None and option.value == "pt" else ""
