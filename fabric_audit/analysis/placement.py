"""Two questions a matrix answers: which GPUs may work closely together, and by which NIC each should leave."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fabric_audit.facts.gpu import GpuLink, GpuNicPath

Pair = tuple[int, int]

# Distance classes from near to far. NVIDIA's legend orders PIX to SYS; NCCL has no NODE and counts it as PHB.
NVLINK = "NVLink"
SWITCH = "PCIe switch"
SOCKET = "same NUMA node"
ACROSS = "across NUMA nodes"
LEVELS = (NVLINK, SWITCH, SOCKET, ACROSS)
_LEVEL_OF = {"PIX": SWITCH, "PXB": SWITCH, "PHB": SOCKET, "NODE": SOCKET, "SYS": ACROSS}
_ORDER = {"PIX": 0, "PXB": 1, "PHB": 2, "NODE": 3, "SYS": 4}


@dataclass(frozen=True, slots=True)
class Group:
    """GPUs of which any two reach each other at ``level`` or nearer; ``paths`` are the ones they take."""

    level: str
    gpus: tuple[int, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """By which NIC a GPU should leave: one of the nearest, so chosen that NICs are shared evenly."""

    gpu: int
    nic: str
    path: str
    equals: tuple[str, ...]
    """All NICs as near."""


def level_of(path: str) -> str | None:
    """The level of a path such as NV18, PXB or SYS; None for a word that is no path."""
    return NVLINK if re.fullmatch(r"NV[0-9]+", path) else _LEVEL_OF.get(path)


def tensor_parallel_groups(gpus: Sequence[int], links: Iterable[GpuLink]) -> tuple[Group, ...]:
    """Groups for tensor parallelism, cheapest level first: at each level, as many GPUs together as it allows.

    A level is left out where it joins no more GPUs than the one before.
    """
    paths = {(link.gpu, link.peer): link.path for link in links if link.path and level_of(link.path)}
    found: list[Group] = []
    before: list[tuple[int, ...]] = []
    for rank, level in enumerate(LEVELS):
        near = {pair for pair, path in paths.items() if LEVELS.index(level_of(path) or ACROSS) <= rank}
        groups = [group for group in _cliques(gpus, near) if len(group) > 1]
        if groups and groups != before:
            found += [Group(level, group, _paths(group, paths)) for group in groups if group not in before]
        before = groups
    return tuple(found)


def _cliques(gpus: Sequence[int], near: set[Pair]) -> list[tuple[int, ...]]:
    """GPUs in groups of mutual neighbours, each GPU joining the first group that it fits."""
    groups: list[list[int]] = []
    for gpu in sorted(gpus):
        fitting = (group for group in groups if all((min(gpu, o), max(gpu, o)) in near for o in group))
        group = next(fitting, None)
        if group is None:
            groups.append([gpu])
        else:
            group.append(gpu)
    return [tuple(group) for group in groups]


def _paths(group: tuple[int, ...], paths: Mapping[Pair, str]) -> tuple[str, ...]:
    return tuple(sorted({paths[pair] for pair in combinations(group, 2) if pair in paths}))


def exits(paths: Iterable[GpuNicPath]) -> tuple[Exit, ...]:
    """For each GPU the nearest NIC; of several as near, the one that fewest GPUs have, then the first by name."""
    known: dict[int, dict[str, str]] = {}
    for path in paths:
        if path.path in _ORDER:
            known.setdefault(path.gpu, {})[path.nic] = path.path
    taken: Counter[str] = Counter()
    found = []
    for gpu in sorted(known, key=lambda gpu: (len(_nearest(known[gpu])), gpu)):
        near = _nearest(known[gpu])
        nic = min(near, key=lambda nic: (taken[nic], natural(nic)))
        taken[nic] += 1
        found.append(Exit(gpu, nic, known[gpu][nic], tuple(near)))
    return tuple(sorted(found, key=lambda one: one.gpu))


def unused(paths: Iterable[GpuNicPath]) -> tuple[str, ...]:
    """NICs that are far (SYS) from every GPU while others are near: for management or storage, for no GPU."""
    best: dict[str, int] = {}
    for path in paths:
        if path.path in _ORDER:
            best[path.nic] = min(best.get(path.nic, 9), _ORDER[path.path])
    far = [nic for nic, order in best.items() if order == _ORDER["SYS"]]
    return tuple(sorted(far, key=natural)) if len(far) < len(best) else ()


def _nearest(nics: Mapping[str, str]) -> list[str]:
    least = min(_ORDER[path] for path in nics.values())
    return sorted((nic for nic, path in nics.items() if _ORDER[path] == least), key=natural)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key that puts mlx5_2 before mlx5_10."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", name))
