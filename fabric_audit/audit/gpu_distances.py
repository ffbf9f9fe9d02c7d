"""How GPUs reach each other and the NICs, for hosts on which ``nvidia-smi topo -m`` told nothing."""

from collections.abc import Iterable, Iterator

from fabric_audit.analysis.pci_paths import gpus_of, paths
from fabric_audit.facts.gpu import Gpu, GpuLink, GpuNicPath
from fabric_audit.facts.pci import PciDevice
from fabric_audit.facts.rdma import RdmaDevice
from fabric_audit.facts.system import NumaNode
from fabric_audit.facts.tables import Stamped
from fabric_audit.findings import CoverageRow

TABLES = (GpuLink.TABLE, GpuNicPath.TABLE)


def gpu_distances(stamped: Iterable[Stamped], baseline: str) -> Iterator[Stamped]:
    """The tables ``gpu_link`` and ``gpu_nic_path`` from the PCI tree of hosts that have neither.

    The row's evidence is the output that shows the GPU in the PCI tree. GPUs that no other output numbered get their
    place in the order of addresses, which is nvidia-smi's.
    """
    by_target: dict[str, list[Stamped]] = {}
    told: set[str] = set()
    for one in stamped:
        if isinstance(one.fact, GpuLink | GpuNicPath):
            told.add(one.target)
        elif one.phase == baseline and isinstance(one.fact, PciDevice | RdmaDevice | NumaNode | Gpu):
            by_target.setdefault(one.target, []).append(one)
    for target, seen in by_target.items():
        if target not in told:
            yield from _of_host(target, baseline, seen)


def _of_host(target: str, phase: str, seen: list[Stamped]) -> Iterator[Stamped]:
    at = {one.fact.address: (one, one.fact) for one in seen if isinstance(one.fact, PciDevice)}
    devices = [device for _, device in at.values()]
    nics = [one.fact for one in seen if isinstance(one.fact, RdmaDevice)]
    nodes = sum(isinstance(one.fact, NumaNode) for one in seen) or None
    gpus = [at[address] for address in gpus_of(devices)]
    if not any(isinstance(one.fact, Gpu) for one in seen):
        for number, (one, device) in enumerate(gpus):
            gpu = Gpu(gpu=number, pci=device.address, numa_node=device.numa_node)
            yield Stamped(target, phase, one.path, gpu, one.line)
    for found in paths(devices, nics, numa_nodes=nodes):
        one, _ = gpus[found.gpu]
        yield Stamped(target, phase, one.path, found, one.line)


def coverage(derived: Iterable[Stamped]) -> Iterator[CoverageRow]:
    """That the PCI tree told what the matrix did not, one row a host."""
    for target, one in {one.target: one for one in derived if one.fact.TABLE in TABLES}.items():
        yield CoverageRow(
            target=target,
            phase=one.phase,
            section="sysfs-pci-links",
            tables=TABLES,
            state="parsed",
            reason="distances from the PCI tree: nvidia-smi topo -m told none",
            path=one.path,
        )
