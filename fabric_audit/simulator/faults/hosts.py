"""Faults of one host and its GPUs."""

from collections.abc import Callable

from fabric_audit.simulator.fabric import Host
from fabric_audit.simulator.faults.model import Change, Fault, Plot, needs_gpus, sets, sized


def _of_one_gpu(change: Callable[[Host, int, Plot], None]) -> Change:
    def of_one(host: Host, plot: Plot) -> None:
        change(host, plot.dice.randrange(host.gpus), plot)

    return of_one


def _pair(host: Host, plot: Plot) -> tuple[int, int]:
    a, b = sorted(plot.dice.sample(range(host.gpus), 2))
    return a, b


def _nvlink_degraded(host: Host, plot: Plot) -> None:
    fewer = {"two fewer": f"NV{host.nvlinks - 2}"}
    host.nvlink_faults[_pair(host, plot)] = fewer.get(plot.size, plot.size)


def _nvlink_lost(host: Host, gpu: int, _plot: Plot) -> None:
    for other in range(host.gpus):
        if other != gpu:
            host.nvlink_faults[min(gpu, other), max(gpu, other)] = "SYS"


def _peer_blocked(host: Host, plot: Plot) -> None:
    host.p2p_blocked.add(_pair(host, plot))


def _throttled(host: Host, gpu: int, plot: Plot) -> None:
    host.throttle[gpu] = plot.size


def _memory(host: Host, gpu: int, plot: Plot) -> None:
    host.memory_faults[gpu] = plot.size


def _narrow(host: Host, gpu: int, plot: Plot) -> None:
    host.gpu_width[gpu] = plot.size


def _far(host: Host, gpu: int, _plot: Plot) -> None:
    host.far.add(gpu)


_XIDS = {
    48: "pid='<unknown>', name=<unknown>, DBE (double bit error) ECC Error",
    74: "pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 6(0x10000, 0x0, 0x0, 0x0)",
    79: "pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
    95: "pid='<unknown>', name=<unknown>, Uncontained ECC error",
}


def _xid(host: Host, gpu: int, plot: Plot) -> None:
    where = f"PCI:0000:{0x1B + 0x10 * (gpu % 14):02x}:00"
    host.kernel_log.append(f"[ 4242.000000] NVRM: Xid ({where}): {plot.size}, {_XIDS[plot.size]}")


def _pcie_errors(host: Host, gpu: int, _plot: Plot) -> None:
    where = host.nics[gpu % len(host.nics)].pci
    words = "Uncorrected (Non-Fatal) error received"
    host.kernel_log.append(f"[ 4242.000000] pcieport {where}: AER: {words}: {where}")


FAULTS = (
    Fault("gdr-module-missing", "host", "nvidia_peermem is not loaded", sets(peermem=False)),
    Fault(
        "nvlink-degraded",
        "host",
        "two GPUs reach each other with fewer NVLinks, or none",
        _nvlink_degraded,
        ("two fewer", "NODE", "SYS"),
        needs_gpus(2),
    ),
    Fault("nvlink-lost", "host", "a GPU has lost all NVLinks", _of_one_gpu(_nvlink_lost), (), needs_gpus(2)),
    Fault("peer-access-blocked", "host", "two GPUs may not read each other's memory", _peer_blocked, (), needs_gpus(2)),
    Fault(
        "gpu-throttled",
        "host",
        "a GPU is slowed down",
        _of_one_gpu(_throttled),
        ("hw_thermal_slowdown", "hw_power_brake_slowdown", "hw_slowdown"),
    ),
    Fault(
        "gpu-memory",
        "host",
        "the memory of a GPU is not sound",
        _of_one_gpu(_memory),
        ("uncorrected", "remap_pending", "remap_failed", "ecc_off"),
    ),
    Fault("gpu-error", "host", "the driver logged an Xid of a GPU", _of_one_gpu(_xid), tuple(_XIDS)),
    Fault("gpu-pcie-narrow", "host", "a GPU runs on fewer PCIe lanes", _of_one_gpu(_narrow), (8, 4, 1)),
    Fault("gpu-far", "host", "a GPU sits below another root port than its NIC", _of_one_gpu(_far)),
    Fault("acs-on", "host", "bridges send peer-to-peer traffic through the root complex", sets(acs=True)),
    Fault("iommu-translates", "host", "the IOMMU translates DMA", sized("iommu"), ("DMA", "DMA-FQ")),
    Fault("memlock-limited", "host", "programs may lock little memory", sized("memlock"), ("65536", "8388608")),
    Fault("pcie-errors", "host", "the kernel logs PCIe errors of a NIC", _of_one_gpu(_pcie_errors)),
    Fault("kernel-differs", "host", "the kernel is another than on the other hosts", sets(kernel="5.15.0-91-generic")),
    Fault("gpu-driver-differs", "host", "the GPU driver is another than on the other hosts", sets(driver="535.183.06")),
    Fault("firmware-differs", "host", "the NICs' firmware is another than elsewhere", sets(firmware="28.36.1010")),
    Fault("clock-off", "host", "the clock is wrong by so many seconds", sized("clock_off_s"), (-60.0, 90.0, 3600.0)),
    Fault(
        "rails-share-subnet",
        "host",
        "all rails are in one subnet and answer ARP for each other",
        sets(prefix=8, arp_ignore=0),
        (),
        needs_gpus(2),
    ),
    Fault("foreign-qp", "host", "somebody's job holds queue pairs on its NICs", sets(foreign_qps=2)),
    Fault("perftest-missing", "host", "no perftest is installed", sets(perftest=False)),
)
