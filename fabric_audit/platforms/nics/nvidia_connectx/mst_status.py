"""Devices of NVIDIA firmware tools as ``mst status`` lists them."""

import re
from collections.abc import Iterator

from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.rdma import RdmaDevice
from fabric_audit.facts.system import KernelModule
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole

_TYPES = {
    4115: "ConnectX4",
    4117: "ConnectX4LX",
    4119: "ConnectX5",
    4121: "ConnectX5",
    4123: "ConnectX6",
    4125: "ConnectX6DX",
    4127: "ConnectX6LX",
    4129: "ConnectX7",
    4131: "ConnectX8",
    41682: "BlueField",
    41686: "BlueField2",
    41692: "BlueField3",
}
_MODULES = {"MST PCI module loaded": "mst_pci", "MST PCI configuration module loaded": "mst_pciconf"}
_ABSENT = re.compile(r"MST (?:PCI|PCI configuration) module is not loaded")
_DEVICE = re.compile(r"(?P<mst>/dev/mst/\S+)\s+- .*")
_LOCATION = re.compile(r"domain:bus:dev\.fn=(?P<pci>[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7])(?: .*)?")
_ROW = re.compile(
    r"(?P<type>[A-Z]\w+)\(rev:[0-9a-f]+\)\s+(?P<mst>\S+_pci\S*)\s+"
    r"(?P<pci>(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[01][0-9a-f]\.[0-7])(?P<rest>(?:\s+\S+)*)"
)
_HEADING = re.compile(
    r"|\.|-+|(?:MST|PCI) (?:modules|devices):|DEVICE_TYPE\s+MST\s+PCI\s+RDMA\s+NET\s+NUMA|Chip revision is: \w+"
)
_NONE = re.compile(r"No MST devices (?:were )?found.*|No devices were found.*")
_EXPECTED = "a module of MST, or a device /dev/mst/..."


@section("mst-status", yields=(KernelModule, NicSetting, RdmaDevice), proven=Provenance.DOCUMENT)
def parse_mst_status(output: Output) -> Iterator[Answer]:
    """``mst status`` and ``mst status -v``, read only where a file brings it: ``mst start`` would load a module.

    The number in ``/dev/mst/mt4129_pciconf0`` is the PCI device id, which tells the chip; ``.1`` behind it is the
    second function. PCI addresses without a domain belong to domain 0000: it is left out where there is only one.
    With ``-v`` the RDMA device, its interfaces and the NUMA node follow; any of them may be blank. Source: NVIDIA MFT
    manual "mst Synopsis".
    """
    missing = tuple(refused(output, NicSetting))
    yield from missing or some(consistent(_answers(output.stdout)), output, _EXPECTED)


def _answers(text: str) -> Iterator[Answer]:
    mst: str | None = None
    for number, line in numbered(whole(text)):
        words = line.strip()
        device, location, row = (pattern.fullmatch(words) for pattern in (_DEVICE, _LOCATION, _ROW))
        if words in _MODULES:
            yield KernelModule(name=_MODULES[words], line=number)
        elif device:
            mst = device["mst"]
        elif location and mst:
            yield from _settings(location["pci"], mst, _type(mst), number)
            mst = None
        elif row:
            yield from _row(row, number)
        elif _NONE.fullmatch(words):
            yield Missing("nic_setting", Why.ABSENT, words)
        elif not _ABSENT.fullmatch(words) and not _HEADING.fullmatch(words):
            yield Skipped(number, line, _EXPECTED)
    yield from torn(text)


def _type(mst: str) -> str | None:
    found = re.search(r"/mt([0-9]{4,5})_", mst)
    return _TYPES.get(int(found[1])) if found else None


def _settings(pci: str, mst: str, kind: str | None, line: int) -> Iterator[NicSetting]:
    yield NicSetting(device=pci, name="mst_device", value=mst, source="mst", line=line)
    if kind:
        yield NicSetting(device=pci, name="Device type", value=kind, source="mst", line=line)


def _row(row: re.Match[str], line: int) -> Iterator[Answer]:
    pci = row["pci"] if row["pci"].count(":") > 1 else f"0000:{row['pci']}"
    yield from _settings(pci, row["mst"], row["type"], line)
    words = row["rest"].split()
    numa = words.pop() if words and re.fullmatch(r"-?[0-9]{1,4}|NA", words[-1]) else None
    device = words[0] if words and not words[0].startswith("net-") else None
    if device:
        numa_node = int(numa) if numa and numa != "NA" else None
        yield RdmaDevice(device=device, pci=pci, numa_node=numa_node, line=line)
