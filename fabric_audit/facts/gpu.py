"""GPUs, and how they reach each other and the NICs."""

from fabric_audit.facts import Fact, exact, key, measure, table, volatile


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
    fabric_state: str | None = exact("NVLink fabric registration: Completed, In Progress, N/A")
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
