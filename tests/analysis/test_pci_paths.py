"""Distances from the PCI tree are those NVIDIA's legend defines."""

import pytest

from fabric_audit.analysis.pci_paths import merged, path_class, paths
from fabric_audit.facts.gpu import GpuLink, GpuNicPath
from fabric_audit.facts.pci import PciDevice
from fabric_audit.facts.rdma import RdmaDevice


def device(address: str, upstream: str | None, root: str, node: int, kind: str = "0604") -> PciDevice:
    vendor = "10de" if kind == "0302" else "15b3"
    return PciDevice(address=address, upstream=upstream, root=root, numa_node=node, class_code=kind, vendor_id=vendor)


# Socket 0: root 16 holds a switch (17) with a GPU, a NIC and a second switch (1a) below; root 30 a NIC of its own.
# Socket 1: root 97 with a GPU.
TREE = [
    device("0000:16:01.0", None, "0000:16", 0),
    device("0000:17:00.0", "0000:16:01.0", "0000:16", 0),
    device("0000:18:00.0", "0000:17:00.0", "0000:16", 0),
    device("0000:19:00.0", "0000:18:00.0", "0000:16", 0, "0302"),
    device("0000:18:01.0", "0000:17:00.0", "0000:16", 0),
    device("0000:20:00.0", "0000:18:01.0", "0000:16", 0, "0207"),
    device("0000:20:00.1", "0000:18:01.0", "0000:16", 0, "0207"),
    device("0000:18:02.0", "0000:17:00.0", "0000:16", 0),
    device("0000:1a:00.0", "0000:18:02.0", "0000:16", 0),
    device("0000:1b:00.0", "0000:1a:00.0", "0000:16", 0),
    device("0000:1c:00.0", "0000:1b:00.0", "0000:16", 0, "0302"),
    device("0000:16:05.0", None, "0000:16", 0),
    device("0000:2f:00.0", "0000:16:05.0", "0000:16", 0, "0200"),
    device("0000:30:01.0", None, "0000:30", 0),
    device("0000:31:00.0", "0000:30:01.0", "0000:30", 0, "0200"),
    device("0000:97:01.0", None, "0000:97", 1),
    device("0000:98:00.0", "0000:97:01.0", "0000:97", 1, "0302"),
]


@pytest.mark.parametrize(
    ("other", "path"),
    [
        ("0000:20:00.0", "PIX"),
        ("0000:1c:00.0", "PXB"),
        ("0000:2f:00.0", "PHB"),
        ("0000:31:00.0", "NODE"),
        ("0000:98:00.0", "SYS"),
    ],
)
def test_each_class(other: str, path: str) -> None:
    tree = merged(TREE)
    assert path_class("0000:19:00.0", other, tree) == path
    assert path_class(other, "0000:19:00.0", tree) == path


def test_two_functions_of_one_card_are_near() -> None:
    assert path_class("0000:20:00.0", "0000:20:00.1", merged(TREE)) == "PIX"


def test_an_unknown_node_leaves_it_open_unless_the_host_has_one_only() -> None:
    tree = merged([device("0000:01:00.0", None, "0000:00", -1), device("0000:41:00.0", None, "0000:40", -1)])
    assert path_class("0000:01:00.0", "0000:41:00.0", tree) is None
    assert path_class("0000:01:00.0", "0000:41:00.0", tree, numa_nodes=1) == "NODE"
    assert path_class("0000:01:00.0", "0000:99:00.0", tree) is None


def test_parts_of_one_function_are_put_together() -> None:
    parts = [PciDevice(address="0000:19:00.0", numa_node=0), PciDevice(address="0000:19:00.0", upstream="0000:18:00.0")]
    assert merged(parts)["0000:19:00.0"] == PciDevice(address="0000:19:00.0", numa_node=0, upstream="0000:18:00.0")


def test_the_tables_of_nvidia_smi_come_from_the_tree() -> None:
    facts = list(paths(TREE, [RdmaDevice(device="mlx5_0", pci="0000:20:00.0")]))
    assert {(fact.gpu, fact.peer, fact.path) for fact in facts if isinstance(fact, GpuLink)} == {
        (0, 1, "PXB"),
        (0, 2, "SYS"),
        (1, 2, "SYS"),
    }
    assert all(fact.nvlinks is None for fact in facts if isinstance(fact, GpuLink))
    assert {(fact.gpu, fact.path) for fact in facts if isinstance(fact, GpuNicPath)} == {
        (0, "PIX"),
        (1, "PXB"),
        (2, "SYS"),
    }


def test_a_loop_in_the_tree_ends() -> None:
    tree = merged([device("a", "b", "r", 0), device("b", "a", "r", 0), device("c", "d", "r", 0)])
    assert path_class("a", "c", tree) == "PHB"
