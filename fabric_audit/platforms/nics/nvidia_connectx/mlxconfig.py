"""Firmware settings of a ConnectX or BlueField device as ``mlxconfig`` prints them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import CongestionControl, NicSetting
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Each,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    Why,
    section,
)
from fabric_audit.platforms.text import consistent, numbered, torn, whole

_ABOUT = re.compile(r"(?P<name>Device type|Name|Description|(?:PCI )?[Dd]evice):\s*(?P<value>\S.*)?")
_HEADER = re.compile(r"\s*Configurations:\s+(?P<columns>\S.*)")
_ROW = re.compile(r"(?P<star>\*?)\s+(?P<name>[A-Z][A-Z0-9_]*(?:\[[0-9.]+\])?)\s+(?P<values>\S.*)")
_FOOTER = re.compile(r"The '\*' shows parameters.*|Device #[0-9]+:|-{3,}|\s*")
_FAILED = re.compile(r"-E- (?P<words>.*)")
_COLUMNS = (("Default", "Current", "Next Boot"), ("Next Boot",), ("Current",))


@dataclass(slots=True)
class _Device:
    name: str
    about: dict[str, tuple[str, int]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    current: dict[str, str] = field(default_factory=dict)


@section(
    "mlxconfig",
    Each("rdma_pci", Run("mlxconfig", "-d", "{}", "-e", "query", root=True)),
    yields=(NicSetting, CongestionControl),
    proven=Provenance.DOCUMENT,
    timeout_s=30.0,
)
def parse_mlxconfig(output: Output) -> Iterator[Answer]:
    """``mlxconfig -d DEV -e query``: what the firmware was started with, and will be started with next.

    With ``-e`` three columns; only ``Current`` is in force, ``Next Boot`` is told where it differs. Without ``-e`` one
    column, which is what boots next and says nothing of now; it was headed ``Current`` before MFT 4.4. A star marks
    rows that differ from the default or from what is in force, so it alone proves nothing. ``Array[0..3]`` stands for
    values that need a query of their own. What a host set later (PFC, ECN by ``mlnx_qos`` and sysfs) is not in here.

    ``qos_owner`` is derived: on a BlueField whose ARM cores own the port (``INTERNAL_CPU_MODEL`` EMBEDDED_CPU and the
    offload engine enabled) the DPU decides about QoS, and what the host sees proves nothing.
    ``USER_PROGRAMMABLE_CC`` in force means that a program on the NIC is the congestion control. Source: NVIDIA MFT
    manual "mlxconfig", NVIDIA BlueField "Modes of Operation", mstflint ``mlxconfig``.
    """
    missing = tuple(refused(output, NicSetting)) or tuple(_failure(output))
    if missing:
        yield from missing
        return
    device = _Device(output.item)
    answers = [*_rows(output.stdout, device), *torn(output.stdout)]
    skipped = sum(isinstance(answer, Skipped) for answer in answers)
    if not device.columns or skipped > len(answers) - skipped:
        first = next(((n, line) for n, line in numbered(output.stdout) if line), (0, ""))
        raise ParseError(*first, "Configurations: with the columns Default, Current, Next Boot")
    for name, (value, line) in device.about.items():
        yield NicSetting(device=device.name, name=name, value=value, source="mlxconfig", line=line)
    yield from consistent(answers)
    yield from _derived(device)
    if "Current" not in device.columns:
        yield Missing("nic_setting", Why.NOT_SUPPORTED, "one column only: it shows what boots next", "value")


def _failure(output: Output) -> Iterator[Missing]:
    found = _FAILED.search(output.stdout) or _FAILED.search(output.stderr)
    if found:
        denied = re.search(r"permission|root|privilege", found["words"], re.IGNORECASE)
        why = Why.NOT_COLLECTED if denied else Why.NOT_SUPPORTED
        yield Missing("nic_setting", why, found["words"].strip())


def _rows(text: str, device: _Device) -> Iterator[Answer]:
    for number, line in numbered(whole(text)):
        about, header, row = _ABOUT.fullmatch(line), _HEADER.fullmatch(line), _ROW.fullmatch(line)
        if about:
            if about["name"].endswith(("Device", "device")) and about["value"]:
                device.name = device.name or about["value"]
            elif about["value"]:
                device.about[about["name"]] = (about["value"], number)
        elif header:
            device.columns = _columns(header, number, line)
        elif row and device.columns:
            yield _setting(row, device, number)
        elif not _FOOTER.fullmatch(line):
            yield Skipped(number, line, "NAME and a value for each column")


def _columns(header: re.Match[str], number: int, line: str) -> tuple[str, ...]:
    columns = tuple(re.split(r"\s{2,}", header["columns"].strip()))
    if columns not in _COLUMNS:
        raise ParseError(number, line, "Configurations: Default, Current, Next Boot, or Next Boot alone")
    return ("Next Boot",) if columns == ("Current",) else columns


def _setting(row: re.Match[str], device: _Device, number: int) -> Answer:
    values = re.split(r"\s{2,}", row["values"].strip())
    if len(values) != len(device.columns):
        return Skipped(number, row[0], f"{len(device.columns)} values")
    by_column = dict(zip(device.columns, values, strict=True))
    current, following = by_column.get("Current"), by_column["Next Boot"]
    if current is not None:
        device.current[row["name"]] = current
    return NicSetting(
        device=device.name,
        name=row["name"],
        value=current,
        next_boot=following if following != current else None,
        source="mlxconfig",
        line=number,
    )


def _derived(device: _Device) -> Iterator[Answer]:
    owner = _qos_owner(device.current)
    if owner:
        yield NicSetting(device=device.name, name="qos_owner", value=owner, source="mlxconfig")
    if device.current.get("USER_PROGRAMMABLE_CC") == "True(1)":
        yield CongestionControl(port=device.name, priority=-1, algorithm="programmable", source="mlxconfig")


def _qos_owner(current: Mapping[str, str]) -> str | None:
    model, engine = (current.get(name, "") for name in ("INTERNAL_CPU_MODEL", "INTERNAL_CPU_OFFLOAD_ENGINE"))
    if model.startswith("EMBEDDED_CPU"):
        return "dpu" if engine.startswith("ENABLED") else "host" if engine else None
    return "host" if model else None
