"""The compute NICs of a host are of one kind, and so are those of all hosts of a model.

Why: NCCL takes the NICs it finds. Where a host mixes generations, it stripes over a 400G and a 200G NIC alike, or picks
the slower one that is nearer: the host has the bandwidth of its slowest NIC, times their number. A storage NIC that
looks like a compute NIC does the same.

Fix: name the NICs that jobs may use: NCCL_IB_HCA==mlx5_0,mlx5_3 (`=` for exact names), UCX_NET_DEVICES; replace the odd
card; give it its role in the inventory.

Source: NCCL src/transport/net_ib: all active ports of the devices that NCCL_IB_HCA leaves are used; parts and rates as
devices tell them.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS


def check(
    rdma_device: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame", target: "pd.DataFrame"
) -> Iterator[Finding]:
    """One finding a host."""
    ports = {(row.target, row.netdev): row for row in rows(rdma_port) if row.netdev}
    devices = {(row.target, row.device): row for row in rows(rdma_device)}
    nics: dict[str, dict[str, tuple[str | None, Any]]] = {}
    for port in rows(fabric_port, side="nic"):
        told = ports.get((port.target, port.port))
        device = devices.get((port.target, told.device)) if told else None
        nics.setdefault(port.target, {})[port.port] = (_kind(device, told), device)
    models: dict[str | None, list[str]] = {}
    for host in rows(target, kind="host"):
        models.setdefault(host.model, []).append(host.target)
    for names in models.values():
        kinds = Counter(kind for name in names for kind, _ in nics.get(name, {}).values() if kind)
        usual = max(sorted(kinds), key=kinds.__getitem__) if kinds else ""
        for name in names:
            if name in nics:
                yield _judged(name, nics[name], usual)


def _kind(device: Any, port: Any) -> str | None:
    if device is None or port is None or (device.part or device.driver) is None:
        return None
    rate = f" at {port.rate_bps / 1e9:g}G" if port.rate_bps and port.state == "ACTIVE" else ""
    return f"{device.part or device.driver}{rate}"


def _judged(name: str, nics: dict[str, tuple[str | None, Any]], usual: str) -> Finding:
    untold = [port for port, (kind, _) in nics.items() if kind is None]
    odd = {port: kind for port, (kind, _) in nics.items() if kind and kind != usual}
    if untold and not odd:
        return unknown((name,), f"of what kind {', '.join(untold)} is, is not known")
    words = ", ".join(f"{port} is {kind}" for port, kind in sorted(odd.items()))
    return Finding(
        verdict=Verdict.FAIL if odd else Verdict.PASS,
        subject=(name,),
        message=f"mixes kinds of compute NICs: {words}, the others are {usual}" if odd else f"all are {usual}",
        expected=usual,
        observed=words or usual,
        remedy="name the NICs that jobs may use (NCCL_IB_HCA), replace the odd one, or give it its role" if odd else "",
        evidence=evidence(*(nics[port][1] for port in sorted(odd)))[:4],
    )
