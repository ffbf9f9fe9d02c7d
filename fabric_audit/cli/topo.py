"""``fabric-audit topo``: a GPU topology matrix, judged and put to use."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from fabric_audit.cli._telling import code_of, console, explaining, facts_of, tell, text_of

if TYPE_CHECKING:
    from rich.console import Console

    from fabric_audit.analysis.gpu_topology import Topology
    from fabric_audit.facts.gpu import Gpu, GpuLink, GpuNicPath

_COMMAND = "nvidia-smi topo -m | fabric-audit topo"
_COLOURS = {"NV": "bold green", "PIX": "green", "PXB": "cyan", "PHB": "yellow", "NODE": "yellow", "SYS": "red"}
_CELL = 7  # columns of the widest cell and its margin
_NAMES = 6


@click.command()
@click.argument("file", default="-")
@click.option("--model", metavar="NAME", help="GPU model, such as 'NVIDIA H100 80GB HBM3': decides what is normal.")
@click.option("--gpus", metavar="FILE", help="Output of nvidia-smi --query-gpu=index,name --format=csv instead.")
@explaining
def command(file: str, model: str | None, gpus: str | None) -> int:
    """Explain a GPU topology: broken NVLinks, who may work with whom, which NIC each GPU should leave by.

    FILE is the output of nvidia-smi topo -m; - or nothing is stdin. Without the model, a matrix that shows no NVLink
    is undecidable: a PCIe card has none, a dead fabric shows none.
    """
    from fabric_audit.analysis.gpu_topology import judge, topology
    from fabric_audit.facts.gpu import Gpu, GpuLink, GpuNicPath
    from fabric_audit.platforms.gpus.nvidia.topo import parse_topo

    facts = facts_of(parse_topo, text_of(file, _COMMAND), file)
    seen = [fact for fact in facts if isinstance(fact, Gpu)]
    links = [fact for fact in facts if isinstance(fact, GpuLink)]
    paths = [fact for fact in facts if isinstance(fact, GpuNicPath)]
    found = topology("host", [*seen, *_named(seen, model, gpus)], links, file if file != "-" else "")
    findings = list(judge(found))
    out = console()
    _draw(out, found, paths)
    tell(out, findings)
    _groups(out, found.gpus, links)
    _exits(out, found, paths)
    return code_of(findings)


def _named(seen: "Sequence[Gpu]", model: str | None, file: str | None) -> "list[Gpu]":
    from fabric_audit.facts.gpu import Gpu
    from fabric_audit.platforms.gpus.nvidia.identity import parse_gpus

    if file:
        listed = facts_of(parse_gpus, text_of(file, "nvidia-smi --query-gpu=index,name --format=csv"), file)
        return [fact for fact in listed if isinstance(fact, Gpu)]
    return [Gpu(gpu=gpu.gpu, model=model) for gpu in seen] if model else []


def _draw(out: "Console", found: "Topology", paths: "Sequence[GpuNicPath]") -> None:
    from rich.table import Table
    from rich.text import Text

    nics = list(dict.fromkeys(path.nic for path in paths))
    fits = _NAMES + sum(max(_CELL, len(nic) + 2) for nic in nics) + _CELL * len(found.gpus) <= out.width
    nics = nics if fits else []
    by_pair = {(path.gpu, path.nic): path.path for path in paths}
    grid = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("", *(f"GPU{gpu}" for gpu in found.gpus), *nics):
        grid.add_column(name, no_wrap=True)
    for gpu in found.gpus:
        cells = [_between(found, gpu, other) for other in found.gpus]
        cells += [by_pair.get((gpu, nic)) or "?" for nic in nics]
        grid.add_row(Text(f"GPU{gpu}", "bold"), *(Text(cell, _colour(cell)) for cell in cells))
    out.print(grid)
    out.print()


def _between(found: "Topology", gpu: int, other: int) -> str:
    link = found.links.get((min(gpu, other), max(gpu, other)))
    return "X" if gpu == other else (link.path if link and link.path else "?")


def _colour(cell: str) -> str:
    return _COLOURS.get(cell, _COLOURS["NV"] if cell.startswith("NV") else "dim")


def _groups(out: "Console", gpus: Sequence[int], links: "Iterable[GpuLink]") -> None:
    from rich.text import Text

    from fabric_audit.analysis.placement import tensor_parallel_groups

    groups = tensor_parallel_groups(gpus, links)
    if groups:
        out.print("\n[bold]GPUs for one tensor-parallel group, cheapest first[/bold]")
    for group in groups:
        names = " ".join(f"GPU{gpu}" for gpu in group.gpus)
        out.print(Text(f"  {group.level:18}", _colour(group.paths[0])).append(f"{names}  ({', '.join(group.paths)})"))


def _exits(out: "Console", found: "Topology", paths: "Sequence[GpuNicPath]") -> None:
    from rich.text import Text

    from fabric_audit.analysis.placement import exits, unused

    leave = exits(paths)
    if not leave:
        return
    grace = found.model is not None and found.model.grace
    out.print("\n[bold]The NIC to leave by[/bold]")
    for one in leave:
        others = [nic for nic in one.equals if nic != one.nic]
        as_near = f"  (as near: {', '.join(others)})" if others else ""
        out.print(Text(f"  GPU{one.gpu:<4}{one.nic:14}", "default").append(one.path, _colour(one.path)).append(as_near))
    for nic in unused(paths):
        out.print(f"  {nic} is far from every GPU: for storage or management, for no GPU")
    worst = {one.path for one in leave} & {"PHB", "NODE", "SYS"}
    if worst and grace:
        out.print("  SYS is normal here: the NICs hang off the Grace CPU, and NCCL reaches them over C2C")
    elif worst:
        levels = " and ".join(sorted(worst))
        needed = "SYS" if "SYS" in worst else "PHB"
        out.print(
            f"  {levels} cross a host bridge: NCCL uses GPUDirect RDMA there only with NCCL_NET_GDR_LEVEL={needed} "
            "(NODE counts as PHB); measure before you set it"
        )
