"""The switch ports that a NIC's traffic crosses, in order of distance."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

End: TypeAlias = tuple[str, str]
"""(target, port)"""


@dataclass(frozen=True, slots=True)
class Step:
    """One cable between two switches, crossed from ``near`` to ``far``; ``hop`` counts switches from the NIC's own."""

    hop: int
    near: End
    far: End


@dataclass(frozen=True, slots=True)
class Paths:
    """Cables between switches, by the switch they leave from, and the far end of every other cable."""

    between: Mapping[str, tuple[tuple[End, End], ...]]
    opposite: Mapping[End, End]

    def beyond(self, switch: str) -> tuple[Step, ...]:
        """Every cable that traffic entering the fabric at a switch can cross, nearest first, each in one direction."""
        steps: list[Step] = []
        hops = {switch: 1}
        waiting = deque([switch])
        while waiting:
            here = waiting.popleft()
            for near, far in self.between.get(here, ()):
                if far[0] not in hops:
                    hops[far[0]] = hops[here] + 1
                    waiting.append(far[0])
                if hops[far[0]] > hops[here]:
                    steps.append(Step(hops[here], near, far))
        return tuple(steps)


def fabric_paths(links: Iterable[Any]) -> Paths:
    """Paths over resolved links: rows with ``a_target``, ``a_port``, ``b_target``, ``b_port`` and ``role``."""
    between: dict[str, list[tuple[End, End]]] = {}
    opposite: dict[End, End] = {}
    for link in links:
        a, b = (link.a_target, link.a_port), (link.b_target, link.b_port)
        opposite[a], opposite[b] = b, a
        if link.role == "fabric":
            between.setdefault(a[0], []).append((a, b))
            between.setdefault(b[0], []).append((b, a))
    return Paths({name: tuple(sorted(ends)) for name, ends in between.items()}, opposite)
