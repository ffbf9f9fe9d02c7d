"""What an NCCL debug log says of a job: its ranks, the path of every channel, devices, environment, errors.

A process is named by host and pid, as the log's own line prefix does; ``device`` is the CUDA device of the thread
that printed a line. Ranks number GPUs within one communicator, and a job has several: ``comm`` tells them apart.
"""

from fabric_audit.facts import Fact, counter, exact, key, passing, volatile


@passing
class NcclLog(Fact):
    """One log as a whole."""

    version: str = key("NCCL version; several, blank separated, where several are printed; empty for none")
    lines: int | None = volatile("lines read")
    nccl_lines: int | None = volatile("lines that NCCL wrote")
    torn_lines: int | None = volatile("lines left out: cut, shared by two writers, or in words of no known version")
    ranks: int | None = exact("GPUs of the largest communicator in the log")


@passing
class NcclRank(Fact):
    """One GPU in one communicator."""

    host: str = key("host name in the log's prefix; empty where there is none")
    pid: int = key("process; -1 where the log names none")
    device: int = key("CUDA device of the process")
    comm: str = key("communicator: its commId, else the address of its structure in this process")
    rank: int | None = exact("rank in the communicator")
    ranks: int | None = exact("size of the communicator")
    nodes: int | None = exact("hosts (NVLink domains where MNNVL is on) in the communicator")
    local_rank: int | None = exact("rank within the host")
    local_ranks: int | None = exact("ranks on the host")
    gpu: int | None = exact("NVML index of the GPU, as nvidia-smi numbers it")
    model: str | None = exact("GPU model, where the log has the list of devices of nccl-tests")
    bus_id: str | None = exact("PCI address of the GPU in NCCL's short hex form, such as 1a000 for 0000:1a:00.0")
    network: str | None = exact("network chosen: IB, IBext_v8, AWS Libfabric, Socket, ...")
    mnnvl: bool | None = exact("NVLink between hosts is in use")
    dmabuf: bool | None = exact("the GPU can export its memory as a DMA-BUF; no proof that GPUDirect RDMA is used")
    ring_pxn: bool | None = exact("a ring channel leaves by another GPU's NIC (PXN)", source="NCCL 2.24+")
    ring_gdr: bool | None = exact("every ring channel over the network uses GPUDirect RDMA", source="NCCL 2.24+")


@passing
class NcclChannel(Fact):
    """The channels from one rank to another that take the same path, as the rank at this end announced them."""

    host: str = key("host that printed it")
    pid: int = key("process that printed it")
    device: int = key("CUDA device of the thread that printed it")
    comm: str = key("communicator that the thread had begun last; empty when unknown")
    rank: int = key("rank at this end")
    peer: int = key("rank at the other end; -1 for a switch that reduces (collnet)")
    direction: str = key("send or receive; P2P and SHM lines are the sender's")
    connection: int = key("connection index; 0 where the version prints none")
    path: str = key("the words after via, as printed: P2P/CUMEM, NET/IB/0/GDRDMA, ...")
    channels: str | None = exact("channel numbers, blank separated")
    transport: str | None = exact("p2p, shm, net or collnet")
    link: str | None = exact("what a p2p path runs over where the words tell: nvlink or pcie")
    network: str | None = exact("network of a net path: IB, IBext_v8, Socket, AWS Libfabric, ...")
    net_device: int | None = exact("index of the NIC among those in use")
    nic: str | None = exact("its name, by the list of devices the process printed")
    gdr: bool | None = exact("the NIC reads or writes GPU memory (GDRDMA) on this net path")
    proxy_rank: int | None = exact("rank whose NIC is used through NVLink (PXN)")
    gpu: str | None = exact("GPU at this end as printed: NVML index from 2.18, short bus id from 2.5")
    peer_gpu: str | None = exact("GPU at the other end, as printed")


@passing
class NcclGraph(Fact):
    """One rank's place in one ring or tree."""

    host: str = key("host that printed it")
    pid: int = key("process")
    device: int = key("CUDA device")
    comm: str = key("communicator that the process had initialised last; empty when unknown")
    kind: str = key("ring, tree, or order (the whole ring, which rank 0 prints)")
    channel: int = key("channel")
    rank: int | None = exact("this rank")
    up: str | None = exact("previous rank of a ring, parent of a tree; empty for a root")
    down: str | None = exact("next rank of a ring, children of a tree, blank separated; all ranks of an order")


@passing
class NcclDevice(Fact):
    """One NIC that a process may use."""

    host: str = key("host")
    pid: int = key("process")
    network: str = key("IB or Socket, as in the line that lists it")
    index: int = key("index among the devices in use")
    name: str | None = exact("RDMA device or interface; several joined with + where NCCL merged them")
    port: int | None = exact("port of the RDMA device")
    layer: str | None = exact("IB or RoCE")
    sharp: bool | None = exact("SHARP is available on it")
    relaxed_ordering: bool | None = exact("PCIe relaxed ordering is in use ([RO])")
    gdr: bool | None = exact("GPUDirect RDMA is possible: a peer memory module or DMA-BUF was found")
    gdr_words: str | None = exact("NCCL's reason where it is not")


@passing
class NcclGdrDistance(Fact):
    """NCCL's decision on GPUDirect RDMA between one GPU and one NIC, by distance."""

    host: str = key("host")
    pid: int = key("process")
    gpu: str = key("GPU as printed: bus id, rank, or cuda[nvml]")
    nic: str = key("index of the NIC, as printed")
    read: int = key("1 for sends (the NIC reads GPU memory), 0 for receives, -1 where not printed")
    enabled: bool | None = exact("GPUDirect RDMA is used")
    distance: int | None = exact("distance as printed; what it means depends on the version")
    level: int | None = exact("limit as printed")
    distance_name: str | None = exact("PIX, PXB, ...; only with the version known", source="NCCL src/graph/topo.h")
    level_name: str | None = exact("the limit's name; only with the version known", source="NCCL src/graph/topo.h")


@passing
class NcclEnv(Fact):
    """One setting, as the process said that it read it, or as a configuration file holds it."""

    host: str = key("host; empty for a file")
    pid: int = key("process; -1 for a file")
    name: str = key("name of the variable")
    value: str | None = exact("value as printed or written; level variables are printed by name")
    source: str | None = exact("log, or the name of the file")


@passing
class NcclEvent(Fact):
    """An error or warning; the same one of a process is one row with a count."""

    host: str = key("host")
    pid: int = key("process")
    device: int = key("CUDA device")
    kind: str = key(
        "completion_error, async_event, speed_change, verbs_call, connect, duplicate_gpu, cuda, nvls, "
        "p2p_disabled, no_rdma_device, warning"
    )
    status: int = key("status of a work completion (ibv_wc_status) or errno; -1 for none")
    nic: str = key("RDMA device and port; empty where not named")
    peer: str = key("address of the peer; empty where not named")
    what: str = key("verbs call, event, or the words of a warning with their numbers left out")
    direction: str | None = exact("Send or Recv, where named")
    count: int | None = counter("how often it came")
    cause: str | None = exact("what it means")
    message: str | None = volatile("NCCL's words, the first time")
