"""Which programs a host has that the audit can use."""

import re
from collections.abc import Iterator

from fabric_audit.facts.system import Tool
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered, some, torn, whole

_NAMES = (
    *("ip", "rdma", "dcb", "devlink", "ethtool", "lspci", "lldpctl", "lldptool", "setsid", "timeout", "numactl"),
    *("ibv_devinfo", "ibstat", "ibstatus", "ibdev2netdev", "show_gids", "iblinkinfo", "ibnetdiscover", "perfquery"),
    *("mlnx_qos", "cma_roce_tos", "mlxlink", "mlxconfig", "mst", "mstlink", "mstconfig", "niccli", "bnxtqos"),
    *("nvidia-smi", "dcgmi", "nvbandwidth", "all_reduce_perf"),
    *("ib_write_bw", "ib_send_bw", "ib_read_bw", "ib_write_lat", "ib_send_lat", "ib_read_lat"),
)
_VERSIONS = (
    "ip -V",
    "rdma -V",
    "dcb -V",
    "ethtool --version",
    "lspci --version",
    "lldpctl -v",
    "ibstat -V",
    "ofed_info -s",
)
_FIND = f'for t in {" ".join(_NAMES)}; do p=$(command -v "$t") && echo "$t $p"; done; true'
_ASK = (
    f"for c in {' '.join(repr(version) for version in _VERSIONS)}; do "
    'command -v "${c%% *}" >/dev/null && echo "${c%% *} $($c 2>&1 | head -n 1)"; done; true'
)
_PROGRAMS = frozenset(version.split()[0] for version in _VERSIONS)
_FOUND = re.compile(r"(?P<name>[\w-]+) (?P<path>/(?:\S*/)?(?P=name))")
_VERSION = re.compile(r"(?P<name>[\w-]+) (?P<version>.*\d.*)")


@section("tools", Run("sh", "-c", _FIND), yields=(Tool,), proven=Provenance.DOCUMENT)
def parse_tools(output: Output) -> Iterator[Answer]:
    """Where the programs lie that sections and traffic use: ``NAME PATH``; what is not there has no row."""
    if not output.stdout.strip() and output.rc == 0:
        yield Missing("tool", Why.ABSENT, "none of the programs is on the search path")
        return
    yield from some(_paths(output), output, "NAME /PATH")


def _paths(output: Output) -> Iterator[Answer]:
    for number, line in numbered(whole(output.stdout)):
        if found := _FOUND.fullmatch(line):
            yield Tool(line=number, name=found["name"], path=found["path"])
        elif line:
            yield Skipped(number, line, "NAME /PATH")
    yield from torn(output.stdout)


@section("tool-versions", Run("sh", "-c", _ASK), yields=(Tool,), proven=Provenance.DOCUMENT)
def parse_versions(output: Output) -> Iterator[Answer]:
    """Versions in the programs' own words: ``NAME FIRST-LINE``; a line without a digit is no version."""
    if not output.stdout.strip() and output.rc == 0:
        yield Missing("tool", Why.ABSENT, "none of the programs is on the search path", "version")
        return
    yield from some(_versions(output), output, "NAME VERSION")


def _versions(output: Output) -> Iterator[Answer]:
    for number, line in numbered(whole(output.stdout)):
        found = _VERSION.fullmatch(line)
        if found and found["name"] in _PROGRAMS:
            yield Tool(line=number, name=found["name"], version=found["version"])
        elif line:
            yield Skipped(number, line, "NAME VERSION")
    yield from torn(output.stdout)
