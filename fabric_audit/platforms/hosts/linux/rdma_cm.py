"""Type of service of RDMA-CM connections: from configfs, and as ``cma_roce_tos`` prints it."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.platforms.hosts.linux.paths import PATHLESS
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched, refused
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Skipped, section
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole, whole_rows

_FOLDER = "/sys/kernel/config/rdma_cm"
_ROW = re.compile(
    rf"{_FOLDER}/(?P<device>[^/:]+)/ports/(?P<port>[0-9]{{1,3}})/default_roce_(?P<file>tos|mode):(?P<value>.*)"
)
_MODES = ("IB/RoCE v1", "RoCE v1", "RoCE v2")
_EXPECTED = f"{_FOLDER}/DEVICE/ports/N/default_roce_tos:NUMBER"
_LARGEST = 255


@section(
    "rdma-cm",
    Files(f"{_FOLDER}/*/ports/*/default_roce_tos", f"{_FOLDER}/*/ports/*/default_roce_mode", root=True),
    yields=(RdmaPort, NicSetting),
    proven=Provenance.CONSTRUCTED,
)
def parse_rdma_cm(output: Output) -> Iterator[Answer]:
    """``/sys/kernel/config/rdma_cm/DEV/ports/N/``: ToS and RoCE version of connections made by RDMA-CM.

    A folder is there only where somebody made it, and making it would change the machine: without it nothing is known.
    ``default_roce_tos`` is the whole ToS byte, DSCP times 4 plus the ECN bits. NCCL makes its connections without
    RDMA-CM, so this does not concern it. Source: Linux ``Documentation/ABI/testing/configfs-rdma_cm``.
    """
    missing = tuple(nothing_matched(output, "nobody made a folder in configfs rdma_cm", RdmaPort))
    yield from missing or some(consistent(_answers(output.stdout)), output, _EXPECTED)


def _answers(text: str) -> Iterator[Answer]:
    for number, line, found in whole_rows(numbered(whole(text)), _ROW, PATHLESS):
        value = found["value"].strip() if found else ""
        if found and found["file"] == "mode" and value in _MODES:
            device = f"{found['device']}/{found['port']}"
            yield NicSetting(device=device, name="default_roce_mode", value=value, source="configfs", line=number)
        elif found and found["file"] == "tos" and is_tos(value):
            yield RdmaPort(device=found["device"], port=int(found["port"]), cm_tos=int(value), line=number)
        else:
            yield Skipped(number, line, _EXPECTED)
    yield from torn(text)


@section("cma_roce_tos", yields=(RdmaPort,), proven=Provenance.CONSTRUCTED)
def parse_cma_roce_tos(output: Output) -> Iterator[Answer]:
    """``cma_roce_tos -d DEV``: one number, the ToS of RDMA-CM connections of port 1.

    Read only where a file brings it: the script makes the folder in configfs, which changes the machine. Source:
    mlnx-tools ``sbin/cma_roce_tos``.
    """
    missing = tuple(refused(output, RdmaPort))
    if missing:
        yield from missing
        return
    words = output.stdout.strip()
    if not output.stdout.endswith("\n") or not is_tos(words):
        raise ParseError(1, words.split("\n")[0], "one number of 0 to 255")
    yield RdmaPort(device=output.item, port=1, cm_tos=int(words), line=1)


def is_tos(text: str) -> bool:
    """Whether the text is a value of the ToS byte."""
    return re.fullmatch(r"[0-9]{1,3}", text) is not None and int(text) <= _LARGEST
