"""``nvidia-smi topo -m``: how GPUs reach each other and the NICs."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import Gpu, GpuLink, GpuNicPath
from fabric_audit.platforms.gpus.nvidia.smi import refusals
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered

PATHS = frozenset({"PIX", "PXB", "PHB", "NODE", "SYS"})
_OLD_NAMES = {"SOC": "SYS"}  # R384 and older: nvidia-smi(1) of that release
_GPU = re.compile(r"GPU([0-9]+)$")
_CELL = re.compile(r"(?!GPU[0-9]|NIC[0-9])(X|[A-Z][A-Z0-9]{1,5})")
_ONE = re.compile(r"X|NV[0-9]+|PIX|PXB|PHB|NODE|SYS|SOC")
_JOINED = re.compile(rf"(?:{_ONE.pattern}){{2,}}")
_NIC_LABEL = re.compile(r"NIC[0-9]+")
_TAIL = re.compile(r"(CPU Affinity|NUMA Affinity|GPU NUMA ID)")
_LEGEND = re.compile(r"\s*(X|SYS|NODE|PHB|PXB|PIX|SOC|NV#|[A-Z#0-9]+)\s+= ")
_NIC_NAME = re.compile(r"\s*(NIC[0-9]+): *(\S+)$")
_AFFINITY = re.compile(r"[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*|N/A|")
_EXPECTED_ROW = "a row of the matrix: a label, then X, NV#, PIX, PXB, PHB, NODE or SYS for every column"


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    text: str
    label: str
    cells: tuple[str, ...]
    tail: str
    """What follows the cells: affinities, still as printed."""

    @property
    def gpu(self) -> int | None:
        found = _GPU.match(self.label)
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class _Matrix:
    columns: tuple[str, ...]
    """Names in the header, GPUs and NICs; NICs without a name are left out."""
    tail_names: tuple[str, ...]
    rows: tuple[_Row, ...]

    @property
    def gpus(self) -> tuple[_Row, ...]:
        return tuple(row for row in self.rows if row.gpu is not None)


@section(
    "nvidia-smi-topo",
    Run("nvidia-smi", "topo", "-m"),
    yields=(Gpu, GpuLink, GpuNicPath),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_topo(output: Output) -> Iterator[Answer]:
    """The topology matrix.

    One row and one column for each GPU and each RDMA device, then affinity columns on the GPU rows:
    ``CPU Affinity`` always, ``NUMA Affinity`` from R450, ``GPU NUMA ID`` from R535. NICs stand under their
    device names (cut to seven characters, or empty, in R450 to R520) or under ``NIC0`` … with a ``NIC Legend:``
    below (from R515). Columns are separated by TABs, in pasted copies by blanks, which wide ones lose here and there
    (``NODENODE``); the header is underlined with ANSI sequences even into a pipe. R384 says SOC for SYS.

    Distances as NVIDIA's legend defines them: PIX at most one PCIe bridge, PXB several, neither through a host
    bridge; PHB one host bridge; NODE several host bridges of one NUMA node; SYS across NUMA nodes; NV# is the
    number of NVLinks that carry the pair, whatever the fabric between them.

    The matrix is square and symmetric; what is not was torn: rows that lack cells refuse the whole text, a pair
    whose two cells differ is left out. In a cgroup-restricted job only the visible GPUs appear, renumbered from
    0. A NIC without a usable name is called ``NIC`` and its position, as newer drivers do. ``NUMA Affinity`` may
    be a list: its first node is the CPU's, the others are GPU memory (Grace).

    Source: nvidia-smi(1), "topo -m"; legend of the command itself.
    """
    refused = list(refusals(output, Gpu, GpuLink, GpuNicPath))
    lines = list(numbered(output.stdout))
    start = next((i for i, (_, line) in enumerate(lines) if _is_header(line)), None)
    if start is None:
        if refused:
            yield from refused
            return
        shown = next(((n, line) for n, line in lines if line), (0, ""))
        raise ParseError(*shown, "the header of a topology matrix: GPU0 GPU1 ...")
    torn_end = lines[-1][0] if lines[-1][1] else 0
    yield from _stray(lines[:start])
    end = next((i for i in range(start + 1, len(lines)) if not lines[i][1]), len(lines))
    stray: list[Skipped] = []
    matrix = _matrix(lines[start], lines[start + 1 : end], stray)
    names: dict[str, str] = {}
    stray += _legend(lines[end:], names, torn_end)
    yield from stray
    yield from _affinities(matrix, torn_end)
    yield from _gpu_links(matrix)
    yield from _nic_paths(matrix, names)


def _is_header(line: str) -> bool:
    words = line.split()
    return bool(words) and bool(_GPU.match(words[0])) and not any(word in PATHS or word == "X" for word in words)


def _stray(lines: list[tuple[int, str]]) -> Iterator[Skipped]:
    for number, line in lines:
        if line and "nvidia-smi" not in line:  # a pasted prompt with the command is no news
            yield Skipped(number, line, "the header of a topology matrix")


def _matrix(header: tuple[int, str], body: list[tuple[int, str]], stray: list[Skipped]) -> _Matrix:
    tail_at = _TAIL.search(header[1])
    head, tail = (header[1][: tail_at.start()], header[1][tail_at.start() :]) if tail_at else (header[1], "")
    tail_names = tuple(re.split(r"\s*\t\s*| {2,}", tail.strip())) if tail else ()
    if tail:
        tail_names = tuple(name for part in tail_names for name in _TAIL.findall(part) or [part])
    rows = []
    for number, line in body:
        row = _row(number, line)
        if row:
            rows.append(row)
        else:
            stray.append(Skipped(number, line, _EXPECTED_ROW))
    matrix = _Matrix(tuple(head.split()), tail_names, tuple(rows))
    _refuse_torn(header, matrix)
    return matrix


def _row(number: int, line: str) -> _Row | None:
    words = list(re.finditer(r"\S+", line))
    label = words.pop(0)[0] if words and not _CELL.fullmatch(words[0][0]) else ""
    cells = []
    end = 0
    for word in words:
        run_together = _ONE.findall(word[0]) if _JOINED.fullmatch(word[0]) else []
        if not run_together and not _CELL.fullmatch(word[0]):
            break
        cells += [_OLD_NAMES.get(cell, cell) for cell in run_together or (word[0],)]
        end = word.end()
    if not any(cell == "X" or cell in PATHS or cell.startswith("NV") for cell in cells):
        return None
    return _Row(number, line, label, tuple(cells), line[end:])


def _refuse_torn(header: tuple[int, str], matrix: _Matrix) -> None:
    gpu_columns = [name for name in matrix.columns if _GPU.match(name)]
    if not matrix.rows:
        raise ParseError(*header, "rows below the header of the matrix")
    width = len(matrix.rows)
    for place, row in enumerate(matrix.rows):
        if len(row.cells) != width or row.cells[place] != "X" or row.cells.count("X") != 1:
            raise ParseError(row.line, row.text, f"{width} cells, with X in place {place + 1}: one for each row")
    if [row.label for row in matrix.gpus] != gpu_columns or len(matrix.columns) > width:
        raise ParseError(*header, "the same GPUs and NICs as columns and as rows")
    if width > 1 and not any(cell in PATHS or cell.startswith("NV") for row in matrix.rows for cell in row.cells):
        raise ParseError(*header, "distances: NV#, PIX, PXB, PHB, NODE or SYS")
    if any(row.gpu is None for row in matrix.rows[: len(gpu_columns)]):
        raise ParseError(*header, "the GPUs before the NICs")


def _legend(lines: list[tuple[int, str]], names: dict[str, str], torn_end: int) -> Iterator[Skipped]:
    for number, line in lines:
        if not line or line.strip() in ("Legend:", "NIC Legend:") or _LEGEND.match(line):
            continue
        found = _NIC_NAME.match(line)
        if found and number != torn_end:
            names[found[1]] = found[2]
        elif found:
            yield Skipped(number, line, "the end of the line: a name that is cut looks like another NIC's")
        elif _is_header(line):
            raise ParseError(number, line, "one matrix only")
        else:
            yield Skipped(number, line, "the legend")


def _affinities(matrix: _Matrix, torn_end: int) -> Iterator[Answer]:
    tails = [_tail_values(matrix.tail_names, row.tail) for row in matrix.gpus]
    longest = max(map(len, tails))
    for row, tail in zip(matrix.gpus, tails, strict=True):
        if row.gpu is None:
            continue
        short = len(tail) < longest or row.line == torn_end
        if (short and tail) or not all(_AFFINITY.fullmatch(value) for value in tail.values()):
            yield Skipped(row.line, row.text, "the end of the line: an affinity that is cut looks like another")
            yield Gpu(gpu=row.gpu, line=row.line)
            continue
        told = {name: value for name, value in tail.items() if value and value != "N/A"}
        numa = told.get("NUMA Affinity")
        memory = told.get("GPU NUMA ID")
        yield Gpu(
            gpu=row.gpu,
            cpu_affinity=told.get("CPU Affinity"),
            numa_affinity=numa,
            numa_node=_first_number(numa),
            memory_numa_node=_first_number(memory),
            line=row.line,
        )


def _tail_values(names: tuple[str, ...], tail: str) -> dict[str, str]:
    """Affinities by column name, as printed; none where the columns cannot be told apart."""
    words = tail.split()
    if len(words) != len(names):
        words = [part.strip() for part in tail.split("\t")][1 : len(names) + 1] if "\t" in tail else []
    return dict(zip(names, words, strict=False))


def _first_number(text: str | None) -> int | None:
    found = re.match(r"[0-9]{1,9}(?![^,-])", text or "")
    return int(found[0]) if found else None


def _gpu_links(matrix: _Matrix) -> Iterator[Answer]:
    gpus = matrix.gpus
    for place, row in enumerate(gpus):
        for other_place in range(place + 1, len(gpus)):
            other = gpus[other_place]
            path = row.cells[other_place]
            bad = _doubt(path, other.cells[place])
            if bad:
                yield Skipped(row.line, row.text, f"{bad} for {row.label} and {other.label}")
            elif row.gpu is not None and other.gpu is not None:
                links = int(path[2:]) if path.startswith("NV") else 0
                low, high = sorted((row.gpu, other.gpu))
                yield GpuLink(gpu=low, peer=high, path=path, nvlinks=links, line=row.line)


def _nic_paths(matrix: _Matrix, names: dict[str, str]) -> Iterator[Answer]:
    gpus = matrix.gpus
    nics = _nic_names(matrix, names)
    if any(not name for name in nics):
        yield Missing(GpuNicPath.TABLE, Why.NOT_SUPPORTED, "this driver prints NIC names cut or empty", "nic")
    elif any(_NIC_LABEL.fullmatch(name) for name in nics):
        yield Missing(GpuNicPath.TABLE, Why.NOT_COLLECTED, "the NIC legend is not in the text", "nic")
    for row in gpus:
        for number, nic in enumerate(nics):
            place = len(gpus) + number
            path = row.cells[place]
            bad = _doubt(path, matrix.rows[place].cells[row.cells.index("X")])
            if bad:
                yield Skipped(row.line, row.text, f"{bad} for {row.label} and {nic or f'NIC{number}'}")
            elif row.gpu is not None:
                yield GpuNicPath(gpu=row.gpu, nic=nic or f"NIC{number}", path=path, line=row.line)


def _doubt(cell: str, mirrored: str) -> str:
    """What is wrong with a cell and the cell that says the same thing from the other side."""
    if cell != mirrored:
        return f"the same in both directions (one says {cell}, the other {mirrored})"
    if cell not in PATHS and not re.fullmatch(r"NV[1-9][0-9]*", cell):
        return f"NV#, PIX, PXB, PHB, NODE or SYS (not {cell})"
    return ""


def _nic_names(matrix: _Matrix, legend: dict[str, str]) -> list[str]:
    """A name for each NIC in the order of columns; empty where the text has none that is its own."""
    count = len(matrix.rows) - len(matrix.gpus)
    header = [name for name in matrix.columns if not _GPU.match(name)]
    labels = [row.label for row in matrix.rows if row.gpu is None]
    printed = header if len(header) == count else labels
    named = [legend.get(label, label) for label in printed]
    seen = Counter(named)
    return [name if name and seen[name] == 1 else "" for name in named]
