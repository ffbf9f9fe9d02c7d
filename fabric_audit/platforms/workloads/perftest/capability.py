"""The parsers of ``--help`` and ``--version``: what a perftest program can be asked."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.system import Tool
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, section
from fabric_audit.platforms.text import numbered, whole

_USAGE = re.compile(r"\s*(?P<path>(?:\S*/)?(?P<name>(?:ib|raw_ethernet)_\w+))\s+(?:start a server|run a server)")
_OPTION = re.compile(r"\s*(?:(?P<short>-\w),\s+)?(?P<long>--[a-z][\w-]*)(?=[\s=]|$)")
_LAST = "--use_hugepages"
_VERSION = re.compile(r"Version: (\d+(?:\.\d+)*)$")


@section("ib_write_bw-help", Run("ib_write_bw", "--help"), yields=(Tool,), proven=Provenance.FIELD)
@section("ib_send_bw-help", Run("ib_send_bw", "--help"), yields=(Tool,), proven=Provenance.FIELD)
@section("ib_read_bw-help", Run("ib_read_bw", "--help"), yields=(Tool,), proven=Provenance.FIELD)
@section("ib_write_lat-help", Run("ib_write_lat", "--help"), yields=(Tool,), proven=Provenance.FIELD)
@section("ib_send_lat-help", Run("ib_send_lat", "--help"), yields=(Tool,), proven=Provenance.FIELD)
@section("perftest-help", yields=(Tool,), proven=Provenance.FIELD)
def perftest_help(output: Output) -> Iterator[Answer]:
    """The options that one perftest program knows, from its ``--help``; exit status 0 or 1, by version.

    An option for GPU memory is printed only by a build that has it: ``--use_cuda`` with CUDA, ``--use_cuda_dmabuf``
    where the CUDA headers knew DMA-BUF, ``--use_rocm`` and the like. (Since 2023 any build takes the word and then
    refuses with ``Unsupported memory type``.)

    perftest prints the GPU options before ``--use_hugepages``. A text without that option was cut, or is of before
    2018: nothing is told then, since a list without ``--use_cuda`` would deny what may be there.

    Source: linux-rdma/perftest ``src/perftest_parameters.c`` ``usage``.
    """
    options: list[str] = []
    path, name = "", ""
    lines = list(numbered(output.stdout))
    for _, line in lines:
        usage = _USAGE.match(line)
        if usage:
            path, name = usage["path"], usage["name"]
        option = _OPTION.match(line)
        if option and name:
            options += [word for word in (option["short"], option["long"]) if word]
    if not name:
        raise ParseError(1 if output.stdout else 0, output.stdout.split("\n")[0], "the usage of a perftest program")
    if _LAST not in options:
        raise ParseError(*lines[-1], f"the option {_LAST}, which stands below those for GPU memory")
    yield Tool(name=name, path=path if "/" in path else None, options=" ".join(dict.fromkeys(options)))


@section("perftest-version", Run("ib_write_bw", "--version"), yields=(Tool,), proven=Provenance.FIELD)
def perftest_version(output: Output) -> Iterator[Answer]:
    """The version, as in ``Version: 6.24``: that of perftest's protocol, not of the package (25.01 says 6.24)."""
    for number, line in numbered(whole(output.stdout)):
        found = _VERSION.match(line)
        if found:
            yield Tool(name="perftest", version=found[1], line=number)
            return
    raise ParseError(1 if output.stdout else 0, output.stdout.split("\n")[0], "Version: and a number")
