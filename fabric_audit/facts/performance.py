"""Traffic tests: what one tool printed, and what a pair of hosts achieved."""

from enum import StrEnum

from fabric_audit.facts import Fact, exact, key, measure, passing, table, volatile


class Outcome(StrEnum):
    """What became of a test: ``ok``, or the one cause that it has no result."""

    OK = "ok"
    """A result that can be used."""
    PORT_TAKEN = "port_taken"
    """Another process holds the port on which the server was to listen."""
    NOT_LISTENING = "not_listening"
    """The server's port never came into the state LISTEN."""
    NOT_DELIVERED = "not_delivered"
    """An end's words never arrived or could not be read; why stands in the message."""
    NO_SERVER = "no_server"
    """Nothing accepted the client's TCP connection: no server, another port, or a filter between."""
    HOST_ABSENT = "host_absent"
    """The server's address is unknown or nothing answers for it."""
    NO_CLIENT = "no_client"
    """The server listened and no client came."""
    REJECTED = "rejected"
    """RDMA-CM refused the connection: no listener for it, as when one end only runs with ``-R``."""
    WRONG_DEVICE = "wrong_device"
    """There is no such RDMA device, or it has no such port."""
    NO_ACCESS = "no_access"
    """The device is there and cannot be opened: rights on ``/dev/infiniband``, or a container without it."""
    LINK_DOWN = "link_down"
    """The local port is not ACTIVE."""
    LINK_CUT = "link_cut"
    """Connected, and then nothing was completed: zero iterations."""
    BAD_GID = "bad_gid"
    """A GID that is absent, or of another address family than the peer's."""
    NOT_CONNECTED = "not_connected"
    """The queue pairs could not be connected: GID index, path MTU or neighbour; the text does not say which."""
    OPTION_MISMATCH = "option_mismatch"
    """The two ends ran with different options: named by the tool, or seen as a refused remote access."""
    UNSUPPORTED = "unsupported"
    """This build, device or combination cannot do what the options ask."""
    MEMORY_LIMIT = "memory_limit"
    """RLIMIT_MEMLOCK is too small to register the buffer."""
    MEMORY_REGISTRATION = "memory_registration"
    """The buffer could not be registered; with GPU memory: no peermem module, or no DMA-BUF support."""
    GPU_UNAVAILABLE = "gpu_unavailable"
    """CUDA, or the GPU that was named, cannot be used."""
    NO_RESOURCES = "no_resources"
    """The device refused a queue pair, a completion queue or a work request."""
    RETRY_EXCEEDED = "retry_exceeded"
    """The peer stopped acknowledging (status 12) or had no receive posted (status 13)."""
    COMPLETION_ERROR = "completion_error"
    """A work request failed for another reason; the status is in the words."""
    PEER_DIED = "peer_died"
    """The other end closed the control connection before the end."""
    CLOCK_UNRELIABLE = "clock_unreliable"
    """perftest could not measure its own clock (r^2 below 0.9): run the test again."""
    UNIT_MISMATCH = "unit_mismatch"
    """The figures are not in the unit of their heading: one end only ran with ``--report_gbits``."""
    CONTRADICTION = "contradiction"
    """The two ends, or an end and the slot, disagree about size, queue pairs or device."""
    KILLED = "killed"
    """Ended by a signal or by its time limit."""
    NO_RESULT = "no_result"
    """It ended without a result and without words that are known."""


@passing
class PerftestRow(Fact):
    """One row of a perftest result, or its failure. Bandwidth in bits per second whatever unit was printed."""

    tool: str = key("ib_write_bw, ib_send_bw, ib_write_lat, ...")
    size_bytes: int = key("message size; 0 when the test never reached a result")
    iterations: int | None = volatile("messages counted; 0 is a failure")
    bandwidth_bps: float | None = measure("average payload bandwidth; sum of both directions when bidirectional")
    peak_bps: float | None = measure("peak payload bandwidth; None where perftest prints 0 for not measured")
    message_rate_pps: float | None = measure("messages per second")
    latency_typical_us: float | None = measure("typical latency in microseconds", tolerance=0.2)
    latency_avg_us: float | None = measure("average latency in microseconds", tolerance=0.2)
    latency_p99_us: float | None = measure("99th percentile in microseconds", tolerance=0.5)
    latency_p999_us: float | None = measure("99.9th percentile in microseconds", tolerance=0.5)
    mtu_bytes: int | None = exact("path MTU the test used")
    link_layer: str | None = exact("Ethernet or IB")
    connection: str | None = exact("transport of the queue pairs: RC, UC, UD, XRC, DC, SRD or RawEth")
    role: str | None = exact("client (it starts the operations) or server, where the text tells")
    device: str | None = exact("RDMA device")
    gid_index: int | None = exact("GID index used")
    local_gid: str | None = exact("GID used at this end, in eight groups of four hex digits")
    remote_gid: str | None = exact("GID the other end used")
    qps: int | None = exact("queue pairs")
    bidirectional: bool | None = exact("both directions at once")
    unit: str | None = exact("unit as printed")
    outcome: str | None = exact("ok, or the cause of failure, one of Outcome")
    message: str | None = volatile("the tool's own words about a failure")


@table
class PairResult(Fact):
    """One test between two hosts on one rail in one direction: what the slot asked for and what came of it.

    A row is the direction client → server: writes and sends go that way. ``ib_read_*`` fetches, the other way.
    """

    round: int = key("round number, from 1", repeat=True)
    client: str = key("host that sends")
    server: str = key("host that receives")
    rail: int = key("rail")
    tool: str = key("perftest program")
    memory: str = key("host, gpu, gpu_host (GPU at the client only) or host_gpu")
    mechanism: str | None = exact("how the NIC reached GPU memory: peermem or dmabuf")
    bidirectional: bool | None = exact("both directions at once")
    client_device: str | None = exact("RDMA device at the client")
    server_device: str | None = exact("RDMA device at the server")
    client_port: str | None = exact("interface at the client")
    server_port: str | None = exact("interface at the server")
    size_bytes: int | None = exact("message size")
    qps: int | None = exact("queue pairs")
    traffic_class: int | None = exact("traffic class byte asked for")
    bandwidth_bps: float | None = measure("average payload bandwidth; sum of both directions when bidirectional")
    line_rate_bps: int | None = exact("slower of the two ports' rates")
    latency_typical_us: float | None = measure("typical latency in microseconds", tolerance=0.2)
    latency_p99_us: float | None = measure("99th percentile latency in microseconds", tolerance=0.5)
    latency_p999_us: float | None = measure("99.9th percentile latency in microseconds", tolerance=0.5)
    mtu_bytes: int | None = exact("path MTU the test used")
    outcome: str | None = exact("ok, or the cause that it has no result, one of Outcome or of transport")
    message: str | None = volatile("the tool's or the transport's own words")
    started: str | None = volatile("RFC 3339")
    duration_s: float | None = volatile("wall time of the client")
    block: int | None = exact("block of rounds that shares switch counter readings")
