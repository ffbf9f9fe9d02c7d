"""Which GPUs may share a tensor-parallel group at which cost, and which NIC each should leave by."""

from itertools import combinations

from fabric_audit.analysis.placement import (
    ACROSS,
    NVLINK,
    SOCKET,
    SWITCH,
    exits,
    natural,
    tensor_parallel_groups,
    unused,
)
from fabric_audit.facts.gpu import GpuLink, GpuNicPath


def links(paths: dict[tuple[int, int], str], count: int, rest: str) -> list[GpuLink]:
    return [GpuLink(gpu=a, peer=b, path=paths.get((a, b), rest)) for a, b in combinations(range(count), 2)]


def test_a_full_mesh_is_one_group() -> None:
    (group,) = tensor_parallel_groups(range(8), links({}, 8, "NV18"))
    assert (group.level, group.gpus, group.paths) == (NVLINK, tuple(range(8)), ("NV18",))


def test_pcie_cards_group_by_switch_then_socket_then_all() -> None:
    paths = {(0, 1): "PIX", (2, 3): "PXB", (0, 2): "NODE", (0, 3): "NODE", (1, 2): "NODE", (1, 3): "NODE"}
    groups = tensor_parallel_groups(range(6), links({**paths, (4, 5): "PHB"}, 6, "SYS"))
    assert [(group.level, group.gpus) for group in groups] == [
        (SWITCH, (0, 1)),
        (SWITCH, (2, 3)),
        (SOCKET, (0, 1, 2, 3)),
        (SOCKET, (4, 5)),
        (ACROSS, (0, 1, 2, 3, 4, 5)),
    ]


def test_a_group_has_nvlink_between_any_two() -> None:
    quads = {(0, 1): "NV1", (0, 2): "NV1", (1, 2): "NV2", (3, 4): "NV1", (0, 3): "NV2"}
    groups = tensor_parallel_groups(range(5), links(quads, 5, "SYS"))
    assert [group.gpus for group in groups if group.level == NVLINK] == [(0, 1, 2), (3, 4)]


def paths(rows: dict[int, dict[str, str]]) -> list[GpuNicPath]:
    return [GpuNicPath(gpu=gpu, nic=nic, path=path) for gpu, row in rows.items() for nic, path in row.items()]


def test_gpus_that_share_near_nics_take_one_each() -> None:
    both = {"mlx5_0": "PIX", "mlx5_1": "PIX", "mlx5_10": "SYS"}
    found = exits(paths({0: both, 1: both}))
    assert [(one.gpu, one.nic, one.equals) for one in found] == [
        (0, "mlx5_0", ("mlx5_0", "mlx5_1")),
        (1, "mlx5_1", ("mlx5_0", "mlx5_1")),
    ]


def test_a_gpu_with_one_near_nic_has_it_before_one_with_a_choice() -> None:
    found = exits(paths({0: {"a": "PIX", "b": "PIX"}, 1: {"a": "PIX", "b": "SYS"}}))
    assert [(one.gpu, one.nic) for one in found] == [(0, "b"), (1, "a")]


def test_a_nic_far_from_every_gpu_is_for_none() -> None:
    rows = {0: {"mlx5_0": "PXB", "mlx5_bond_0": "SYS"}, 1: {"mlx5_0": "NODE", "mlx5_bond_0": "SYS"}}
    assert unused(paths(rows)) == ("mlx5_bond_0",)
    assert unused(paths({0: {"mlx5_0": "SYS", "mlx5_1": "SYS"}})) == ()


def test_names_sort_by_their_numbers() -> None:
    assert sorted(["mlx5_10", "mlx5_2", "mlx5_bond_0"], key=natural) == ["mlx5_2", "mlx5_10", "mlx5_bond_0"]
