"""GPUs, and how they reach each other and the NICs."""

from fabric_audit.facts import Fact, counter, exact, key, measure, passing, table, volatile


@table
class Gpu(Fact):
    """One GPU."""

    gpu: int = key("index as nvidia-smi numbers it")
    model: str | None = exact("product name")
    uuid: str | None = volatile("UUID")
    pci: str | None = exact("PCI address, such as 0000:1a:00.0")
    numa_node: int | None = exact("NUMA node of its CPU side")
    numa_affinity: str | None = exact("NUMA nodes near it, as printed; on Grace a list with its own memory in it")
    memory_numa_node: int | None = exact("NUMA node of its own memory, where the CPU can address it (Grace)")
    cpu_affinity: str | None = exact("CPUs near it, as printed")
    driver: str | None = exact("driver version")
    fabric_state: str | None = exact("NVLink fabric registration: Completed, In Progress, Not Started")
    fabric_status: str | None = exact("outcome of the registration: Success, or an error")
    fabric_clique: str | None = exact("clique of the NVLink fabric; GPUs of one clique reach each other")
    fabric_cluster: str | None = exact("UUID of the NVLink cluster; None where it is all zeros")
    mig: bool | None = exact("multi-instance mode is on: the topology then says nothing of peer access")
    temperature_c: float | None = measure("temperature in degrees Celsius", tolerance=0.5)
    throttle: str | None = exact("active clock throttle reasons, comma separated; empty for none")


@table
class GpuLink(Fact):
    """How two GPUs reach each other; one row a pair."""

    gpu: int = key("the GPU with the lower index")
    peer: int = key("the GPU with the higher index")
    path: str | None = exact(
        "NV#, PIX, PXB, PHB, NODE or SYS; NV#, PIX and PXB cross no host bridge",
        source="nvidia-smi topo legend",
    )
    nvlinks: int | None = exact("number of NVLinks between them, 0 for none")


@table
class GpuNicPath(Fact):
    """How a GPU reaches a NIC."""

    gpu: int = key("GPU")
    nic: str = key("RDMA device, or the NIC's label where no legend names it")
    path: str | None = exact("PIX, PXB, PHB, NODE or SYS", source="nvidia-smi topo legend")


@table
class GpuDirect(Fact):
    """What a host has for GPUDirect RDMA; one row a mechanism."""

    mechanism: str = key("peermem or dmabuf")
    available: bool | None = exact("the mechanism can be used")
    evidence: str | None = exact("the file or word that proves it")


@table
class GpuP2p(Fact):
    """Whether two GPUs may access each other's memory; one row a direction."""

    gpu: int = key("GPU that accesses")
    peer: int = key("GPU that is accessed")
    capability: str = key("read, write, nvlink, pcie or atomics; unnamed where the text does not say which it is")
    allowed: bool | None = exact("the status is OK")
    status: str | None = exact(
        "OK; CNS chipset, GNS GPU, TNS topology not supported; NS not supported; DR disabled by registry key; "
        "U unknown; any other code as printed",
        source="nvidia-smi topo -p2p legend",
    )


@table
class GpuNvlinks(Fact):
    """The NVLinks of one GPU taken together."""

    gpu: int = key("index as nvidia-smi numbers it")
    supported: bool | None = exact("the GPU has NVLink")
    active: int | None = exact("links that are up; None where the list is incomplete")
    inactive: int | None = exact("links that are down; None where they are not listed one by one")


@table
class GpuNvlink(Fact):
    """One NVLink of one GPU. Links that are up prove no fabric: see ``fabric_state`` of the table ``gpu``."""

    gpu: int = key("index as nvidia-smi numbers it")
    link: int = key("link")
    active: bool | None = exact("the link is up")
    bandwidth_bps: float | None = exact("bandwidth of one direction", source="nvidia-smi nvlink -s, GB/s of 10^9")


@table
class GpuNvlinkCounter(Fact):
    """One error counter of one NVLink."""

    gpu: int = key("index as nvidia-smi numbers it")
    link: int = key("link")
    name: str = key("replay_errors, recovery_errors, crc_errors, ... as printed, in snake_case")
    value: int | None = counter("count since the driver was loaded")


@table
class GpuHealth(Fact):
    """What makes a GPU slow or unreliable by itself, so that it is not blamed on the network."""

    gpu: int = key("index as nvidia-smi numbers it")
    pci: str | None = exact("PCI address")
    performance_state: str | None = exact("P0 (highest) to P12")
    sm_clock_mhz: float | None = measure("SM clock in MHz", tolerance=0.3)
    sm_clock_max_mhz: float | None = exact("highest SM clock in MHz")
    power_draw_w: float | None = measure("power drawn in watts", tolerance=0.5)
    power_limit_w: float | None = exact("power limit in force in watts")
    power_default_w: float | None = exact("power limit by default in watts")
    temperature_c: float | None = measure("GPU temperature in degrees Celsius", tolerance=0.5)
    memory_temperature_c: float | None = measure("memory temperature in degrees Celsius", tolerance=0.5)
    throttle: str | None = exact("active reasons for lower clocks, comma separated; empty for none; idle left out")
    ecc: bool | None = exact("ECC is on")
    ecc_corrected: int | None = counter("corrected memory errors since the driver was loaded")
    ecc_uncorrected: int | None = counter("uncorrected memory errors since the driver was loaded")
    ecc_uncorrected_aggregate: int | None = counter("uncorrected memory errors over the card's life")
    sram_threshold_exceeded: bool | None = exact("uncorrected SRAM errors exceed NVIDIA's limit: replace the card")
    remapped_rows_uncorrected: int | None = exact("memory rows remapped after uncorrected errors")
    remap_pending: bool | None = exact("a row remap waits for a reset of the GPU")
    remap_failed: bool | None = exact("a row could not be remapped: replace the card")
    retired_pages_pending: bool | None = exact("a page retirement waits for a reset (before Ampere)")
    pcie_generation: int | None = exact("PCIe generation of the link now; drops while idle")
    pcie_generation_max: int | None = exact("highest PCIe generation of card and slot together")
    pcie_width: int | None = exact("PCIe lanes now")
    pcie_width_max: int | None = exact("PCIe lanes of the card")
    pcie_replays: int | None = counter("PCIe replays since reset")
    recovery_action: str | None = exact("what the driver asks for: None, Reset, Reboot, Drain P2P, ...")


@passing
class FabricManagerEvent(Fact):
    """One kind of error that the fabric manager logged."""

    switch: str = key("PCI address of the NVSwitch; empty where none is named")
    port: int = key("port of the NVSwitch; -1 for none")
    sxid: int = key("SXid; -1 where the message has none")
    what: str = key("words of a message without an SXid, numbers left out; empty otherwise")
    fatal: bool | None = exact("the fabric manager calls it fatal")
    cause: str | None = exact("what the SXid means")
    physical_id: int | None = exact("physical id of the NVSwitch")
    count: int | None = counter("how often it was logged")
    first: str | None = volatile("time of the first, as printed")
    last: str | None = volatile("time of the last, as printed")


@table
class DcgmHealth(Fact):
    """What the health watches of NVIDIA's data centre GPU manager have found; a host without a finding has one row."""

    entity: str = key("what it was found on, such as GPU 3 or NvSwitch 12; empty for the host as a whole")
    system: str = key("the watch: PCIe system, NVLINK system, Memory system, ...; empty for all of them together")
    health: str | None = exact("Healthy, Warning or Failure", source="DCGM user guide, 'Health Monitor'")
    message: str | None = exact("DCGM's words")
