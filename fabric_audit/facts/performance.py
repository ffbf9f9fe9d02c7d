"""Traffic tests: what one tool printed, and what a pair of hosts achieved."""

from fabric_audit.facts import Fact, exact, key, measure, table, volatile


@table
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
    device: str | None = exact("RDMA device")
    gid_index: int | None = exact("GID index used")
    qps: int | None = exact("queue pairs")
    bidirectional: bool | None = exact("both directions at once")
    unit: str | None = exact("unit as printed")
    outcome: str | None = exact(
        "ok, or the failure: no_server, host_absent, wrong_device, port_taken, bad_gid, memory_registration, "
        "option_mismatch, retry_exceeded, link_cut, link_down, peer_died, clock_unreliable, not_listening, "
        "unsupported, rejected, killed, no_result"
    )
    message: str | None = volatile("the tool's own words about a failure")


@table
class PairResult(Fact):
    """One test between two hosts on one rail in one direction: what the slot asked for and what came of it.

    The client sends (writes and sends go client to server), so a row is the direction client → server.
    """

    round: int = key("round number, from 1")
    client: str = key("host that sends")
    server: str = key("host that receives")
    rail: int = key("rail")
    tool: str = key("perftest program")
    memory: str = key("host, gpu, gpu_host (GPU at the client only) or host_gpu")
    client_device: str | None = exact("RDMA device at the client")
    server_device: str | None = exact("RDMA device at the server")
    client_port: str | None = exact("interface at the client")
    server_port: str | None = exact("interface at the server")
    size_bytes: int | None = exact("message size")
    qps: int | None = exact("queue pairs")
    traffic_class: int | None = exact("traffic class byte asked for")
    bandwidth_bps: float | None = measure("average payload bandwidth, client to server")
    line_rate_bps: int | None = exact("slower of the two ports' rates")
    latency_typical_us: float | None = measure("typical latency in microseconds", tolerance=0.2)
    latency_p99_us: float | None = measure("99th percentile latency in microseconds", tolerance=0.5)
    mtu_bytes: int | None = exact("path MTU the test used")
    outcome: str | None = exact("ok, or the cause it has no result")
    message: str | None = volatile("the tool's or the transport's own words")
    started: str | None = volatile("RFC 3339")
    duration_s: float | None = volatile("wall time of the client")
    block: int | None = exact("block of rounds that shares switch counter readings")
