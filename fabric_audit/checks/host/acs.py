"""No bridge between a compute NIC and its GPUs sends their traffic through the root complex.

Why: access control services (ACS) on a PCIe switch redirect peer-to-peer traffic upwards: GPUDirect RDMA then crosses
the CPU and back, at half the bandwidth and less, or deadlocks. `nvidia-smi topo -m` still shows PIX.

Fix: BIOS: ACS off; else `setpci -s BDF ECAP_ACS+0x6.w=0000` on each bridge, at every boot. In a virtual machine ACS
must stay on for isolation, and ATS (mlxconfig ATS_ENABLED) is the way: the policy's `acs_redirect_allowed` says so.

Source: PCI Express Base 6.12; NVIDIA NCCL, "PCI Access Control Services". What is in force counts (ACSCtl), on
downstream ports between NIC and GPU alone; source validation by itself redirects nothing. Needs root.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.host.functions import Tree, nics, tree
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.GPUS
RESTS_ON = ("pci_device", "pci_acs", "fabric_port")
REDIRECTS = {"request_redirect": "ReqRedir", "completion_redirect": "CmpltRedir", "upstream_forwarding": "UpstreamFwd"}


def check(
    pci_acs: "pd.DataFrame",
    pci_device: "pd.DataFrame",
    rdma_device: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    gpu: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a compute NIC of a host with GPUs."""
    functions = tree(pci_device)
    acs = {(row.target, row.address): row for row in rows(pci_acs)}
    gpus: dict[str, list[list[str]]] = {}
    for row in rows(gpu):
        gpus.setdefault(row.target, []).append(functions.above(row.target, row.pci))

    def examined(end: tuple[str, str], address: str | None) -> Finding:
        if design.of(end[0]).acs_redirect_allowed:
            return not_asked(end, "acs_redirect_allowed")
        return _judged(end, functions, address, gpus[end[0]], acs)

    found = (examined(end, address) for end, address in nics(fabric_port, rdma_port, rdma_device) if end[0] in gpus)
    yield from by_target(found, "compute NICs")


def _judged(
    end: tuple[str, str],
    functions: Tree,
    address: str | None,
    gpus: Sequence[Sequence[str]],
    acs: Mapping[tuple[str, str], Any],
) -> Finding:
    mine = functions.above(end[0], address)
    if not mine:
        return unknown(end, "the bridges above it are not known")
    between = {bridge for gpu in gpus for bridge in _between(mine, gpu)}
    if not between:
        return skipped(end, "no GPU shares a PCIe switch with it")
    told = {bridge: acs[end[0], bridge] for bridge in between if _known(acs.get((end[0], bridge)))}
    redirecting = {bridge: _redirects(row) for bridge, row in told.items() if _redirects(row)}
    if not redirecting and len(told) < len(between):
        return unknown(end, "ACS of the bridges to its GPUs is not known: lspci tells it to root")
    words = ", ".join(f"{bridge} ({' '.join(flags)})" for bridge, flags in sorted(redirecting.items()))
    return Finding(
        verdict=Verdict.FAIL if redirecting else Verdict.PASS,
        subject=end,
        message=f"traffic to its GPUs is sent through the root complex by {words}"
        if words
        else "reaches its GPUs directly",
        expected="no redirection on the bridges between NIC and GPU",
        observed=words or "none",
        remedy="switch ACS off in the BIOS, or on these bridges at each boot" if words else "",
        remedy_source="NVIDIA NCCL, PCI Access Control Services",
        evidence=evidence(*(told[bridge] for bridge in sorted(redirecting)[:4])),
    )


def _between(mine: Sequence[str], gpu: Sequence[str]) -> list[str]:
    """Ports below the switch that both share; none where they meet at no bridge."""
    shared = next((bridge for bridge in mine if bridge in gpu), None)
    return [] if shared is None else [*mine[: mine.index(shared)], *gpu[: gpu.index(shared)]]


def _known(row: Any) -> bool:
    """Whether what a bridge does is told; one without the capability redirects nothing."""
    if row is None:
        return False
    return row.capable is False or None not in [getattr(row, field) for field in REDIRECTS] or bool(_redirects(row))


def _redirects(row: Any) -> list[str]:
    return [word for field, word in REDIRECTS.items() if getattr(row, field)]
