"""Hosts of one model have the same shape: GPUs, NICs, and the distances between them.

Why: a job is placed by rank, and ranks expect every host alike. A host whose NICs are numbered in another order, or
that has a card in another slot, sends GPU 3's traffic by a far NIC and another rail: the job runs, at its speed.

Fix: put the card into the slot it has on the other hosts; give the NICs names that do not depend on the order in which
they are found (udev rules, by PCI address).

Source: each host's matrix of `nvidia-smi topo -m` against what most hosts of its model show; NVIDIA/nccl issue 1277
(NIC names that differ between hosts hang a job).
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.analysis.majority import usual
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS
RESTS_ON = ("gpu_nic_path",)
Shape: TypeAlias = frozenset[tuple[str, str, str]]
"""(GPU, GPU or NIC, path) of every pair."""


def check(gpu_link: "pd.DataFrame", gpu_nic_path: "pd.DataFrame", target: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a host with GPUs."""
    paths: dict[str, set[tuple[str, str, str]]] = {}
    places: dict[str, Any] = {}
    for row in rows(gpu_link):
        paths.setdefault(row.target, set()).add((f"GPU{row.gpu}", f"GPU{row.peer}", row.path or "unknown"))
    for row in rows(gpu_nic_path):
        paths.setdefault(row.target, set()).add((f"GPU{row.gpu}", row.nic, row.path or "unknown"))
        places.setdefault(row.target, row)
    models: dict[str | None, list[str]] = {}
    for host in rows(target, kind="host"):
        if host.gpus != 0:
            models.setdefault(host.model, []).append(host.target)
    for names in models.values():
        shapes = {name: frozenset(paths[name]) for name in names if name in paths}
        common = usual(shapes.values())
        if common is None and shapes:
            yield _undecided(shapes, places)
        for name in names:
            if common is not None or name not in shapes:
                yield _judged(name, shapes.get(name), common or frozenset(), places.get(name), alone=len(names) == 1)


def _undecided(shapes: Mapping[str, Shape], places: Mapping[str, Any]) -> Finding:
    """Hosts that differ, none of them the odd one."""
    one, *others = sorted(shapes)
    other = next(name for name in others if shapes[name] != shapes[one])
    differs = sorted(shapes[one] ^ shapes[other])[:3]
    words = ", ".join(f"{a} to {b} {path}" for a, b, path in differs)
    return Finding(
        verdict=Verdict.FAIL,
        subject=tuple(sorted(shapes)[:4]),
        message=f"{len(shapes)} hosts of one model differ in shape, and no shape is the usual one: {words}",
        expected="one shape",
        observed=words,
        remedy="see which cards are in another slot, or named otherwise",
        reproduce="nvidia-smi topo -m",
        evidence=evidence(places.get(one), places.get(other)),
    )


def _judged(name: str, shape: Shape | None, common: Shape, place: Any, *, alone: bool) -> Finding:
    if alone:
        return skipped((name,), "no other host of its model to compare it with")
    if shape is None:
        return unknown((name,), "how its GPUs and NICs reach each other is not known")
    other, missing = sorted(shape - common), sorted(common - shape)
    shown = ", ".join(f"{a} to {b} {path}" for a, b, path in (other or missing)[:3])
    more = f" and {len(other or missing) - 3} more" if len(other or missing) > 3 else ""  # noqa: PLR2004 - shown are three
    words = f"{shown}{more}" if other else f"has no {shown}{more}"
    return Finding(
        verdict=Verdict.FAIL if other or missing else Verdict.PASS,
        subject=(name,),
        message=f"is of another shape than its model: {words}" if other or missing else "has the shape of its model",
        expected=", ".join(f"{a} to {b} {path}" for a, b, path in missing[:3]) or "the shape of its model",
        observed=shown or "the same",
        remedy="see which card is in another slot, or named otherwise" if other or missing else "",
        reproduce="nvidia-smi topo -m",
        evidence=evidence(place),
    )
