"""What a target is and runs."""

from fabric_audit.facts import Fact, exact, key, table, volatile


@table
class System(Fact):
    """One target's identity and software; one row a target."""

    name: str = key("host name the target gives itself")
    os: str | None = exact("operating system, such as linux, sonic, arista_eos")
    os_version: str | None = exact("its version, in the vendor's words")
    kernel: str | None = exact("kernel release")
    model: str | None = exact("hardware model")
    serial: str | None = volatile("serial number")
    roce_mode: str | None = exact("vendor's RoCE macro: lossless, semi_lossless, lossy or none")
    clock_utc: str | None = volatile("the target's own clock when asked, RFC 3339")
    uptime_s: float | None = volatile("seconds since boot")


@table
class KernelSetting(Fact):
    """One sysctl, boot parameter or limit."""

    name: str = key("name, such as net.ipv4.conf.eth1.rp_filter or cmdline:iommu")
    value: str | None = exact("value as printed")


@table
class KernelModule(Fact):
    """One kernel module that is loaded."""

    name: str = key("module name with underscores")
    version: str | None = exact("version, where the module gives one")
    licence: str | None = exact("licence: open GPU kernel modules say 'Dual MIT/GPL'")
    taints: str | None = exact(
        "taint letters: P proprietary, O built out of tree, E unsigned, F forced; empty for none",
        source="Linux Documentation/admin-guide/tainted-kernels.rst",
    )


@table
class Tool(Fact):
    """One program the audit can use on the target."""

    name: str = key("program name")
    version: str | None = exact("version as printed")
    path: str | None = exact("where it lies")
    options: str | None = exact("options it knows, blank separated, from its own help")


@table
class NumaNode(Fact):
    """One NUMA node of a host."""

    node: int = key("number")
    cpus: str | None = exact("its CPUs as a Linux cpu list; empty for a node of memory only")
    has_memory: bool | None = exact("memory belongs to it", source="/sys/devices/system/node/has_memory")
