"""Judges the paths between the GPUs of one host against what their model is built for."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from fabric_audit.analysis.cube_mesh import Pair, missing_links
from fabric_audit.analysis.gpu_models import Model, Wiring, healthy_links, model_of
from fabric_audit.facts.gpu import Gpu, GpuLink
from fabric_audit.findings import Evidence, Finding, Verdict

ASK_MODEL = "nvidia-smi --query-gpu=index,name --format=csv"
ASK_LINKS = "nvidia-smi nvlink -s"
_REMEDY = (
    f"see which links are down ({ASK_LINKS}); look for Xid 74 and SXid in the kernel's log and for errors in "
    "/var/log/fabricmanager.log; reset the GPU, and if the link stays down, have the baseboard serviced"
)
_SOURCE = "NVIDIA Fabric Manager User Guide, 'GPU and NVLink errors'"
_COUNTS_SEEN = frozenset({1, 2, 3, 4, 6, 8, 12, 18})  # links that some healthy pair of some model shows
_MESH_COUNTS = frozenset({4, 6, 8, 12, 18})  # those of them that all pairs of a board show alike
_FEW = 2


@dataclass(frozen=True, slots=True)
class Topology:
    """The GPUs of one host and the paths between them."""

    host: str
    gpus: tuple[int, ...]
    links: Mapping[Pair, GpuLink]
    names: Mapping[int, str] = field(default_factory=dict)
    mig: bool = False
    path: str = ""
    """Where the matrix lies in a capture."""

    @property
    def model(self) -> Model | None:
        """What is known of the GPUs, where all are of one kind."""
        found = {model_of(name) for name in self.names.values()}
        return found.pop() if len(found) == 1 and len(self.names) == len(self.gpus) else None

    @property
    def name(self) -> str:
        """Their product name, or names."""
        return ", ".join(sorted(set(self.names.values())))

    def nvlinks(self, pair: Pair) -> int:
        """NVLinks between two GPUs."""
        link = self.links.get(pair)
        return (link.nvlinks or 0) if link else 0

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Pairs whose path is known."""
        return tuple(pair for pair in combinations(self.gpus, 2) if pair in self.links)


def topology(host: str, gpus: Iterable[Gpu], links: Iterable[GpuLink], path: str = "") -> Topology:
    """Put together what several outputs tell of the GPUs of one host; the first to name a model is believed.

    A path from the PCI tree alone says nothing of NVLink, and is no link here.
    """
    gpus, links = list(gpus), list(links)
    names: dict[int, str] = {}
    for gpu in gpus:
        if gpu.model:
            names.setdefault(gpu.gpu, gpu.model)
    numbers = {gpu.gpu for gpu in gpus} | {number for link in links for number in (link.gpu, link.peer)}
    return Topology(
        host=host,
        gpus=tuple(sorted(numbers)),
        links={(link.gpu, link.peer): link for link in links if link.path and link.nvlinks is not None},
        names=names,
        mig=any(gpu.mig for gpu in gpus),
        path=path,
    )


def judge(found: Topology) -> Iterator[Finding]:
    """One finding for each pair of GPUs that is not as it is built; one for the host where none is."""
    if not found.pairs:
        return
    findings = list(_judged(found))
    yield from findings or [_passed(found, f"{len(found.pairs)} of {len(found.pairs)} pairs as built")]


def _judged(found: Topology) -> Iterator[Finding]:
    model = found.model
    if found.mig:
        yield _open(found, "multi-instance mode is on: the matrix says nothing of peer access", "nvidia-smi -L")
    elif model is None:
        yield from _without_model(found)
    elif model.wiring is Wiring.MESH:
        yield from _mesh(found, _usual(found, healthy_links(model, len(found.gpus))), f"{found.name} is built so")
    elif model.wiring is Wiring.CUBE:
        yield from _cube(found, model.links)
    elif model.wiring is Wiring.BRIDGE:
        yield from _bridges(found, model.links)


def _usual(found: Topology, allowed: Sequence[int]) -> int:
    """The allowed number of links that most pairs show."""
    seen = Counter(found.nvlinks(pair) for pair in found.pairs)
    return max(allowed, key=lambda count: (seen[count], -allowed.index(count)))


def _mesh(found: Topology, links: int, why: str) -> Iterator[Finding]:
    bad = [pair for pair in found.pairs if found.nvlinks(pair) < links]
    shared = _shared_by_all(found, bad)
    for pair in bad:
        culprit = next((gpu for gpu in pair if gpu in shared), None)
        blame = "" if culprit is None else f"; all pairs of GPU{culprit} are affected: GPU{culprit} is the cause"
        yield _degraded(found, pair, links, why, blame)


def _shared_by_all(found: Topology, bad: Sequence[Pair]) -> frozenset[int]:
    """GPUs of which every pair is bad, unless that is so for all."""
    of = {gpu: [pair for pair in found.pairs if gpu in pair] for gpu in found.gpus}
    shared = frozenset(gpu for gpu, pairs in of.items() if len(pairs) > 1 and all(pair in bad for pair in pairs))
    return shared if len(shared) < len(found.gpus) else frozenset()


def _cube(found: Topology, allowed: Sequence[int]) -> Iterator[Finding]:
    links = {pair: found.nvlinks(pair) for pair in found.pairs}
    degrees = Counter(dict.fromkeys(found.gpus, 0))
    for (one, other), count in links.items():
        degrees.update({one: count, other: count})
    if len(set(degrees.values())) == 1 and degrees[found.gpus[0]] in allowed:
        return
    missing = missing_links(found.gpus, links)
    if missing is None:
        words = (
            f"links of each GPU ({', '.join(f'GPU{g}: {degrees[g]}' for g in found.gpus)}) fit no board that is known"
        )
        yield _open(found, words, ASK_LINKS)
        return
    yield from _lacking(found, missing)


def _lacking(found: Topology, missing: Mapping[Pair, int]) -> Iterator[Finding]:
    for pair, expected in missing.items():
        if pair in found.links:
            yield _degraded(found, pair, expected, "a hybrid cube mesh (DGX-1) is built so", "")


def _bridges(found: Topology, allowed: Sequence[int]) -> Iterator[Finding]:
    bridged = [pair for pair in found.pairs if found.nvlinks(pair)]
    for pair in bridged:
        if found.nvlinks(pair) < min(allowed):
            yield _degraded(
                found, pair, min(allowed), f"a bridged pair of {found.name} has them", "; a bridge is loose or missing"
            )
    alone = [gpu for gpu in found.gpus if not any(gpu in pair for pair in bridged)]
    if bridged and len(alone) >= _FEW:
        cards = ", ".join(f"GPU{gpu}" for gpu in alone)
        yield _open(found, f"{cards} have no bridge while other cards have: missing, or not working", ASK_LINKS)


def _without_model(found: Topology) -> Iterator[Finding]:
    counts = Counter(count for pair in found.pairs if (count := found.nvlinks(pair)))
    if _cards_only(found):
        return
    if not counts:
        words = "no NVLink in the matrix: normal for PCIe cards, a dead fabric for SXM modules"
        yield _open(found, words, ASK_MODEL)
        return
    missing = missing_links(found.gpus, {pair: found.nvlinks(pair) for pair in found.pairs})
    if missing is not None:
        yield from _lacking(found, missing)
        return
    # A fault only takes links away: the most that any pair has is what the board was built with.
    built = counts.keys() & _MESH_COUNTS
    usual = max(built) if built else counts.most_common(1)[0][0]
    peers = Counter(gpu for pair in found.pairs if found.nvlinks(pair) for gpu in pair)
    if usual not in _COUNTS_SEEN:
        yield _open(found, f"NV{usual} between most GPUs: no known model has so many links", ASK_MODEL)
    elif max(peers.values()) == 1:
        return  # bridged pairs: who has a bridge is a matter of what was bought
    elif 2 * sum(counts.values()) >= len(found.pairs):
        yield from _mesh(found, usual, "the other pairs of this host have it")
    else:
        yield _open(found, "NVLink between fewer than half of the pairs", ASK_MODEL)


def _cards_only(found: Topology) -> bool:
    """Whether all GPUs are PCIe cards, of one model or several."""
    models = [model_of(found.names.get(gpu)) for gpu in found.gpus]
    return all(model is not None and model.wiring in (Wiring.NONE, Wiring.BRIDGE) for model in models)


def _degraded(found: Topology, pair: Pair, links: int, why: str, blame: str) -> Finding:
    link = found.links[pair]
    one, other = pair
    have = found.nvlinks(pair)
    words = f"{have} of {links} NVLinks are up" if have else f"no NVLink is up, traffic takes {link.path}"
    return Finding(
        verdict=Verdict.FAIL,
        subject=(found.host, f"GPU{one}-GPU{other}"),
        message=f"GPU{one} and GPU{other}: {words}{blame}",
        expected=f"NV{links} ({why})",
        observed=link.path or "",
        remedy=_REMEDY,
        remedy_source=_SOURCE,
        evidence=(Evidence(found.path, link.line or 0),) if found.path else (),
        reproduce="nvidia-smi topo -m",
    )


def _open(found: Topology, words: str, command: str) -> Finding:
    return Finding(
        verdict=Verdict.UNKNOWN,
        subject=(found.host, "GPUs"),
        message=f"{words}; {command} decides",
        observed=", ".join(sorted({link.path or "" for link in found.links.values()})),
        evidence=(Evidence(found.path),) if found.path else (),
        reproduce=command,
    )


def _passed(found: Topology, words: str) -> Finding:
    seen = Counter(link.path for link in found.links.values())
    return Finding(
        verdict=Verdict.PASS,
        subject=(found.host, "GPUs"),
        message=words,
        observed=", ".join(f"{count}x {path}" for path, count in seen.most_common()),
        evidence=(Evidence(found.path),) if found.path else (),
        reproduce="nvidia-smi topo -m",
    )
