"""The inventory as tables: what ought to exist."""

from fabric_audit.facts import Fact, exact, key, passing, table


@passing
class Fabric(Fact):
    """The fabric as a whole; one row, and the first word of what is said of no single target."""

    name: str = key("name in the inventory")
    wiring: str | None = exact("how hosts are cabled to leaves: rail, rack, dual-tor, dual-plane or free")
    origin: str | None = exact("real, or simulated where the evidence comes from the embedded pod")
    traffic_ended: str | None = exact("why less traffic was sent than planned, in words; None where all of it was")


@table
class Target(Fact):
    """One host or switch of the inventory; its name is the row's target."""

    kind: str = key("host or switch")
    platform: str | None = exact("linux, or the switch OS")
    role: str | None = exact("leaf, spine, ... of a switch")
    unit: str | None = exact("unit (scalable unit, rack, pod) it belongs to")
    model: str | None = exact("model of the inventory")
    gpus: int | None = exact("GPUs it ought to have")
    nvlinks: int | None = exact("NVLinks each GPU ought to have, 0 for none")


@table
class IntendedNic(Fact):
    """One NIC the inventory promises on a host."""

    nic: str = key("RDMA device or interface by which the inventory names it")
    rail: int | None = exact("rail")
    device: str | None = exact("RDMA device")
    netdev: str | None = exact("interface")
    speed_bps: int | None = exact("speed it ought to run at")
    role: str | None = exact("compute, storage or management")
    plane: int | None = exact("plane of a dual-plane fabric")
    bond: str | None = exact("bond it is a member of")
    qos_owner: str | None = exact("who owns its QoS: host or dpu")


@table
class Cable(Fact):
    """One cable of the cable plan."""

    a_target: str = key("one end's target")
    a_port: str = key("one end's port")
    b_target: str = key("other end's target")
    b_port: str = key("other end's port")
    length_m: float | None = exact("length in metres")


@table
class Link(Fact):
    """One resolved link: two ends and the evidence that joins them."""

    a_target: str = key("one end's target")
    a_port: str = key("one end's port, canonical")
    b_target: str = key("other end's target")
    b_port: str = key("other end's port, canonical")
    by: str | None = exact("lldp, mac, gid or cables: the first that resolved it")
    role: str | None = exact("host (host to switch), fabric (switch to switch) or direct (host to host)")
    conflict: str | None = exact("another source that disagrees, in words")


@passing
class FabricPort(Fact):
    """One port of the RDMA fabric, of a NIC or of a switch."""

    port: str = key("interface of a host, or port of a switch, canonical")
    side: str | None = exact("nic, host (a switch port towards a NIC) or fabric (towards another switch)")
    rail: int | None = exact("rail of the NIC, or of the NIC at the other end")
