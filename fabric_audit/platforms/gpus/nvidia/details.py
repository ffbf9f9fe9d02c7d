"""``nvidia-smi -q -x``: health of each GPU and its place in the NVLink fabric."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import Gpu, GpuHealth
from fabric_audit.platforms.gpus.nvidia.smi import pci_address, refusals
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import plain

_NONE = re.compile(r"\[?(N/A|Unknown Error|Not Supported|Insufficient Permissions|GPU is lost.*)\]?|", re.IGNORECASE)
_NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)(?: (?:C|W|MHz|MiB|bank\(s\)|KB/s|us|%))?")
_IDLE = frozenset({"gpu_idle"})
_ZERO_UUID = "00000000-0000-0000-0000-000000000000"
_ECC_UNCORRECTED = (
    "double_bit/total",
    "dram_uncorrectable",
    "sram_uncorrectable",
    "sram_uncorrectable_parity",
    "sram_uncorrectable_secded",
)
_ECC_CORRECTED = ("single_bit/total", "dram_correctable", "sram_correctable")


@section(
    "nvidia-smi-q",
    Run("nvidia-smi", "-q", "-x"),
    yields=(Gpu, GpuHealth),
    proven=Provenance.FIELD,
    timeout_s=120,
)
def parse_details(output: Output) -> Iterator[Answer]:
    """Everything nvidia-smi knows, as XML: fabric registration, ECC, row remapping, clocks, power, PCIe link.

    XML rather than the indented text: every value stands in an element of its own, and a text that is cut has no end
    tag. Elements change their names over the years and all are known here: ``clocks_throttle_reasons`` became
    ``clocks_event_reasons`` with R535, ``power_readings`` became ``gpu_power_readings``, ECC counts moved from
    ``single_bit``/``double_bit`` to ``dram_``/``sram_correctable``. What a driver lacks is no value.

    GPUs stand in the order of nvidia-smi's indices; where fewer are listed than ``attached_gpus`` says, indices are
    unknown and the text is refused: ``nvidia-smi-gpus`` then tells which is lost. On a machine with NVSwitches the
    NVLink fabric is up only where ``state`` is Completed and ``status`` Success; a clique id and a cluster UUID of
    zeros mean no fabric over several hosts.

    Source: nvidia-smi(1), "GPU ATTRIBUTES"; nvsmi_device_v12.dtd; NVML nvmlGpuFabricInfo_t.
    """
    text = plain(output.stdout)
    start = text.find("<nvidia_smi_log")
    if start < 0:
        refused = list(refusals(output, Gpu, GpuHealth))
        if not refused:
            line = next((line for line in text.split("\n") if line.strip()), "")
            raise ParseError(1 if line else 0, line, "<nvidia_smi_log> of nvidia-smi -q -x")
        yield from refused
        return
    root = _root(text, start)
    driver = _text(root, "driver_version")
    gpus = root.findall("gpu")
    attached = _text(root, "attached_gpus")
    if attached and attached != str(len(gpus)):
        raise ParseError(0, f"attached_gpus {attached}", f"as many GPUs as are listed: {len(gpus)}")
    for index, gpu in enumerate(gpus):
        yield from _gpu(index, gpu, driver)


def _root(text: str, start: int) -> ET.Element:
    end = text.find("</nvidia_smi_log>", start)
    if end < 0:
        last = text.rstrip().rpartition("\n")[2]
        raise ParseError(text.rstrip().count("\n") + 1, last, "</nvidia_smi_log>: the text is cut")
    body = text[start : end + len("</nvidia_smi_log>")]
    first_line = text.count("\n", 0, start)
    try:
        return ET.fromstring(body)  # noqa: S314 - the part taken holds no DTD, so that no entity can be declared
    except ET.ParseError as error:
        line = error.position[0]
        raise ParseError(first_line + line, body.split("\n")[line - 1], "well-formed XML") from None


def _gpu(index: int, gpu: ET.Element, driver: str | None) -> Iterator[Answer]:
    address = gpu.get("id") or _text(gpu, "pci/pci_bus_id")
    try:
        pci = pci_address(address, 0) if address else None
    except ParseError:
        yield Skipped(0, str(address), "a PCI address as the id of a GPU")
        pci = None
    cluster = _text(gpu, "fabric/clusterUuid")
    mig = _text(gpu, "mig_mode/current_mig")
    yield Gpu(
        gpu=index,
        model=_text(gpu, "product_name"),
        uuid=_text(gpu, "uuid"),
        pci=pci,
        driver=driver,
        fabric_state=_text(gpu, "fabric/state"),
        fabric_status=_text(gpu, "fabric/status"),
        fabric_clique=_text(gpu, "fabric/cliqueId"),
        fabric_cluster=None if cluster == _ZERO_UUID else cluster,
        mig=None if mig is None else mig == "Enabled",
        temperature_c=_number(gpu, "temperature/gpu_temp"),
        throttle=_throttle(gpu),
    )
    yield _health(index, gpu, pci)


def _health(index: int, gpu: ET.Element, pci: str | None) -> GpuHealth:
    link = "pci/pci_gpu_link_info"
    return GpuHealth(
        gpu=index,
        pci=pci,
        performance_state=_text(gpu, "performance_state"),
        sm_clock_mhz=_number(gpu, "clocks/sm_clock"),
        sm_clock_max_mhz=_number(gpu, "max_clocks/sm_clock"),
        power_draw_w=_power(gpu, "instant_power_draw", "power_draw"),
        power_limit_w=_power(gpu, "current_power_limit", "power_limit"),
        power_default_w=_power(gpu, "default_power_limit"),
        temperature_c=_number(gpu, "temperature/gpu_temp"),
        memory_temperature_c=_number(gpu, "temperature/memory_temp"),
        throttle=_throttle(gpu),
        ecc=_flag(gpu, "ecc_mode/current_ecc"),
        ecc_corrected=_sum(gpu, "ecc_errors/volatile", _ECC_CORRECTED),
        ecc_uncorrected=_sum(gpu, "ecc_errors/volatile", _ECC_UNCORRECTED),
        ecc_uncorrected_aggregate=_sum(gpu, "ecc_errors/aggregate", _ECC_UNCORRECTED),
        sram_threshold_exceeded=_flag(gpu, "ecc_errors/aggregate/sram_threshold_exceeded"),
        remapped_rows_uncorrected=_whole(gpu, "remapped_rows/remapped_row_unc"),
        remap_pending=_flag(gpu, "remapped_rows/remapped_row_pending"),
        remap_failed=_flag(gpu, "remapped_rows/remapped_row_failure"),
        retired_pages_pending=_flag(gpu, "retired_pages/pending_retirement", "retired_pages/pending_blacklist"),
        pcie_generation=_whole(gpu, f"{link}/pcie_gen/current_link_gen"),
        pcie_generation_max=_whole(gpu, f"{link}/pcie_gen/max_link_gen"),
        pcie_width=_lanes(gpu, f"{link}/link_widths/current_link_width"),
        pcie_width_max=_lanes(gpu, f"{link}/link_widths/max_link_width"),
        pcie_replays=_whole(gpu, "pci/replay_counter"),
        recovery_action=_text(gpu, "gpu_recovery_action"),
    )


def _text(element: ET.Element, path: str) -> str | None:
    text = (element.findtext(path) or "").strip()
    return None if _NONE.fullmatch(text) else text


def _number(element: ET.Element, path: str) -> float | None:
    found = _NUMBER.fullmatch(_text(element, path) or "")
    return float(found[1]) if found else None


def _whole(element: ET.Element, path: str) -> int | None:
    value = _number(element, path)
    return None if value is None else int(value)


def _lanes(element: ET.Element, path: str) -> int | None:
    found = re.fullmatch(r"([0-9]{1,3})x", _text(element, path) or "")
    return int(found[1]) if found else None


def _flag(element: ET.Element, *paths: str) -> bool | None:
    for path in paths:
        text = (_text(element, path) or "").lower()
        if text in ("yes", "enabled", "no", "disabled"):
            return text in ("yes", "enabled")
    return None


def _power(gpu: ET.Element, *names: str) -> float | None:
    for group in ("gpu_power_readings", "power_readings"):
        for name in names:
            value = _number(gpu, f"{group}/{name}")
            if value is not None:
                return value
    return None


def _sum(gpu: ET.Element, group: str, names: tuple[str, ...]) -> int | None:
    values = [value for name in names if (value := _whole(gpu, f"{group}/{name}")) is not None]
    return sum(values) if values else None


def _throttle(gpu: ET.Element) -> str | None:
    """Active reasons for lower clocks; idleness is none of them."""
    for group in ("clocks_event_reasons", "clocks_throttle_reasons"):
        reasons = gpu.find(group)
        if reasons is not None:
            names = [(one.tag.partition("_reason_")[2], (one.text or "").strip()) for one in reasons]
            return ",".join(name for name, value in names if value == "Active" and name not in _IDLE)
    return None
