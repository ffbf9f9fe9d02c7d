"""Congestion control of NICs."""

from fabric_audit.facts import Fact, exact, key, table


@table
class CongestionControl(Fact):
    """What a NIC port does about congestion on one priority."""

    port: str = key("network interface")
    priority: int = key("priority, 0 to 7; -1 for the port as a whole")
    algorithm: str | None = exact("dcqcn, rtt, programmable, none or unknown")
    notification_point: bool | None = exact("answers CE marks with CNPs (NP)")
    reaction_point: bool | None = exact("slows down on CNPs (RP)")
    source: str | None = exact("which tool or file said so")


@table
class CongestionSetting(Fact):
    """One congestion control parameter of a NIC port."""

    port: str = key("network interface")
    name: str = key("cnp_dscp, cnp_priority, min_time_between_cnps_us, or the driver's own name")
    value: str | None = exact("value in force")
    source: str | None = exact("which tool or file said so")


@table
class NicSetting(Fact):
    """One firmware or driver setting of a NIC that is in force now."""

    device: str = key("RDMA device, interface or PCI address")
    name: str = key("setting in the tool's own word")
    value: str | None = exact("value in force")
    next_boot: str | None = exact("value after the next reboot, where it differs")
    next_reload: str | None = exact(
        "value the driver takes at its next devlink reload; it may be in force already",
        source="Linux Documentation/networking/devlink/devlink-params.rst, driverinit",
    )
    source: str | None = exact("which tool or file said so")
