"""What nccl-tests measured is only as good as the list of ranks above it."""

from fabric_audit.facts.gpu_traffic import NcclTest
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.workloads.nccl_tests.text import parse_nccl_tests

START = "# nThread 1 nGpus 1 minBytes 8589934592 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20"
DEVICE = "#  Rank  {0} Group  0 Pid   400{0} on      gpu-a device  {0} [0000:1b:00] NVIDIA H100 80GB HBM3"
COLUMNS = "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong"
ROW = " 8589934592  2147483648  float  sum  -1  23000  373.47  {0}  0  23000  373.47  {0}  0"
END = "# Out of bounds values : 0 OK"


def measured(*lines: str) -> list[NcclTest]:
    text = "".join(f"{line}\n" for line in lines)
    return [fact for fact in parse_nccl_tests(Output(text, rc=0)) if isinstance(fact, NcclTest)]


def run(devices: int, busbw: str, collective: str = "all_reduce") -> list[str]:
    listed = [DEVICE.format(rank) for rank in range(devices)]
    start = f"# Collective test starting: {collective}_perf"
    return [start, START, "#", "# Using devices", *listed, "#", COLUMNS, ROW.format(busbw), END]


def test_ranks_are_counted_where_the_bandwidths_agree() -> None:
    (told,) = measured(*run(4, "560.20"))
    assert (told.ranks, told.hosts, told.outcome) == (4, 1, "ok")


def test_a_rank_missing_from_the_list_leaves_the_number_open() -> None:
    (told,) = measured(*run(3, "560.20"))
    assert (told.ranks, told.hosts, told.outcome) == (None, None, "ok")


def test_one_rank_is_a_single_gpu_only_without_bus_bandwidth() -> None:
    (alone,) = measured(*run(1, "0.00"))
    (listed_alone,) = measured(*run(1, "560.20"))
    assert (alone.outcome, listed_alone.outcome) == ("single_gpu", "ok")


def test_a_line_of_the_list_that_was_torn_leaves_the_number_open() -> None:
    lines = run(2, "373.47")
    lines[5] = lines[5][:30]
    (told,) = measured(*lines)
    assert told.ranks is None


def test_a_second_run_does_not_inherit_the_first_ones_collective() -> None:
    first, second = measured(*run(2, "373.47"), *run(2, "373.47")[1:])
    assert (first.collective, second.collective) == ("all_reduce", None)
