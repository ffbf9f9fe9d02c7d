"""A host whose NIC and GPU share a PCIe switch, as facts."""

from typing import Any

from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu
from fabric_audit.facts.intent import FabricPort, Target
from fabric_audit.facts.pci import PciAcs, PciDevice
from fabric_audit.facts.rdma import RdmaDevice, RdmaPort

NIC, GPU = "0000:1a:00.0", "0000:1b:00.0"
TO_NIC, TO_GPU, SWITCH, ROOT = "0000:18:00.0", "0000:18:01.0", "0000:17:00.0", "0000:16:01.0"
LINK: dict[str, Any] = {"speed_gts": 32.0, "max_speed_gts": 32.0, "width": 16, "max_width": 16}


def machine(nic: dict[str, Any] | None = None, slot: dict[str, Any] | None = None, **gpu: Any) -> list[Fact]:
    """All its functions; ``nic``, ``slot`` and ``gpu`` say what is other than usual."""
    usual: dict[str, Any] = {"max_read_request_bytes": 4096, "relaxed_ordering": True, "iommu_type": "identity"}
    return [
        Target(kind="host", gpus=1),
        FabricPort(port="rdma0", side="nic", rail=0),
        RdmaPort(device="mlx5_0", port=1, netdev="rdma0"),
        RdmaDevice(device="mlx5_0", pci=NIC),
        Gpu(gpu=0, pci=GPU),
        PciDevice(address=ROOT),
        PciDevice(address=SWITCH, upstream=ROOT),
        PciDevice(address=TO_NIC, upstream=SWITCH, **(LINK | (slot or {}))),
        PciDevice(address=TO_GPU, upstream=SWITCH, **LINK),
        PciDevice(address=NIC, upstream=TO_NIC, **(LINK | usual | (nic or {}))),
        PciDevice(address=GPU, **(LINK | {"upstream": TO_GPU} | gpu)),
    ]


def acs(address: str, **redirects: bool) -> PciAcs:
    """What a bridge does with peer traffic."""
    off = dict.fromkeys(("request_redirect", "completion_redirect", "upstream_forwarding"), False)
    return PciAcs(address=address, capable=True, **(off | redirects))
