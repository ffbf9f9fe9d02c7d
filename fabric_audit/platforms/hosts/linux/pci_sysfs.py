"""PCI functions, what lies above them, and NUMA nodes, from sysfs alone."""

import re
from collections.abc import Iterator
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.pci import PciDevice
from fabric_audit.facts.system import KernelSetting, NumaNode
from fabric_audit.platforms.hosts.linux.paths import PCI_ADDRESS, links, pci_chain, pci_root
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.hosts.linux.sysfs import Value, below, tree
from fabric_audit.platforms.model import Answer, Files, Links, Output, Provenance, Skipped, section
from fabric_audit.platforms.text import integer, readable, some

_DRIVERS = "/sys/bus/pci/drivers"
_BOUND = f"{_DRIVERS}/*/*:*"
_ATTRIBUTES = (
    *("class", "vendor", "device", "numa_node", "iommu_group/type"),
    *("current_link_speed", "max_link_speed", "current_link_width", "max_link_width"),
)
_CODE = re.compile(r"0x[0-9a-f]{4,6}")
_PATH = re.compile(rf"{_DRIVERS}/(?P<driver>[^/]+)/(?P<address>{PCI_ADDRESS})(?P<physfn>/physfn)?")
_LANES = 32  # the widest link of the PCI Express Base Specification


@section(
    "sysfs-pci",
    Files(*(f"{_BOUND}/{attribute}" for attribute in _ATTRIBUTES)),
    yields=(PciDevice,),
    proven=Provenance.DOCUMENT,
)
def parse_pci(output: Output) -> Iterator[Answer]:
    """PCI functions that have a driver, bridges among them: class, ids, NUMA node, link now and at best, IOMMU domain.

    Speeds read ``16.0 GT/s PCIe`` or ``8 GT/s``, and ``Unknown`` without a link; a width of 0 or 255 is none, too. What
    a function gets is the least of its own best, the slot's and every bridge's above. A group's ``type`` came with
    Linux 4.18; without an IOMMU there are no groups. Sources: kernel ``Documentation/ABI/testing/sysfs-bus-pci``,
    ``sysfs-kernel-iommu_groups``.
    """
    yield from some(_functions(output), output, f"{_DRIVERS}/DRIVER/ADDRESS/ATTRIBUTE:VALUE")


def _functions(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, "no PCI function with a driver", PciDevice)
    told = tree(output, _DRIVERS)
    yield from told.skipped
    for driver, values in told.devices.items():
        functions: dict[str, dict[str, Value]] = {}
        for (address, attribute), value in below(values, rf"({PCI_ADDRESS})/(.+)"):
            functions.setdefault(address, {})[attribute] = value
        for address, attributes in functions.items():
            yield from readable(partial(_function, address, driver, attributes))


def _function(address: str, driver: str, attributes: dict[str, Value]) -> PciDevice:
    def hexadecimal(name: str, digits: int) -> str | None:
        value = attributes.get(name)
        if value and not _CODE.fullmatch(value.text):
            raise ParseError(value.line, value.text, "a number such as 0x15b3")
        return value.text[2 : 2 + digits] if value else None

    numa, domain = attributes.get("numa_node"), attributes.get("iommu_group/type")
    return PciDevice(
        line=min(value.line for value in attributes.values()),
        address=address,
        driver=driver,
        class_code=hexadecimal("class", 4),
        vendor_id=hexadecimal("vendor", 4),
        device_id=hexadecimal("device", 4),
        numa_node=integer(numa.text, numa.line) if numa else None,
        iommu_type=domain.text if domain else None,
        speed_gts=_speed(attributes.get("current_link_speed")),
        max_speed_gts=_speed(attributes.get("max_link_speed")),
        width=_width(attributes.get("current_link_width")),
        max_width=_width(attributes.get("max_link_width")),
    )


def _speed(value: Value | None) -> float | None:
    if value is None or value.text.startswith("Unknown"):
        return None
    found = re.fullmatch(r"(\d+(?:\.\d)?) GT/s(?: PCIe)?", value.text)
    if not found:
        raise ParseError(value.line, value.text, "a speed such as 16.0 GT/s PCIe")
    return float(found[1])


def _width(value: Value | None) -> int | None:
    lanes = integer(value.text, value.line) if value else None
    return lanes if lanes and lanes <= _LANES else None


@section("sysfs-pci-links", Links(_BOUND, f"{_BOUND}/physfn"), yields=(PciDevice,), proven=Provenance.DOCUMENT)
def parse_pci_links(output: Output) -> Iterator[Answer]:
    """Real paths of PCI functions: the chain of bridges from the host bridge down to each.

    ``/sys/devices/pci0000:16/0000:16:01.0/0000:17:00.0`` hangs on host bridge ``0000:16`` below root port
    ``0000:16:01.0``. Each bridge on the way becomes a row, with a driver or without. ``physfn`` stands only at a
    virtual function. Source: kernel ``Documentation/PCI/sysfs-pci.rst``.
    """
    yield from some(_chains(output), output, f"{_DRIVERS}/DRIVER/ADDRESS -> /REAL/PATH")


def _chains(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, "no PCI function with a driver", PciDevice)
    drivers: dict[str, str] = {}
    physical: dict[str, str] = {}
    chains: dict[str, tuple[int, str | None, str | None]] = {}
    for one in links(output):
        if isinstance(one, Skipped):
            yield one
            continue
        line, path, real = one
        found, chain = _PATH.fullmatch(path), pci_chain(real)
        if not found or not chain:
            yield Skipped(line, path, f"{_DRIVERS}/DRIVER/ADDRESS -> /sys/devices/pci...")
        elif found["physfn"]:
            physical[found["address"]] = chain[-1]
        else:
            drivers[found["address"]] = found["driver"]
            for above, address in zip((None, *chain), chain, strict=False):
                chains.setdefault(address, (line, above, pci_root(real)))
    for address, (line, above, root) in chains.items():
        yield PciDevice(
            line=line,
            address=address,
            driver=drivers.get(address),
            upstream=above,
            root=root,
            physical_function=physical.get(address),
        )


@section("sysfs-iommu", Links("/sys/class/iommu/*"), yields=(KernelSetting,), proven=Provenance.DOCUMENT)
def parse_iommu(output: Output) -> Iterator[Answer]:
    """The IOMMUs that are in use, as the setting ``iommu:units``; none there is "": DMA is not translated.

    Source: kernel ``Documentation/ABI/testing/sysfs-class-iommu``.
    """
    if not output.stdout.strip():
        yield KernelSetting(name="iommu:units", value="")
        return
    yield from some(_units(output), output, "/sys/class/iommu/UNIT -> /REAL/PATH")


def _units(output: Output) -> Iterator[Answer]:
    units: list[str] = []
    complete = True
    for one in links(output):
        if isinstance(one, Skipped):
            yield one
            complete = False
        elif one[1].startswith("/sys/class/iommu/"):
            units.append(one[1].rsplit("/", 1)[-1])
        else:
            yield Skipped(one[0], one[1], "/sys/class/iommu/UNIT")
            complete = False
    if units and complete:
        yield KernelSetting(line=1, name="iommu:units", value=",".join(sorted(set(units))))


_NODES = "/sys/devices/system/node"


@section(
    "numa", Files(f"{_NODES}/node*/cpulist", f"{_NODES}/has_memory"), yields=(NumaNode,), proven=Provenance.DOCUMENT
)
def parse_numa(output: Output) -> Iterator[Answer]:
    """NUMA nodes with their CPUs; a kernel without NUMA has no nodes. GPU memory of GB200 is nodes without CPUs.

    Source: kernel ``Documentation/ABI/stable/sysfs-devices-node``.
    """
    yield from some(_nodes(output), output, f"{_NODES}/nodeN/cpulist:CPUS")


def _nodes(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, "the kernel has no NUMA nodes", NumaNode)
    told = tree(output, "/sys/devices/system")
    yield from told.skipped
    values = told.devices.get("node", {})
    memory = _listed(values["has_memory"]) if "has_memory" in values else None
    for (node,), value in below(values, r"node(\d+)/cpulist"):
        if re.fullmatch(r"(?:\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)?", value.text):
            has_memory = int(node) in memory if memory is not None else None
            yield NumaNode(line=value.line, node=int(node), cpus=value.text, has_memory=has_memory)
        else:
            yield Skipped(value.line, value.text, "a list of CPUs such as 0-47,96-143")


def _listed(value: Value) -> frozenset[int] | None:
    ends = re.findall(r"(\d{1,5})(?:-(\d{1,5}))?", value.text)
    return frozenset(number for low, high in ends for number in range(int(low), int(high or low) + 1))
