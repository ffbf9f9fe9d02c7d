"""Distances between GPUs and NICs from the PCI tree, for hosts where nvidia-smi cannot tell."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import combinations

from fabric_audit.facts.gpu import GpuLink, GpuNicPath
from fabric_audit.facts.pci import PciDevice
from fabric_audit.facts.rdma import RdmaDevice

_NVIDIA = "10de"
_GPU_CLASSES = ("0300", "0302")  # VGA and 3D controllers; PCI Code and ID Assignment Specification 1.4
_UNKNOWN_NODE = -1


def merged(devices: Iterable[PciDevice]) -> dict[str, PciDevice]:
    """One row a function: several outputs each tell a part of it, and the first to tell a value is believed."""
    found: dict[str, PciDevice] = {}
    for device in devices:
        known = found.get(device.address)
        if known is None:
            found[device.address] = device
            continue
        told = {one.name: getattr(device, one.name) for one in fields(device) if getattr(known, one.name) is None}
        found[device.address] = replace(known, **told)
    return found


def path_class(one: str, other: str, tree: Mapping[str, PciDevice], *, numa_nodes: int | None = None) -> str | None:
    """PIX, PXB, PHB, NODE or SYS between two PCI functions, as NVIDIA defines them.

    PIX: at most one PCIe switch, PXB: several, neither through a host bridge; PHB: the same host bridge; NODE:
    several host bridges of one NUMA node; SYS: different NUMA nodes. A switch is an upstream port with its
    downstream ports, so that two functions below one have one port each between themselves and the port they share.

    Args:
        one: PCI address.
        other: PCI address.
        tree: every function by its address, bridges included.
        numa_nodes: how many NUMA nodes the host has; with one, functions without a node are on it.

    Returns:
        None where the tree does not tell: a function is not in it, or its node is unknown on a host with several.
    """
    here, there = tree.get(one), tree.get(other)
    if here is None or there is None:
        return None
    above, beside = _above(here, tree), _above(there, tree)
    shared = next((place for place, bridge in enumerate(above) if bridge in beside), None)
    if shared is not None:
        ports = max(shared, beside.index(above[shared]))
        return "PIX" if ports <= 1 else "PXB"
    if here.root is None or there.root is None:
        return None
    return "PHB" if here.root == there.root else _across_bridges(here, there, numa_nodes)


def _across_bridges(here: PciDevice, there: PciDevice, numa_nodes: int | None) -> str | None:
    nodes = {here.numa_node, there.numa_node}
    if numa_nodes == 1:
        return "NODE"
    if None in nodes or _UNKNOWN_NODE in nodes:
        return None
    return "NODE" if len(nodes) == 1 else "SYS"


def _above(device: PciDevice, tree: Mapping[str, PciDevice]) -> list[str]:
    """Bridges above a function, nearest first."""
    found: list[str] = []
    upstream = device.upstream
    while upstream is not None and upstream not in found:
        found.append(upstream)
        bridge = tree.get(upstream)
        upstream = bridge.upstream if bridge else None
    return found


def gpus_of(devices: Iterable[PciDevice]) -> tuple[str, ...]:
    """PCI addresses of the GPUs, in the order in which nvidia-smi numbers them."""
    found = {one.address for one in devices if one.vendor_id == _NVIDIA and one.class_code in _GPU_CLASSES}
    return tuple(sorted(found))


def paths(
    devices: Iterable[PciDevice], rdma: Iterable[RdmaDevice], *, numa_nodes: int | None = None
) -> Iterator[GpuLink | GpuNicPath]:
    """The tables ``gpu_link`` and ``gpu_nic_path`` from the PCI tree.

    GPUs are numbered by PCI address, as nvidia-smi does. PCI knows no NVLink: its number of links stays open.
    """
    tree = merged(devices)
    gpus = gpus_of(tree.values())
    for one, other in combinations(range(len(gpus)), 2):
        path = path_class(gpus[one], gpus[other], tree, numa_nodes=numa_nodes)
        if path:
            yield GpuLink(gpu=one, peer=other, path=path)
    for nic in rdma:
        for number, gpu in enumerate(gpus):
            path = path_class(gpu, nic.pci, tree, numa_nodes=numa_nodes) if nic.pci else None
            if path:
                yield GpuNicPath(gpu=number, nic=nic.device, path=path)
