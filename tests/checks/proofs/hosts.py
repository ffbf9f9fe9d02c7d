"""Hosts, their PCIe trees and their GPUs."""

from fabric_audit.facts.events import EventClass, KernelEvent
from tests.checks.proofs.model import Proof, set_

PAIR = {"target": "gpu001", "gpu": 0, "peer": 1}
SLOT = {"target": "gpu001", "address": "0000:1a:00.0"}


def _event(code: str, kind: EventClass, subject: str) -> KernelEvent:
    return KernelEvent(time="99.0", source="kernel", code=code, subject=subject, event_class=kind)


PROOFS = (
    Proof(
        check="gpu.nvlink-map",
        change=(set_("gpu_link", PAIR, path="NV16", nvlinks=16),),
    ),
    Proof(
        check="gpu.nvlink-as-built",
        base=(set_("target", {"kind": "host"}, nvlinks=None),),
        change=(set_("gpu_link", PAIR, path="SYS", nvlinks=0),),
    ),
    Proof(
        check="gpu.peer-access", change=(set_("gpu_p2p", PAIR | {"capability": "read"}, allowed=False, status="CNS"),)
    ),
    Proof(check="gpu.memory-sound", change=(set_("gpu_health", {"target": "gpu001", "gpu": 0}, remap_failed=True),)),
    Proof(
        check="gpu.not-throttled",
        change=(set_("gpu_health", {"target": "gpu001", "gpu": 0}, throttle="hw_thermal_slowdown"),),
    ),
    Proof(
        check="gpu.no-errors",
        added=(("gpu001", "baseline", _event("79", EventClass.GPU, "0000:1b:00.0")),),
    ),
    Proof(
        check="host.kernel-log",
        added=(("gpu001", "baseline", _event("uncorrected_fatal", EventClass.PCIE, "0000:1a:00.0")),),
    ),
    Proof(
        check="host.memlock",
        change=(set_("kernel_setting", {"target": "gpu001", "name": "limit:max locked memory"}, value="65536"),),
    ),
    Proof(
        check="host.acs",
        change=(set_("pci_acs", {"target": "gpu001", "address": "0000:18:01.0"}, request_redirect=True),),
    ),
    Proof(check="host.iommu", change=(set_("pci_device", SLOT, iommu_type="DMA"),)),
    Proof(check="host.pcie-link", change=(set_("pci_device", SLOT, width=8),)),
    Proof(check="host.read-request", change=(set_("pci_device", SLOT, max_read_request_bytes=512),)),
    Proof(check="host.relaxed-ordering", change=(set_("pci_device", SLOT, relaxed_ordering=False),)),
    Proof(
        check="host.same-software",
        change=(set_("rdma_device", {"target": "gpu001", "device": "mlx5_0"}, firmware="28.36.1010"),),
    ),
    Proof(
        check="topology.one-generation",
        change=(set_("rdma_device", {"target": "gpu001", "device": "mlx5_0"}, part="MT4123"),),
    ),
    Proof(
        check="topology.same-shape",
        change=(set_("gpu_nic_path", {"target": "gpu001", "gpu": 0, "nic": "mlx5_1"}, path="NODE"),),
    ),
    Proof(
        check="gdr.possible",
        change=(set_("gpu_direct", {"target": "gpu001", "mechanism": "peermem"}, available=False),),
    ),
    Proof(
        check="gdr.near-nic",
        change=(set_("gpu_nic_path", {"target": "gpu001", "gpu": 0, "nic": "mlx5_0"}, path="SYS"),),
    ),
    Proof(
        check="gdr.works",
        change=(
            set_(
                "pair_result",
                {"memory": "gpu"},
                bandwidth_bps=lambda was: was / 2,
            ),
        ),
    ),
)
