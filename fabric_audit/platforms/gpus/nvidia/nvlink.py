"""``nvidia-smi nvlink``: links up or down, and their errors."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import GpuNvlink, GpuNvlinkCounter, GpuNvlinks
from fabric_audit.platforms.gpus.nvidia.smi import refusals
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered, torn, whole

_GPU = re.compile(r"GPU ([0-9]{1,4}): (.+) \(UUID: ([^)]+)\)(.*)$")
_LINK = re.compile(r"\s+Link ([0-9]{1,3}): (?:([0-9]+(?:\.[0-9]+)?) GB/s|<?(inactive)>?)$", re.IGNORECASE)
_COUNTER = re.compile(r"\s+Link ([0-9]{1,3}): ([A-Za-z][\w /()-]*?):\s*([0-9]+|N/A|<?inactive>?)$")
_RATE = re.compile(r"\s+Link [0-9]{1,3}: [\w ]*BER:\s*[0-9.]+e[+-]?[0-9]+$")
_ALL_DOWN = re.compile(r"\s*(?:NVML: )?Unable to retrieve NVLink information as all links are inactive", re.IGNORECASE)
_NONE = re.compile(r"\s*(?:NVML: )?(?:Device does not have or support NVLink|.*not supported)", re.IGNORECASE)


@dataclass(slots=True)
class _Gpu:
    """One GPU's part of the list."""

    index: int
    line: int
    supported: bool | None = None
    all_down: bool = False
    complete: bool = True
    name: str = ""
    open: bool = True
    """Whether the lines that follow are still this GPU's."""
    links: list[GpuNvlink] = field(default_factory=list)

    def follows(self, link: re.Match[str] | None, line: str) -> bool:
        """Whether a line can belong to this GPU, after what was read of it."""
        answered = self.all_down or self.supported is False
        if link:
            return not answered and (not self.links or int(link[1]) > self.links[-1].link)
        return not (answered or self.links) or not (_ALL_DOWN.match(line) or _NONE.match(line))


@section(
    "nvidia-smi-nvlink",
    Run("nvidia-smi", "nvlink", "-s"),
    yields=(GpuNvlinks, GpuNvlink),
    proven=Provenance.FIELD,
    timeout_s=60,
)
def parse_nvlink(output: Output) -> Iterator[Answer]:
    """State and bandwidth of each NVLink, GPU by GPU.

    ``Link 3: 26.562 GB/s`` (whole numbers on newer drivers: 25, 50) is the bandwidth of one direction;
    ``<inactive>`` is down; one sentence says that all links of a GPU are down, another that the GPU has none. A part
    that someone left out (``[...]``), a last line that is cut, or fewer links than another GPU of the model has
    leave the count of links open: what is not listed is not down. Links whose numbers start again have lost the
    line of their GPU and are left out. Links that are up do not prove that the fabric is: that is the registration
    in ``nvidia-smi -q``.

    Source: nvidia-smi nvlink -h; NVML nvmlDeviceGetNvLinkState.
    """
    gpus: list[_Gpu] = []
    skipped = [answer for number, line in numbered(whole(output.stdout)) for answer in _status_line(gpus, number, line)]
    if gpus and not any(gpu.links or gpu.all_down or gpu.supported is False for gpu in gpus):
        raise ParseError(gpus[0].line, "", "links, or a sentence about them, below a GPU")
    yield from skipped
    cut = list(torn(output.stdout))
    if cut and gpus:
        gpus[-1].complete = False
    yield from cut
    if not gpus:
        yield from _nothing(output, GpuNvlinks)
    for gpu in gpus:
        listed = max(len(other.links) for other in gpus if other.name == gpu.name)
        gpu.complete = gpu.complete and len(gpu.links) in (0, listed)
        yield from _facts(gpu)


def _status_line(gpus: list[_Gpu], number: int, line: str) -> Iterator[Skipped]:
    head = _GPU.match(line)
    if head:
        gpus.append(_Gpu(int(head[1]), number, name=head[2]))
        line = head[4]  # some builds print the verdict after the UUID
    if not line.strip() or not gpus:
        return
    gpu = gpus[-1]
    link = _LINK.match(line)
    gpu.open = gpu.open and gpu.follows(link, line)
    if not gpu.open:
        gpu.complete = False
        yield Skipped(number, line, "GPU N: <name> (UUID: GPU-...) above the links of another GPU")
    elif link:
        bandwidth = float(round(float(link[2]) * 8e9)) if link[2] else None
        active = link[2] is not None
        gpu.links.append(
            GpuNvlink(gpu=gpu.index, link=int(link[1]), active=active, bandwidth_bps=bandwidth, line=number)
        )
    elif _ALL_DOWN.match(line):
        gpu.all_down = True
    elif _NONE.match(line):
        gpu.supported = False
    else:
        gpu.complete = False
        gpu.open = "GPU " not in line
        yield Skipped(number, line, "a link: Link 0: 25 GB/s")


def _facts(gpu: _Gpu) -> Iterator[Answer]:
    told = bool(gpu.links) or gpu.all_down
    if not told and gpu.supported is None:
        yield Missing(GpuNvlinks.TABLE, Why.NOT_COLLECTED, f"nothing below GPU {gpu.index} tells of its links")
        return
    numbers = sorted(link.link for link in gpu.links)
    complete = gpu.complete and numbers == list(range(len(numbers)))
    up = sum(link.active is True for link in gpu.links)
    yield GpuNvlinks(
        gpu=gpu.index,
        supported=True if told else gpu.supported,
        active=(up if complete else None) if gpu.links else (0 if gpu.all_down else None),
        inactive=len(gpu.links) - up if gpu.links and complete else None,
        line=gpu.line,
    )
    yield from gpu.links


def _nothing(output: Output, table: type[GpuNvlinks] | type[GpuNvlinkCounter]) -> Iterator[Missing]:
    refused = list(refusals(output, table))
    if not refused:
        lines = [(number, line) for number, line in numbered(output.stdout) if line]
        raise ParseError(*(lines[0] if lines else (0, "")), "GPU 0: <name> (UUID: GPU-...)")
    yield from refused


@section(
    "nvidia-smi-nvlink-errors",
    Run("nvidia-smi", "nvlink", "-e"),
    yields=(GpuNvlinkCounter,),
    proven=Provenance.DOCUMENT,
    timeout_s=60,
)
def parse_nvlink_errors(output: Output) -> Iterator[Answer]:
    """Error counters of each NVLink: ``Link 0: Replay Errors: 0``, GPU by GPU.

    Replay, recovery and CRC errors to Hopper; Blackwell adds more, which keep their printed names, and bit error
    rates, which are no counters and passed over. ``N/A`` and ``<inactive>`` are no numbers. Counters start when
    the driver is loaded.

    Source: nvidia-smi nvlink -h; NVML nvmlDeviceGetNvLinkErrorCounter.
    """
    gpu: int | None = None
    told = 0
    seen: set[tuple[int, str, str]] = set()
    for number, line in numbered(whole(output.stdout)):
        head = _GPU.match(line)
        found = _COUNTER.match(line)
        if head:
            gpu = int(head[1])
        elif found and gpu is not None and (gpu, *found.group(1, 2)) in seen:
            yield Skipped(number, line, "GPU N: <name> (UUID: GPU-...) above the counters of another GPU")
        elif found and gpu is not None:
            told += 1
            seen.add((gpu, found[1], found[2]))
            name = re.sub(r"[^a-z0-9]+", "_", found[2].lower()).strip("_")
            value = int(found[3]) if found[3].isdecimal() else None
            yield GpuNvlinkCounter(gpu=gpu, link=int(found[1]), name=name, value=value, line=number)
        elif line.strip() and gpu is not None and not any(one.match(line) for one in (_ALL_DOWN, _NONE, _RATE)):
            yield Skipped(number, line, "a counter: Link 0: Replay Errors: 0")
    yield from torn(output.stdout)
    if gpu is None:
        yield from _nothing(output, GpuNvlinkCounter)
    elif not told:
        yield Missing(GpuNvlinkCounter.TABLE, Why.ABSENT, "no link has counters")
