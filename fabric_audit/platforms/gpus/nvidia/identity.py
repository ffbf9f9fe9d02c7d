"""``nvidia-smi --query-gpu``: which GPUs a host has."""

import csv
import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import Gpu
from fabric_audit.platforms.gpus.nvidia.smi import pci_address, refusals
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import integer, numbered, torn

_FIELDS = ("index", "uuid", "pci.bus_id", "driver_version", "name")
_UUID = re.compile(r"(GPU|MIG)-[0-9a-fA-F/-]{8,}")


@section(
    "nvidia-smi-gpus",
    Run("nvidia-smi", f"--query-gpu={','.join(_FIELDS)}", "--format=csv"),
    yields=(Gpu,),
    proven=Provenance.DOCUMENT,
    timeout_s=60,
)
def parse_gpus(output: Output) -> Iterator[Answer]:
    """Index, UUID, PCI address, driver and product name, one line a GPU under a line of field names.

    Only fields that every driver from R384 to R580 knows are asked: one unknown name makes nvidia-smi refuse the
    whole query. What has changed its name over the years (clocks, ECC, row remapping, fabric) comes from
    ``nvidia-smi -q -x``, which describes itself; but that form has no index, and this one has, also when a GPU is
    lost. Columns are found by their names, in any order; unknown ones are passed over; a value in brackets
    (``[N/A]``, ``[GPU is lost]``) is none.

    Source: nvidia-smi --help-query-gpu; nvidia-smi(1), "--format".
    """
    lines = [(number, line) for number, line in numbered(output.stdout) if line]
    header = next((i for i, (_, line) in enumerate(lines) if "index" in _cells(line)), None)
    if header is None:
        refused = list(refusals(output, Gpu))
        if not refused:
            raise ParseError(*(lines[0] if lines else (0, "")), f"a line of field names: {', '.join(_FIELDS)}")
        yield from refused
        return
    names = [name.split(" [")[0] for name in _cells(lines[header][1])]
    cut = {one.line for one in torn(output.stdout)}
    for place, (number, line) in enumerate(lines):
        if place == header:
            continue
        cells = _cells(line)
        if place < header or len(cells) != len(names) or number in cut:
            yield Skipped(number, line, f"{len(names)} values, as in the line of field names, and the line's end")
        else:
            yield _gpu(dict(zip(names, cells, strict=True)), number, line)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line]), [])]


def _gpu(told: dict[str, str], number: int, line: str) -> Gpu:
    values = {name: value for name, value in told.items() if not value.startswith("[") and value != "N/A"}
    index = integer(values.get("index", ""), number, "the GPU's index")
    if index is None:
        raise ParseError(number, line, "the GPU's index")
    uuid = values.get("uuid") or values.get("gpu_uuid")
    if uuid and not _UUID.fullmatch(uuid):
        raise ParseError(number, uuid, "a UUID such as GPU-…")
    address = values.get("pci.bus_id") or values.get("gpu_bus_id")
    return Gpu(
        gpu=index,
        model=values.get("name") or values.get("gpu_name"),
        uuid=uuid,
        pci=pci_address(address, number) if address else None,
        driver=values.get("driver_version"),
        line=number,
    )
