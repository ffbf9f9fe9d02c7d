"""How GPUs reach NICs, by host shape: hosts with the same matrix stand together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric_audit.report.subjects import targets

if TYPE_CHECKING:
    import pandas as pd

NEAR = ("PIX", "PXB")
"""Paths that cross no host bridge (nvidia-smi topo legend): GPUDirect RDMA runs at full rate there."""
MOST_SHAPES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class HostShape:
    """One matrix; ``paths`` has a row for each GPU and a column for each NIC."""

    hosts: str
    count: int
    nics: tuple[str, ...]
    gpus: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]


def shapes(gpu_nic_path: "pd.DataFrame") -> tuple[HostShape, ...]:
    """Every shape, the most frequent first."""
    hosts: dict[str, dict[tuple[int, str], str]] = {}
    columns = (gpu_nic_path[name] for name in ("target", "gpu", "nic", "path"))
    for host, gpu, nic, path in zip(*columns, strict=True):
        hosts.setdefault(host, {})[int(gpu), str(nic)] = str(path) if isinstance(path, str) else "not told"
    groups: dict[tuple[tuple[tuple[int, str], str], ...], list[str]] = {}
    for host, paths in hosts.items():
        groups.setdefault(tuple(sorted(paths.items())), []).append(host)
    found = [_shape(dict(paths), names) for paths, names in groups.items()]
    return tuple(sorted(found, key=lambda shape: (-shape.count, shape.hosts)))


def _shape(paths: dict[tuple[int, str], str], hosts: list[str]) -> HostShape:
    gpus, nics = sorted({gpu for gpu, _ in paths}), sorted({nic for _, nic in paths})
    return HostShape(
        hosts=targets(hosts),
        count=len(hosts),
        nics=tuple(nics),
        gpus=tuple(gpus),
        paths=tuple(tuple(paths.get((gpu, nic), "") for nic in nics) for gpu in gpus),
    )
