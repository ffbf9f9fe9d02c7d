"""What a host's kernel said about its fabric, its NICs and its GPUs."""

from enum import StrEnum

from fabric_audit.facts import Fact, exact, key, passing, volatile


class EventClass(StrEnum):
    """What a kernel message is about."""

    LINK = "link"
    """A port went up or down, or a bond gave up a member."""
    MODULE = "module"
    """A pluggable module or cable: plugged, unplugged, unreadable, refused."""
    THERMAL = "thermal"
    """Too hot."""
    NIC = "nic"
    """The NIC, its firmware or its driver."""
    RDMA = "rdma"
    """A work request completed in error."""
    PCIE = "pcie"
    """PCI Express: bus errors, a lost device, a link narrower or slower than it could be."""
    GPU = "gpu"
    """An Xid of a GPU."""
    NVSWITCH = "nvswitch"
    """An SXid of an NVSwitch."""
    PEERMEM = "peermem"
    """The module that lets NICs reach GPU memory."""
    IOMMU = "iommu"
    """DMA that was refused."""
    HARDWARE = "hardware"
    """A machine check or memory error of the host."""


@passing
class KernelEvent(Fact):
    """One line of the kernel log that bears on the data plane; a log is a ring, so its start may be lost."""

    time: str = key("as printed: seconds since boot, or a wall clock time; empty where the log has none")
    source: str = key("who says so: NVRM, nvidia-nvswitch0, mlx5_core, pcieport, bond0, ...")
    code: str = key("the Xid or SXid, or a word for the message, such as link_down")
    subject: str = key("PCI address, RDMA device or interface it is about; empty where none is named")
    event_class: str | None = exact("link, module, thermal, nic, rdma, pcie, gpu, nvswitch, peermem, iommu, hardware")
    fatal: bool | None = exact("the message itself calls it fatal, or corrected and non-fatal")
    cause: str | None = exact("what a code of NVIDIA means, where it is known", source="NVIDIA XID Errors")
    part: str | None = exact("what such a code points to: application, memory, nvlink, pcie, firmware, power, fabric")
    text: str | None = exact("the message")
    since_boot_s: float | None = volatile("seconds since boot, where the log counts so")
