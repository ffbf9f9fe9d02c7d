"""The hybrid cube mesh of eight GPUs, as in a DGX-1: which links a matrix lacks, whatever numbers the GPUs have."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from fabric_audit.analysis.gpu_models import DGX_1V

Pair = tuple[int, int]
_FEWEST = 3  # two GPUs are a pair, not a part of a mesh


def missing_links(gpus: Sequence[int], links: Mapping[Pair, int]) -> dict[Pair, int] | None:
    """Pairs that have fewer links than in a cube mesh, with the number they ought to have.

    Boards number their GPUs differently and a job may see some of them only: the GPUs are laid onto the mesh in the
    way that leaves the fewest links missing, their own numbering first.

    Returns:
        empty when the links are those of (a part of) a cube mesh; None when they fit it in no way.
    """
    if not _FEWEST <= len(gpus) <= len(DGX_1V):
        return None
    if not any(links.values()):
        return {
            (one, other): DGX_1V[one][other] for one, other in combinations(gpus, 2) if other in DGX_1V.get(one, {})
        }
    search = _Search(tuple(gpus), links)
    search.place({}, 0)
    return search.best


class _Search:
    """Tries the ways to lay GPUs onto the mesh, giving up on a way once it lacks more than the best."""

    def __init__(self, gpus: tuple[int, ...], links: Mapping[Pair, int]) -> None:
        self._gpus = gpus
        self._links = links
        self.best: dict[Pair, int] | None = None
        self._least = sum(links.values()) + 1  # a fit that lacks more than there is explains nothing

    def place(self, places: dict[int, int], lacking: int) -> None:
        """Lay the next GPU onto each free place in turn."""
        if lacking >= self._least:
            return
        if len(places) == len(self._gpus):
            self._least = lacking
            self.best = self._missing(places)
            return
        gpu = self._gpus[len(places)]
        free = [place for place in DGX_1V if place not in places.values()]
        for place in sorted(free, key=lambda place: place != gpu):
            more = self._lacks(gpu, place, places)
            if more is not None:
                self.place({**places, gpu: place}, lacking + more)

    def _lacks(self, gpu: int, place: int, places: Mapping[int, int]) -> int | None:
        """Links that the GPU lacks in this place; None if it has more than the mesh."""
        lacking = 0
        for other, its_place in places.items():
            difference = DGX_1V[place].get(its_place, 0) - self._count(gpu, other)
            if difference < 0:
                return None
            lacking += difference
        return lacking

    def _count(self, one: int, other: int) -> int:
        return self._links.get((min(one, other), max(one, other)), 0)

    def _missing(self, places: Mapping[int, int]) -> dict[Pair, int]:
        found = {}
        for one in self._gpus:
            for other in self._gpus:
                expected = DGX_1V[places[one]].get(places[other], 0)
                if one < other and self._count(one, other) < expected:
                    found[one, other] = expected
        return found
