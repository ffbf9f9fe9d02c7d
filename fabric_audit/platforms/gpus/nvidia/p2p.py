"""``nvidia-smi topo -p2p``: which GPUs may access each other's memory."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import GpuP2p
from fabric_audit.platforms.gpus.nvidia.smi import refusals
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import numbered

_GPU = re.compile(r"GPU([0-9]{1,4})$")
_KNOWN = frozenset({"X", "OK", "CNS", "GNS", "TNS", "NS", "DR", "U"})
_CODE = re.compile(r"[A-Z][A-Z0-9]{0,5}")
_LEGEND = re.compile(r"\s+[A-Z]+\s+= |Legend:$|\s*$")


def _matrix(output: Output, capability: str) -> Iterator[Answer]:
    refused = list(refusals(output, GpuP2p))
    lines = list(numbered(output.stdout))
    start = next((i for i, (_, line) in enumerate(lines) if _header(line)), None)
    if start is None:
        if not refused:
            shown = next(((n, line) for n, line in lines if line), (0, ""))
            raise ParseError(*shown, "the header of a matrix: GPU0 GPU1 ...")
        yield from refused
        return
    columns = _header(lines[start][1])
    rows: dict[int, tuple[int, list[str]]] = {}
    unterminated = lines[-1][0] if lines[-1][1] else 0
    for number, line in lines[start + 1 :]:
        label, *cells = line.split() or [""]
        found = _GPU.fullmatch(label)
        if found and all(_CODE.fullmatch(cell) for cell in cells):
            if len(cells) != len(columns) or number == unterminated:
                raise ParseError(number, line, f"{len(columns)} codes, one for each GPU, and the line's end")
            rows[int(found[1])] = (number, cells)
        elif not _LEGEND.match(line):
            yield Skipped(number, line, "a row of the matrix: GPU0 X OK ...")
    if list(rows) != columns:
        raise ParseError(*lines[start], "the same GPUs as columns and as rows")
    yield from _facts(rows, columns, capability)


def _header(line: str) -> list[int]:
    found = [_GPU.fullmatch(word) for word in line.split()]
    return [int(one[1]) for one in found if one] if found and all(found) and len(line.split()) > 1 else []


def _facts(rows: dict[int, tuple[int, list[str]]], columns: list[int], capability: str) -> Iterator[Answer]:
    for gpu, (number, cells) in rows.items():
        for peer, code in zip(columns, cells, strict=True):
            mirrored = rows[peer][1][columns.index(gpu)]
            if code not in _KNOWN and code != mirrored:
                yield Skipped(number, " ".join(cells), f"a code of the legend for GPU{gpu} and GPU{peer}")
            elif (peer == gpu) != (code == "X"):
                yield Skipped(number, " ".join(cells), f"X for GPU{gpu} itself and for no other")
            elif peer != gpu:
                yield GpuP2p(gpu=gpu, peer=peer, capability=capability, allowed=code == "OK", status=code, line=number)


@section("nvidia-smi-topo-p2p", yields=(GpuP2p,), proven=Provenance.FIELD)
def parse_unnamed(output: Output) -> Iterator[Answer]:
    """The peer-to-peer matrix, handed in without word of which capability it shows.

    Rows and columns are GPUs, ``X`` the GPU itself, else a code: OK, CNS, GNS, TNS, NS, U, since R580 DR (disabled by
    registry key); a code of a later driver is kept as it is and counts as not allowed. GNS is normal on GeForce;
    CNS points to the chipset or a virtual machine; one pair that differs from all others is a fault.

    Source: legend of the command; NVML nvmlGpuP2PStatus_t.
    """
    return _matrix(output, "unnamed")


@section(
    "nvidia-smi-p2p-read",
    Run("nvidia-smi", "topo", "-p2p", "r"),
    yields=(GpuP2p,),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_read(output: Output) -> Iterator[Answer]:
    """Read access between GPUs: the matrix of ``nvidia-smi-topo-p2p``."""
    return _matrix(output, "read")


@section(
    "nvidia-smi-p2p-write",
    Run("nvidia-smi", "topo", "-p2p", "w"),
    yields=(GpuP2p,),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_write(output: Output) -> Iterator[Answer]:
    """Write access between GPUs: the matrix of ``nvidia-smi-topo-p2p``."""
    return _matrix(output, "write")


@section(
    "nvidia-smi-p2p-nvlink",
    Run("nvidia-smi", "topo", "-p2p", "n"),
    yields=(GpuP2p,),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_nvlink(output: Output) -> Iterator[Answer]:
    """Access over NVLink: the matrix of ``nvidia-smi-topo-p2p``."""
    return _matrix(output, "nvlink")


@section(
    "nvidia-smi-p2p-pcie",
    Run("nvidia-smi", "topo", "-p2p", "p"),
    yields=(GpuP2p,),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_pcie(output: Output) -> Iterator[Answer]:
    """Access over PCIe: the matrix of ``nvidia-smi-topo-p2p``."""
    return _matrix(output, "pcie")


@section(
    "nvidia-smi-p2p-atomics",
    Run("nvidia-smi", "topo", "-p2p", "a"),
    yields=(GpuP2p,),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_atomics(output: Output) -> Iterator[Answer]:
    """Atomic operations between GPUs: the matrix of ``nvidia-smi-topo-p2p``."""
    return _matrix(output, "atomics")
