"""What a host has for GPUDirect RDMA: nvidia_peermem, nv_peer_mem, DMA-BUF."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import GpuDirect
from fabric_audit.facts.system import KernelModule
from fabric_audit.platforms.model import Answer, Files, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.text import file_lines, numbered, torn, whole

PEERMEM = "peermem"
DMABUF = "dmabuf"
OPEN_LICENCE = "Dual MIT/GPL"
CLOSED_LICENCE = "NVIDIA"

_PEERMEM_FILES = (
    "/sys/kernel/mm/memory_peers/nv_mem/version",
    "/sys/kernel/mm/memory_peers/nv_mem_nc/version",
    "/sys/module/nvidia_peermem/version",
)
_DRIVER = "/proc/driver/nvidia/version"
_DRIVER_MODULE = "/sys/module/nvidia/version"
_RELEASE = "/proc/sys/kernel/osrelease"
_FILES = (*_PEERMEM_FILES, _DRIVER, _DRIVER_MODULE, _RELEASE)

_FIRST_OPEN_DRIVER = 515
_FIRST_DMABUF_KERNEL = (5, 12)


@section(
    "gpudirect",
    Files(*_FILES),
    yields=(GpuDirect, KernelModule),
    proven=Provenance.DOCUMENT,
)
def parse_gpudirect(output: Output) -> Iterator[Answer]:
    """The files that prove GPUDirect RDMA, as NCCL itself looks for them.

    *peermem* is there when one of three files is: ``/sys/kernel/mm/memory_peers/nv_mem/version``, the same
    with ``nv_mem_nc``, or ``/sys/module/nvidia_peermem/version``. nvidia_peermem refuses to load where the RDMA
    stack has no peer memory interface, so loaded means usable. The command of NVIDIA's manual, ``lsmod | grep
    nvidia-peermem``, can never match: lsmod writes an underscore.

    *dmabuf* needs the open kernel modules of driver 515 or later and kernel 5.12 or later; these are its conditions
    on the host. CUDA 11.7 and a Turing or later GPU come on top and do not show here. Enterprise Linux 8 kernels
    (4.18) carry DMA-BUF support of later ones: there the answer is open.

    The kernel's release is always among the files, so that a host without any of the others is told from one
    that was not asked.

    Source: NCCL src/transport/net_ib (gdr.cc, KNL_MODULE_LOADED); NVIDIA GPU Operator, "GPUDirect RDMA and
    GPUDirect Storage", prerequisites; NVIDIA open-gpu-kernel-modules, kernel-open/nvidia-peermem.
    """
    first: dict[str, tuple[int, str]] = {}
    for number, path, _stars, content in file_lines(whole(output.stdout), _FILES):
        first.setdefault(path, (number, content.strip()))
    yield from torn(output.stdout)
    if _RELEASE not in first:
        raise ParseError(0, "", f"{_RELEASE}:, which every Linux kernel has")
    yield _peermem(first)
    yield from _driver(first)
    yield _dmabuf(first)


def _peermem(first: dict[str, tuple[int, str]]) -> GpuDirect:
    for path in _PEERMEM_FILES:
        if path in first:
            return GpuDirect(mechanism=PEERMEM, available=True, evidence=path, line=first[path][0])
    return GpuDirect(mechanism=PEERMEM, available=False, evidence=f"none of {', '.join(_PEERMEM_FILES)}")


def _driver(first: dict[str, tuple[int, str]]) -> Iterator[KernelModule]:
    number, banner = first.get(_DRIVER, (0, ""))
    if banner and not re.match(r"NVRM version:", banner):
        raise ParseError(number, banner, "NVRM version: NVIDIA UNIX ... Kernel Module ... <version>")
    version = _driver_version(first)
    if version:
        licence = (OPEN_LICENCE if _is_open(banner) else CLOSED_LICENCE) if banner else None
        yield KernelModule(
            name="nvidia",
            version=version,
            licence=licence,
            line=number or first[_DRIVER_MODULE][0],
        )
    peermem = first.get("/sys/module/nvidia_peermem/version")
    if peermem:
        yield KernelModule(name="nvidia_peermem", version=peermem[1], line=peermem[0])


def _driver_version(first: dict[str, tuple[int, str]]) -> str:
    if _DRIVER_MODULE in first:
        return first[_DRIVER_MODULE][1]
    found = re.search(r"\s([0-9]{3,4}\.[0-9.]+)\s", f"{first.get(_DRIVER, (0, ''))[1]} ")
    return found[1] if found else ""


def _is_open(banner: str) -> bool:
    return "Open Kernel Module" in banner


def _dmabuf(first: dict[str, tuple[int, str]]) -> GpuDirect:
    number, release = first[_RELEASE]
    kernel = re.match(r"([0-9]+)\.([0-9]+)", release)
    if not kernel:
        raise ParseError(number, release, "a kernel release such as 5.15.0-105-generic")
    version = _driver_version(first)
    banner = first.get(_DRIVER, (0, ""))[1]
    if not version:
        return GpuDirect(mechanism=DMABUF, available=False, evidence="no NVIDIA kernel module is loaded")
    recent = (int(kernel[1]), int(kernel[2])) >= _FIRST_DMABUF_KERNEL
    kind = ("open" if _is_open(banner) else "closed") if banner else "unknown"
    conditions = [
        (kind == "open") if banner else None,
        int(version.split(".")[0]) >= _FIRST_OPEN_DRIVER,
        True if recent else (None if ".el8" in release else False),
    ]
    available = False if False in conditions else (None if None in conditions else True)
    return GpuDirect(
        mechanism=DMABUF,
        available=available,
        evidence=f"{kind} kernel modules {version}, kernel {release}; "
        f"needs open ones of {_FIRST_OPEN_DRIVER} or later and kernel 5.12 or later",
        line=first.get(_DRIVER, (number, ""))[0],
    )


_LSMOD_ROW = re.compile(r"(\S+)\s+([0-9]+)\s+(-?[0-9]+)(?:\s+(\S+))?$")
_PEERMEM_MODULES = ("nvidia_peermem", "nv_peer_mem")


@section(
    "lsmod-peermem",
    yields=(GpuDirect,),
    proven=Provenance.FIELD,
)
def parse_lsmod_peermem(output: Output) -> Iterator[Answer]:
    """``lsmod``, whole or cut down to a few lines by grep: is a peer memory module among the loaded ones?

    Read where someone hands it in; on a host the files of *gpudirect* say it better. ``nvidia_peermem`` comes
    with the driver since R470; ``nv_peer_mem`` was Mellanox's module of the same purpose. *Used by* 0 is normal
    while no memory is registered; a module that *uses* another is loaded itself. Only the whole list, with its line
    of column names, proves that neither is loaded: a few lines picked by someone do not.

    Source: lsmod(8); NVIDIA GPUDirect RDMA, "nvidia-peermem".
    """
    lines = [(number, line) for number, line in numbered(output.stdout) if line]
    rows = {number: found for number, line in lines if (found := _LSMOD_ROW.match(line))}
    titled = any(re.match(r"Module\s+Size\s+Used by$", line) for _, line in lines)
    all_read = titled and len(rows) == len(lines) - 1 and output.stdout.endswith("\n")
    if not rows:
        raise ParseError(*(lines[0] if lines else (0, "")), "a module, its size and its use count on each line")
    for number, line in lines:
        if number not in rows and not line.startswith("Module "):
            yield Skipped(number, line, "a module, its size and its use count")
    named = {number: (row[1], *(row[4] or "").split(",")) for number, row in rows.items()}
    loaded = [(number, name) for number, names in named.items() for name in names if name in _PEERMEM_MODULES]
    if loaded:
        number, name = loaded[0]
        yield GpuDirect(mechanism=PEERMEM, available=True, evidence=f"module {name}", line=number)
    elif all_read:
        evidence = f"no {' or '.join(_PEERMEM_MODULES)} in lsmod"
        yield GpuDirect(mechanism=PEERMEM, available=False, evidence=evidence)
    else:
        yield Missing(GpuDirect.TABLE, Why.NOT_COLLECTED, "a part of lsmod does not prove what is absent")
