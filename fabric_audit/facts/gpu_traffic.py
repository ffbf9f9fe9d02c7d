"""Measured traffic between GPUs: collectives over the fabric, copies within a host.

Bandwidth is in bits per second whatever unit was printed; nccl-tests and nvbandwidth print GB/s of 10^9 bytes.
"""

from fabric_audit.facts import Fact, exact, key, measure, table, volatile


@table
class NcclTest(Fact):
    """One run of an nccl-tests program; judge it by its largest size, never by the average over all."""

    run: int = key("number of the run in the text, from 1", repeat=True)
    collective: str | None = exact("all_reduce, all_gather, ..., where the text names it")
    version: str | None = exact("version of nccl-tests")
    nccl_version: str | None = exact("version of NCCL")
    ranks: int | None = exact("GPUs in the communicator, by the highest rank listed")
    hosts: int | None = exact("hosts they are on, where all are listed")
    model: str | None = exact("GPU model, where all listed are of one")
    iterations: int | None = exact("iterations per size")
    validation: bool | None = exact("results are checked; when off, no wrong value can be seen")
    largest_bytes: int | None = exact("largest size that has a result")
    busbw_bps: float | None = measure("bus bandwidth at that size, out of place")
    busbw_in_place_bps: float | None = measure("bus bandwidth at that size, in place")
    average_busbw_bps: float | None = measure("mean over all sizes and both modes: no measure of a fabric")
    wrong: int | None = exact("wrong values in all rows; None when not checked")
    out_of_bounds: int | None = exact("values out of bounds, as the summary counts them")
    outcome: str | None = exact(
        "ok, no_result (no row with numbers), cut (no summary: larger sizes may be lost), wrong_values, "
        "single_gpu (one rank: nothing crossed a fabric), not_one_communicator (several processes each tested "
        "themselves: built without MPI), failed"
    )
    message: str | None = volatile("the program's words about a failure")


@table
class NcclTestRow(Fact):
    """One size of one run, in one mode."""

    run: int = key("number of the run", repeat=True)
    size_bytes: int = key("size in bytes")
    count: int = key("elements; several rows of 0 bytes come from sizes below one element a rank")
    in_place: bool = key("in place, else out of place")
    time_us: float | None = volatile("time in microseconds")
    algbw_bps: float | None = measure("size by time; depends on the number of ranks")
    busbw_bps: float | None = measure("algorithm bandwidth times the collective's factor", tolerance=0.1)
    wrong: int | None = exact("wrong values; None when not checked", source="nccl-tests 2.13+")
    error: float | None = volatile("largest relative error, which older versions print in the same place")


@table
class NcclTestGpu(Fact):
    """One GPU of one run."""

    run: int = key("number of the run", repeat=True)
    rank: int = key("rank")
    host: str | None = exact("host")
    pid: int | None = volatile("process")
    device: int | None = exact("CUDA device")
    bus: str | None = exact("PCI address in the kernel's spelling, or the bus number that old versions print")
    model: str | None = exact("GPU model")


@table
class GpuCopy(Fact):
    """One cell of an nvbandwidth matrix."""

    test: str = key("name of the test case, such as host_to_device_memcpy_ce")
    row: int = key("row: CPU or GPU, as the test says")
    column: int = key("column: GPU")
    bandwidth_bps: float | None = measure("bandwidth", tolerance=0.1)
    latency_ns: float | None = measure("latency, of the tests that measure it", tolerance=0.2)
    source: str | None = exact("cpu or gpu: where the data comes from")
    target: str | None = exact("cpu or gpu: where it goes")
    bidirectional: bool | None = exact("both directions at once")
