"""Kernel modules that are loaded, and their versions."""

import re
from collections.abc import Iterator

from fabric_audit.facts.system import KernelModule
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Skipped, section
from fabric_audit.platforms.text import numbered, some, torn, whole

_LOADED = re.compile(
    r"(?:/proc/modules:)?(?P<name>\w+) \d+ -?\d+ \S+ (?:Live|Loading|Unloading) 0x[0-9a-f]+"
    r"(?: \((?P<taints>[A-Z+-]+)\))?"
)
_VERSION = re.compile(r"/sys/module/(?P<name>\w+)/version:(?P<version>.*)")
_LSMOD = re.compile(r"(?P<name>\w+) +\d+ +-?\d+(?: +[\w,-]+)?")


@section(
    "modules",
    Files("/proc/modules", "/sys/module/*/version"),
    yields=(KernelModule,),
    proven=Provenance.DOCUMENT,
)
def parse_modules(output: Output) -> Iterator[Answer]:
    """Loaded modules with version and taint letters.

    A module that is built into the kernel is not in ``/proc/modules`` but may show a version. In-tree modules
    mostly have none; those of MLNX_OFED and of NVIDIA do. Source: proc_modules(5).
    """
    yield from some(_modules(output), output, "/proc/modules:NAME SIZE USES BY STATE ADDRESS")


def _modules(output: Output) -> Iterator[Answer]:
    loaded: dict[str, tuple[int, str]] = {}
    versions: dict[str, tuple[int, str]] = {}
    for number, line in numbered(whole(output.stdout)):
        if found := _LOADED.fullmatch(line):
            loaded[found["name"]] = (number, found["taints"] or "")
        elif found := _VERSION.fullmatch(line):
            versions[found["name"]] = (number, found["version"])
        elif line:
            yield Skipped(
                number, line, "/proc/modules:NAME SIZE USES BY STATE ADDRESS, or /sys/module/NAME/version:VERSION"
            )
    for name in dict.fromkeys((*loaded, *versions)):
        number, version = versions.get(name, (0, ""))
        first, taints = loaded.get(name, (number, None))
        yield KernelModule(line=first, name=name, version=version or None, taints=taints)
    yield from torn(output.stdout)


@section("lsmod", yields=(KernelModule,), proven=Provenance.FIELD)
def parse_lsmod(output: Output) -> Iterator[Answer]:
    """``lsmod`` as a file: names of loaded modules. Source: lsmod(8)."""
    yield from some(_lsmod(output), output, "Module  Size  Used by")


def _lsmod(output: Output) -> Iterator[Answer]:
    for number, line in numbered(whole(output.stdout)):
        if found := _LSMOD.fullmatch(line):
            yield KernelModule(line=number, name=found["name"])
        elif line and not re.fullmatch(r"Module +Size +Used by", line):
            yield Skipped(number, line, "MODULE SIZE USES BY")
    yield from torn(output.stdout)
