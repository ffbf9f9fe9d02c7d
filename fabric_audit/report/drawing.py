"""The fabric as a drawing: switches by layer, hosts below, cables with a fault marked, and who paused whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from fabric_audit.facts.counters import CounterClass
from fabric_audit.findings import Audit, Verdict
from fabric_audit.report.moved import Moved
from fabric_audit.report.subjects import targets

if TYPE_CHECKING:
    import pandas as pd

End: TypeAlias = tuple[str, str]
MOST_HOSTS = 32
"""Hosts drawn one by one; of a larger fabric only those with a fault are."""
WIDTH, LAYER = 960, 130
_ROLES = ("superspine", "core", "spine", "leaf")
_MOST_PAUSES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One box."""

    name: str
    x: float
    y: float
    bad: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """All cables between two boxes."""

    x1: float
    y1: float
    x2: float
    y2: float
    count: int
    bad: tuple[str, ...]
    """Ports on them that a finding blames."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """One port that stopped its neighbour; ``begins`` where nobody stopped that target in turn."""

    target: str
    port: str
    peer: str
    growth: int
    unit: str
    begins: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Everything that is drawn."""

    nodes: tuple[Node, ...]
    cables: tuple[Cable, ...]
    height: int
    left_out: str


def drawing(audit: Audit, target: "pd.DataFrame", link: "pd.DataFrame") -> Drawing:
    """Layers from the top: roles of switches, then hosts."""
    bad = blamed(audit)
    bad_targets = {end[0] for end in bad}
    layers, left_out = _layers(target, bad_targets)
    nodes = {
        name: Node(name=name, x=WIDTH * (at + 0.5) / len(layer), y=30 + LAYER * depth, bad=name in bad_targets)
        for depth, layer in enumerate(layers)
        for at, name in enumerate(layer)
    }
    return Drawing(
        nodes=tuple(nodes.values()),
        cables=tuple(_cables(nodes, link, bad)),
        height=60 + LAYER * max(0, len(layers) - 1),
        left_out=left_out,
    )


def blamed(audit: Audit) -> set[End]:
    """Targets with the ports that a failing finding names as its cause; the port is empty for a whole target."""
    failing = (f for f in audit.findings if f.verdict is Verdict.FAIL and not f.explained_by)
    return {(f.subject[0], f.subject[1] if len(f.subject) > 1 else "") for f in failing}


def _layers(target: "pd.DataFrame", bad: set[str]) -> tuple[list[list[str]], str]:
    columns = (target[name].astype("string").fillna("") for name in ("target", "kind", "role"))
    rows = sorted(zip(*columns, strict=True))
    switches = [(name, role) for name, kind, role in rows if kind == "switch"]
    roles = [*_ROLES, *sorted({role for _, role in switches} - set(_ROLES))]
    layers = [[name for name, own in switches if own == role] for role in roles]
    hosts = [name for name, kind, _ in rows if kind == "host"]
    shown = hosts if len(hosts) <= MOST_HOSTS else [name for name in hosts if name in bad][:MOST_HOSTS]
    left_out = [name for name in hosts if name not in set(shown)]
    return [layer for layer in (*layers, shown) if layer], targets(left_out) if left_out else ""


def _cables(nodes: Mapping[str, Node], link: "pd.DataFrame", bad: set[End]) -> Iterable[Cable]:
    groups: dict[tuple[str, str], list[tuple[End, End]]] = {}
    columns = (link[name] for name in ("a_target", "a_port", "b_target", "b_port"))
    for a_target, a_port, b_target, b_port in zip(*columns, strict=True):
        if a_target in nodes and b_target in nodes:
            groups.setdefault((a_target, b_target), []).append(((a_target, a_port), (b_target, b_port)))
    for (a, b), links in sorted(groups.items()):
        ports = tuple(" ".join(end) for ends in links for end in ends if end in bad)
        yield Cable(x1=nodes[a].x, y1=nodes[a].y, x2=nodes[b].x, y2=nodes[b].y, count=len(links), bad=ports)


def pauses(moved: Sequence[Moved], link: "pd.DataFrame") -> tuple[Pause, ...]:
    """Who paused whom, from the sources of congestion outwards."""
    far: dict[End, End] = {}
    for a, ap, b, bp in zip(*(link[n] for n in ("a_target", "a_port", "b_target", "b_port")), strict=True):
        far[a, ap], far[b, bp] = (b, bp), (a, ap)
    sent = [one for one in moved if one.counter_class is CounterClass.PAUSE_SENT]
    stopped = {far[one.target, one.port][0] for one in sent if (one.target, one.port) in far}
    found = [
        Pause(
            target=one.target,
            port=one.port,
            peer=" ".join(far.get((one.target, one.port), ("its neighbour, which is not known",))),
            growth=one.growth,
            unit=one.unit,
            begins=one.target not in stopped,
        )
        for one in sent
    ]
    return tuple(sorted(found, key=lambda one: (not one.begins, -one.growth, one.target, one.port)))[:_MOST_PAUSES]
