"""RDMA devices of a host."""

from fabric_audit.facts import Fact, exact, key, passing, table, volatile


@table
class RdmaDevice(Fact):
    """One RDMA device."""

    device: str = key("name, such as mlx5_0")
    driver: str | None = exact("mlx5, bnxt_re, irdma, efa, rxe, ...")
    firmware: str | None = exact("firmware version")
    board: str | None = exact("board id (PSID)")
    part: str | None = exact("vendor's part id or HCA type")
    pci: str | None = exact("PCI address, such as 0000:1a:00.0")
    numa_node: int | None = exact("NUMA node; -1 where the platform names none")
    node_guid: str | None = exact("node GUID with colons")
    sys_image_guid: str | None = exact("one per board: two devices with the same are ports of one card")
    virtual_function: bool | None = exact("an SR-IOV virtual function")
    numa_cpus: str | None = exact("CPUs near the device, as a Linux cpu list")


@table
class RdmaPort(Fact):
    """One port of an RDMA device."""

    device: str = key("device")
    port: int = key("port number, from 1")
    state: str | None = exact("ACTIVE, DOWN, INIT, ARMED", source="InfiniBand Architecture 14.2.5.6 PortState")
    physical_state: str | None = exact("LinkUp, Disabled, Polling, ...")
    link_layer: str | None = exact("Ethernet or InfiniBand")
    rate_bps: int | None = exact("port rate in bits per second; meaningless while not ACTIVE")
    netdev: str | None = exact("network interface on the same port")
    active_mtu_bytes: int | None = exact("RDMA path MTU: 256 to 4096")
    max_mtu_bytes: int | None = exact("largest path MTU the device can do")
    lid: int | None = exact("InfiniBand local id, 0 on Ethernet")
    sm_lid: int | None = exact("subnet manager's local id, 0 on Ethernet")
    traffic_class: int | None = exact(
        "traffic class forced on every QP, whatever the application sets; None where no override is set",
        source="MLNX_OFED /sys/class/infiniband/DEV/tc/PORT/traffic_class",
    )
    cm_tos: int | None = exact("default ToS of RDMA-CM connections; NCCL does not use RDMA-CM")


@table
class Gid(Fact):
    """One entry of a port's GID table."""

    device: str = key("device")
    port: int = key("port number")
    index: int = key("index in the GID table")
    gid: str | None = exact("GID in eight groups of four hex digits")
    type: str | None = exact("RoCE v1, RoCE v2 or IB")
    ipv4: str | None = exact("IPv4 address, when the GID maps one")
    netdev: str | None = exact("network interface")


@passing
class RdmaResource(Fact):
    """How much of an RDMA device is in use; what the kernel's own services hold counts too."""

    device: str = key("device")
    qps: int | None = volatile("queue pairs; the kernel holds one or two a port for management")
    memory_regions: int | None = volatile("registered memory regions")
    contexts: int | None = volatile("programs that have the device open; more than 0 is somebody at work")


@passing
class QueuePair(Fact):
    """One queue pair of an RDMA device."""

    device: str = key("device")
    port: int = key("port number")
    qpn: int = key("number of the queue pair")
    type: str | None = volatile("RC, UD, UC, XRC, GSI, SMI, ...")
    state: str | None = volatile("RESET, INIT, RTR, RTS, SQD, SQE, ERR")
    process: str | None = volatile("program that owns it; a service of the kernel where it has no pid")
    pid: int | None = volatile("its process id; None for the kernel")
