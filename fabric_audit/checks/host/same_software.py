"""Hosts of one model run the same kernel, drivers and firmware.

Why: one host of a hundred with an older NIC firmware or GPU driver is the one that is slow, or dies, or negotiates
another protocol. Everything on it works; only the difference tells.

Fix: bring the named host to the versions of the others. Where a change is on its way, waive the finding until it is
done.

Source: each host against what most hosts of its model have: kernel, distribution, modules of NIC and GPU, GPU driver,
firmware of each kind of NIC.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.majority import usual
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.HOSTS
RESTS_ON = ("system",)
MODULES = frozenset({"mlx5_core", "mlx5_ib", "bnxt_en", "bnxt_re", "ice", "irdma", "nvidia", "nvidia_peermem"})
ENOUGH = 2
"""Hosts of a model without which there is nothing to compare with."""


def check(
    system: "pd.DataFrame",
    kernel_module: "pd.DataFrame",
    rdma_device: "pd.DataFrame",
    gpu: "pd.DataFrame",
    target: "pd.DataFrame",
) -> Iterator[Finding]:
    """One finding a host."""
    versions: dict[str, dict[str, tuple[str, Any]]] = {}
    told = chain(_of_system(system), _of_modules(kernel_module), _of_devices(rdma_device, gpu))
    for row, what, version in told:
        if version:
            versions.setdefault(row.target, {}).setdefault(what, (version, row))
    models: dict[str | None, list[str]] = {}
    for host in rows(target, kind="host"):
        models.setdefault(host.model, []).append(host.target)
    for names in models.values():
        common = _usual([versions.get(name, {}) for name in names])
        for name in names:
            yield _judged(name, versions.get(name, {}), common, alone=len(names) < ENOUGH)


def _of_system(system: "pd.DataFrame") -> Iterator[tuple[Any, str, str | None]]:
    for row in rows(system):
        yield row, "kernel", row.kernel
        yield row, "distribution", row.os_version


def _of_modules(kernel_module: "pd.DataFrame") -> Iterator[tuple[Any, str, str | None]]:
    for row in rows(kernel_module, name=MODULES):
        yield row, f"module {row.name}", row.version


def _of_devices(rdma_device: "pd.DataFrame", gpu: "pd.DataFrame") -> Iterator[tuple[Any, str, str | None]]:
    for row in rows(rdma_device):
        yield row, f"firmware of {row.part or row.driver}", row.firmware
    for row in rows(gpu):
        yield row, "GPU driver", row.driver


def _usual(hosts: list[dict[str, tuple[str, Any]]]) -> dict[str, str | None]:
    counted: dict[str, Counter[str]] = {}
    for host in hosts:
        for what, (version, _) in host.items():
            counted.setdefault(what, Counter())[version] += 1
    return {what: usual(counts.elements()) for what, counts in counted.items()}


def _judged(
    name: str, told: Mapping[str, tuple[str, Any]], common: Mapping[str, str | None], *, alone: bool
) -> Finding:
    if alone:
        return skipped((name,), "no other host of its model to compare it with")
    if not told:
        return unknown((name,), "what it runs is not known")
    other = {what: found for what, found in told.items() if found[0] != common[what]}
    words = ", ".join(
        f"{what} {version}, {f'most have {common[what]}' if common[what] else 'and no version is the usual one'}"
        for what, (version, _) in sorted(other.items())
    )
    return Finding(
        verdict=Verdict.FAIL if other else Verdict.PASS,
        subject=(name,),
        message=words or "runs what the others of its model run",
        expected=", ".join(f"{what} {common[what] or 'alike'}" for what in sorted(other))
        or "the versions of its model",
        observed=", ".join(f"{what} {version}" for what, (version, _) in sorted(other.items())) or "the same",
        remedy="bring it to the versions of the others" if other else "",
        evidence=evidence(*(row for _, row in other.values()))[:4],
    )
