"""Judges the paths between the GPUs of one host against what their model is built for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fabric_audit.analysis.gpu_models import Model, Wiring, healthy_links, model_of
from fabric_audit.facts.gpu import Gpu, GpuLink
from fabric_audit.findings import Finding

Pair = tuple[int, int]
_ASK_MODEL = "nvidia-smi --query-gpu=index,name --format=csv"
_ASK_LINKS = "nvidia-smi nvlink -s"
_REMEDY = (
    f"{_ASK_LINKS} shows which links are down; then the fabric manager's log, Xid 74 and SXid in the kernel's "
    "log; reset the GPU, and if the link stays down, reseat or replace the baseboard's part"
)
_SOURCE = "NVIDIA Fabric Manager User Guide, 'GPU and NVLink errors'"
_MIN_MESH = 3


@dataclass(frozen=True, slots=True)
class Topology:
    """The GPUs of one host and the paths between them; ``path`` says where the matrix lies in a capture."""

    host: str
    gpus: tuple[int, ...]
    links: Mapping[Pair, GpuLink]
    names: Mapping[int, str] = field(default_factory=dict)
    path: str = ""

    @property
    def model(self) -> Model | None:
        """What is known of the GPUs, where all are of one kind."""
        found = {model_of(name) for name in self.names.values()}
        return found.pop() if len(found) == 1 and len(self.names) == len(self.gpus) else None

    @property
    def name(self) -> str:
        """Their product name, or names."""
        return ", ".join(sorted(set(self.names.values())))


def topology(host: str, gpus: Sequence[Gpu], links: Sequence[GpuLink], path: str = "") -> Topology:
    """Put together what several outputs tell of the GPUs of one host; the first to name a model is believed."""
    names: dict[int, str] = {}
    for gpu in gpus:
        if gpu.model:
            names.setdefault(gpu.gpu, gpu.model)
    numbers = sorted({gpu.gpu for gpu in gpus} | {number for link in links for number in (link.gpu, link.peer)})
    pairs = {(link.gpu, link.peer): link for link in links if link.path}
    return Topology(host, tuple(numbers), pairs, names, path)


def judge(found: Topology) -> Iterator[Finding]:
    """One finding for each pair of GPUs that is not as it is built, else one for the host."""
    if len(found.gpus) < 2 or not found.links:  # noqa: PLR2004 - a pair takes two
        return
    model = found.model
    if any(mig for mig in _mig(found)):
        return
    if model is None:
        yield from _without_model(found)
    elif model.wiring is Wiring.MESH:
        yield from _mesh(found, _usual(found, healthy_links(model, len(found.gpus))))
    elif model.wiring is Wiring.CUBE:
        yield from _cube(found, model.links)
    elif model.wiring is Wiring.BRIDGE:
        yield from _bridges(found, model.links)
    else:
        yield _healthy(found, f"{found.name} has no NVLink: its paths over PCIe are what it is built for")


def _mig(_found: Topology) -> Iterator[bool]:
    yield False
