"""PCI devices and bridges of a host, and what lies between them."""

from fabric_audit.facts import Fact, exact, key, table


@table
class PciDevice(Fact):
    """One PCI function: a GPU, a NIC, a bridge, or anything else.

    A path between two functions is found by following ``upstream`` from both until they meet; when they meet at
    no bridge but share ``root``, the path passes the host bridge.
    """

    address: str = key("domain:bus:device.function, such as 0000:1a:00.0")
    class_code: str | None = exact(
        "base class and subclass in hex: 0200 Ethernet, 0207 InfiniBand, 0302 GPU, 0604 bridge", source="PCI-SIG"
    )
    vendor_id: str | None = exact("vendor in hex, such as 15b3 or 10de", source="PCI-SIG")
    device_id: str | None = exact("device in hex", source="PCI-SIG")
    description: str | None = exact("name from the PCI id database")
    driver: str | None = exact("kernel driver bound to it")
    numa_node: int | None = exact("NUMA node; -1 where the platform names none")
    upstream: str | None = exact("bridge above it; None on a root bus, or where the output does not show it")
    root: str | None = exact("host bridge it hangs below, such as 0000:16")
    physical_function: str | None = exact("for a virtual function: the physical function it belongs to")
    speed_gts: float | None = exact("link speed now in GT/s per lane")
    max_speed_gts: float | None = exact("highest link speed the function can do in GT/s per lane")
    width: int | None = exact("lanes in use")
    max_width: int | None = exact("lanes the function has")
    max_payload_bytes: int | None = exact("MaxPayload in force", source="PCI Express Base 7.5.3.4")
    max_read_request_bytes: int | None = exact("MaxReadReq in force", source="PCI Express Base 7.5.3.4")
    relaxed_ordering: bool | None = exact("may set the relaxed ordering attribute", source="PCI Express Base 7.5.3.4")
    iommu_group: int | None = exact("IOMMU group")
    iommu_type: str | None = exact(
        "default domain of its group: identity (passthrough), DMA or DMA-FQ (translated), blocked",
        source="Linux Documentation/ABI/testing/sysfs-kernel-iommu_groups",
    )


@table
class PciAcs(Fact):
    """Access control services in force on one function (ACSCtl, not what it could do: ACSCap).

    Peer-to-peer traffic leaves the switch for the root complex where ``request_redirect``, ``completion_redirect``
    or ``upstream_forwarding`` is on at a downstream port between the two peers.
    """

    address: str = key("function; unnamed-N, N counting from 1, where the output names none")
    capable: bool | None = exact("has the services at all; False for a bridge that lacks them")
    source_validation: bool | None = exact("SrcValid", source="PCI Express Base 6.12")
    translation_blocking: bool | None = exact("TransBlk", source="PCI Express Base 6.12")
    request_redirect: bool | None = exact(
        "ReqRedir: peer requests go to the root complex", source="PCI Express Base 6.12"
    )
    completion_redirect: bool | None = exact(
        "CmpltRedir: peer completions go to the root complex", source="PCI Express Base 6.12"
    )
    upstream_forwarding: bool | None = exact("UpstreamFwd", source="PCI Express Base 6.12")
    egress_control: bool | None = exact("EgressCtrl", source="PCI Express Base 6.12")
    direct_translated: bool | None = exact("DirectTrans", source="PCI Express Base 6.12")
