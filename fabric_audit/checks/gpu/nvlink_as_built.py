"""GPUs are joined by the NVLinks that boards of their model are built with, where the inventory does not say.

Why: `Running` says nothing of how GPUs reach each other. A board of which one pair shows fewer links than the others
has lost them; one whose links are all gone looks like PCIe cards.

Fix: see which links are down (`nvidia-smi nvlink -s`), Xid 74 and SXid in the kernel log, fabric manager's log; reset
the GPU; have the baseboard serviced.

Source: NVIDIA data sheets and the Fabric Manager User Guide; `nvidia-smi topo -m` legend. Hosts whose model in the
inventory names its NVLinks are judged by that (gpu.nvlink-map).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric_audit.analysis.gpu_topology import judge, topology
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import facts, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.facts.gpu import Gpu, GpuLink

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.findings import Finding

ON = Scope.GPUS


def check(gpu_link: "pd.DataFrame", gpu: "pd.DataFrame", target: "pd.DataFrame") -> "Iterator[Finding]":
    """One finding a host whose NVLinks are as built, or one for each pair that is not."""
    links = facts(gpu_link, GpuLink)
    gpus = facts(gpu, Gpu)
    places = {row.target: str(row.evidence) for row in rows(gpu_link)}
    for host in rows(target, kind="host"):
        if host.gpus == 0:
            continue
        if host.nvlinks is not None:
            yield skipped((host.target,), f"the inventory promises {host.nvlinks} NVLinks: gpu.nvlink-map judges them")
            continue
        mine = [link for link in links.get(host.target, []) if link.nvlinks is not None]
        if not mine:
            yield skipped((host.target,), "it tells of no NVLink between two GPUs, nor that there is none")
            continue
        found = topology(host.target, gpus.get(host.target, []), mine, places[host.target])
        yield from (replace(finding, subject=_subject(finding.subject)) for finding in judge(found))


def _subject(subject: tuple[str, ...]) -> tuple[str, ...]:
    """``GPU0-GPU3`` as two parts."""
    return (subject[0], *(part for word in subject[1:] for part in word.split("-")))
