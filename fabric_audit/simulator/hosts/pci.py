"""The PCI tree of a simulated host: for each rail a switch that its NIC and its GPU share."""

from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.simulator.fabric import Host, Nic

DRIVERS = "/sys/bus/pci/drivers"


@dataclass(frozen=True, slots=True)
class Function:
    """One PCI function and the functions above it, from the host bridge on."""

    address: str
    chain: tuple[str, ...]
    """Host bridge first, the function itself last."""
    driver: str
    code: str
    kind: str
    name: str
    vendor: str
    device: str
    numa: int
    speed_gts: float = 32.0
    max_speed_gts: float = 32.0
    width: int = 16
    read_request: int = 4096
    relaxed: bool = True
    secondary: str = ""
    """Bus below a bridge; empty for an endpoint."""
    acs: bool = False

    @property
    def path(self) -> str:
        """Where sysfs keeps it."""
        return f"/sys/devices/pci{'/'.join(self.chain)}"


def functions(host: Host) -> Iterator[Function]:
    """Every function of the host with a driver, bridges above endpoints."""
    for nic in host.nics:
        yield from _of_rail(host, nic)


def _of_rail(host: Host, nic: Nic) -> Iterator[Function]:
    """Root port, the switch's upstream port, its two downstream ports, NIC and GPU."""
    base = 0x16 + 0x10 * (nic.rail % 14)
    bus = [f"{base + step:02x}" for step in range(6)]
    root, up = f"0000:{bus[0]}:01.0", f"0000:{bus[1]}:00.0"
    down = [f"0000:{bus[2]}:00.0", f"0000:{bus[2]}:01.0"]
    gpu = f"0000:{bus[5]}:00.0"
    above = (f"0000:{bus[0]}", root, up)

    def bridge(address: str, chain: tuple[str, ...], secondary: str, name: str, *, acs: bool) -> Function:
        return Function(
            address,
            chain,
            "pcieport",
            "0604",
            "PCI bridge",
            name,
            "1000",
            "c030",
            nic.numa,
            secondary=secondary,
            acs=acs,
        )

    yield bridge(root, above[:2], bus[1], "Root Port", acs=False)
    yield bridge(up, above, bus[2], "PCIe Gen 5 Switch", acs=False)
    for port, secondary in zip(down, bus[4:], strict=True):
        yield bridge(port, (*above, port), secondary, "PCIe Gen 5 Switch", acs=host.acs)
    yield Function(
        *(nic.pci, (*above, down[0], nic.pci), "mlx5_core", "0200", "Ethernet controller"),
        *("MT2910 Family [ConnectX-7]", "15b3", "1021", nic.numa),
        speed_gts=nic.pci_gts,
        width=nic.pci_width,
        read_request=nic.read_request,
        relaxed=nic.relaxed,
    )
    if nic.rail < host.gpus:
        yield Function(
            *(gpu, (*above, down[1], gpu), "nvidia", "0302", "3D controller"),
            *("GH100 [H100 SXM5 80GB]", "10de", "2330", nic.numa),
            width=host.gpu_width.get(nic.rail, 16),
        )


def contents(host: Host) -> dict[str, str]:
    """Attributes of all functions below their drivers."""
    found: dict[str, str] = {}
    for one in functions(host):
        place = f"{DRIVERS}/{one.driver}/{one.address}"
        found |= {
            f"{place}/class": f"0x{one.code}00",
            f"{place}/vendor": f"0x{one.vendor}",
            f"{place}/device": f"0x{one.device}",
            f"{place}/numa_node": str(one.numa),
            f"{place}/current_link_speed": f"{one.speed_gts} GT/s PCIe",
            f"{place}/max_link_speed": f"{one.max_speed_gts} GT/s PCIe",
            f"{place}/current_link_width": str(one.width),
            f"{place}/max_link_width": "16",
        }
        if host.iommu:
            found[f"{place}/iommu_group/type"] = host.iommu
    return found


def links(host: Host) -> dict[str, str]:
    """Where each function's entry below its driver leads."""
    return {f"{DRIVERS}/{one.driver}/{one.address}": one.path for one in functions(host)}


def lspci(host: Host) -> str:
    """`lspci -Dnnvvv` as root sees it."""
    return "\n".join("\n".join(_shown(one)) + "\n" for one in functions(host))


def _shown(one: Function) -> Iterator[str]:
    yield f"{one.address} {one.kind} [{one.code}]: Example {one.name} [{one.vendor}:{one.device}] (rev b0)"
    yield f"\tNUMA node: {one.numa}"
    if one.secondary:
        primary = one.address.split(":")[1]
        yield f"\tBus: primary={primary}, secondary={one.secondary}, subordinate={one.secondary}, sec-latency=0"
    yield "\tCapabilities: [60] Express (v2) " + (
        "Downstream Port (Slot-), MSI 00" if one.secondary else "Endpoint, MSI 00"
    )
    yield "\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq-"
    yield f"\t\t\tRlxdOrd{'+' if one.relaxed else '-'} ExtTag+ PhantFunc- AuxPwr- NoSnoop+"
    yield f"\t\t\tMaxPayload 256 bytes, MaxReadReq {one.read_request} bytes"
    yield f"\t\tLnkCap:\tPort #0, Speed {one.max_speed_gts:g}GT/s, Width x16, ASPM not supported"
    yield f"\t\tLnkSta:\tSpeed {one.speed_gts:g}GT/s, Width x{one.width}"
    if one.secondary:
        flag = "+" if one.acs else "-"
        yield "\tCapabilities: [148 v1] Access Control Services"
        yield "\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+"
        flags = f"SrcValid{flag} TransBlk- ReqRedir{flag} CmpltRedir{flag} UpstreamFwd{flag} EgressCtrl- DirectTrans-"
        yield f"\t\tACSCtl:\t{flags}"
    yield f"\tKernel driver in use: {one.driver}"
