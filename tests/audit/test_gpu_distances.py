"""Where nvidia-smi tells no matrix, the PCI tree tells distances, and that they are its own."""

from fabric_audit.audit.gpu_distances import coverage, gpu_distances
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuLink, GpuNicPath
from fabric_audit.facts.pci import PciDevice
from fabric_audit.facts.rdma import RdmaDevice
from fabric_audit.facts.system import NumaNode
from fabric_audit.facts.tables import Stamped


def function(address: str, root: str, node: int, kind: str, upstream: str | None = None) -> PciDevice:
    vendor = "10de" if kind == "0302" else "15b3"
    return PciDevice(address=address, root=root, numa_node=node, class_code=kind, vendor_id=vendor, upstream=upstream)


# One switch with a GPU and a NIC on socket 0, a GPU on socket 1.
HOST: tuple[Fact, ...] = (
    function("0000:17:00.0", "0000:16", 0, "0604"),
    function("0000:18:00.0", "0000:16", 0, "0604", "0000:17:00.0"),
    function("0000:18:01.0", "0000:16", 0, "0604", "0000:17:00.0"),
    function("0000:19:00.0", "0000:16", 0, "0302", "0000:18:00.0"),
    function("0000:20:00.0", "0000:16", 0, "0207", "0000:18:01.0"),
    function("0000:98:00.0", "0000:97", 1, "0302"),
    RdmaDevice(device="mlx5_0", pci="0000:20:00.0"),
    NumaNode(node=0),
    NumaNode(node=1),
)


def stamped(*facts: Fact) -> list[Stamped]:
    return [Stamped("gpu01", "baseline", "baseline/gpu01/host.out", fact, line) for line, fact in enumerate(facts, 1)]


def test_the_pci_tree_stands_in_for_the_matrix() -> None:
    found = list(gpu_distances(stamped(*HOST), "baseline"))
    assert [one.fact for one in found if isinstance(one.fact, GpuNicPath)] == [
        GpuNicPath(gpu=0, nic="mlx5_0", path="PIX"),
        GpuNicPath(gpu=1, nic="mlx5_0", path="SYS"),
    ]
    assert [one.fact for one in found if isinstance(one.fact, GpuLink)] == [GpuLink(gpu=0, peer=1, path="SYS")]
    assert {(one.path, one.line) for one in found if one.fact.TABLE == "gpu"} == {
        ("baseline/gpu01/host.out", 4),
        ("baseline/gpu01/host.out", 6),
    }
    (row,) = coverage(found)
    assert (row.target, row.state, row.tables) == ("gpu01", "parsed", ("gpu_link", "gpu_nic_path"))


def test_gpus_that_are_known_keep_what_is_known_of_them() -> None:
    found = gpu_distances(stamped(*HOST, Gpu(gpu=0, model="NVIDIA H100 80GB HBM3")), "baseline")
    assert not any(isinstance(one.fact, Gpu) for one in found)


def test_a_matrix_is_believed() -> None:
    assert list(gpu_distances(stamped(*HOST, GpuLink(gpu=0, peer=1, path="NV18", nvlinks=18)), "baseline")) == []


def test_a_host_whose_tree_is_not_known_gets_no_distance() -> None:
    assert list(gpu_distances(stamped(RdmaDevice(device="mlx5_0", pci="0000:20:00.0")), "baseline")) == []
