"""Logs as NCCL writes them, and what they must let conclude."""

from collections.abc import Callable, Iterable

import pytest

from fabric_audit.analysis.nccl import job_of, judge_job
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuNicPath
from fabric_audit.findings import Finding, Verdict
from fabric_audit.platforms.workloads.nccl_log.reader import read_log

GPUS = 8
Path = Callable[[int, int, str], str]
"""(rank, channel, direction) → the words after via."""


def gdr(rank: int, _channel: int, _direction: str) -> str:
    return f"NET/IB/{rank % GPUS}/GDRDMA"


def log(path: Path, *, version: str = "2.21.5", ranks: int = 16, channels: int = 4, model: str = "") -> Iterable[str]:
    """Ranks on hosts of eight GPUs; each talks to the same GPU of the next host on every channel."""
    yield f"NCCL version {version}+cuda12.4\n"
    for rank in range(ranks):
        host, gpu = f"node{rank // GPUS + 1:02d}", rank % GPUS
        pid = 4000 + rank
        peer = (rank + GPUS) % ranks
        head = f"{host}:{pid}:{pid + 100} [{gpu}] NCCL INFO "
        if model:
            yield f"#  Rank {rank:2d} Group  0 Pid {pid:6d} on {host:>10} device {gpu:2d} [0000:1b:00] {model}\n"
        nics = " ".join(f"[{number}]mlx5_{number}:1/RoCE" for number in range(GPUS))
        yield f"{head}NET/IB : Using {nics} [RO]; OOB eth0:192.0.2.{rank}<0>\n"
        yield f"{head}Using network IB\n"
        yield f"{head}ncclCommInitRank comm 0x5{rank:x} rank {rank} nranks {ranks} cudaDev {gpu} nvmlDev {gpu} busId "
        yield f"{27 + gpu:x}000 commId 0xfeed - Init START\n"
        for channel in range(channels):
            for direction, ends in (("receive", (peer, rank)), ("send", (rank, peer))):
                a, b = ends
                words = path(rank, channel, direction)
                yield f"{head}Channel {channel:02d}/0 : {a}[{a % GPUS}] -> {b}[{b % GPUS}] [{direction}] via {words}\n"


def joined(lines: Iterable[str]) -> list[str]:
    return "".join(lines).splitlines(keepends=True)


def judged(lines: Iterable[str], **about: object) -> list[Finding]:
    facts = [("job.log", answer) for answer in read_log(joined(lines)) if isinstance(answer, Fact)]
    return list(judge_job(job_of(facts, **about)))  # type: ignore[arg-type]  # tests pass what job_of takes


def failing(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.verdict is Verdict.FAIL]


def test_a_healthy_job_has_nothing_failing() -> None:
    findings = judged(log(gdr))
    assert failing(findings) == []
    assert any("all 128 channels of 16 ranks" in finding.message for finding in findings)


def test_one_rank_of_sixteen_without_gdr_on_two_channels_is_named_with_gpu_nic_and_channels() -> None:
    def path(rank: int, channel: int, direction: str) -> str:
        bad = rank == 11 and channel in (1, 3) and direction == "send"
        return f"NET/IB/{rank % GPUS}" if bad else gdr(rank, channel, direction)

    (finding,) = failing(judged(log(path)))
    assert finding.subject == ("node02", "rank 11")
    for words in ("rank 11", "GPU 3 of node02", "mlx5_3", "send channels 01, 03"):
        assert words in finding.message
    lines = joined(log(path))
    assert {lines[evidence.line - 1].split(" via ")[1].strip() for evidence in finding.evidence} == {"NET/IB/3"}


def test_no_gdr_anywhere_is_one_finding_with_its_cause() -> None:
    def path(rank: int, _channel: int, _direction: str) -> str:
        return f"NET/IB/{rank % GPUS}"

    refusal = "node01:4000:4100 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'\n"
    (finding,) = failing(judged([refusal, *log(path)]))
    assert "neither a peer memory module nor DMA-BUF" in finding.message
    assert "nvidia-peermem" in finding.remedy


V100 = "Tesla V100-PCIE-32GB"


def read_alone(rank: int, channel: int, direction: str) -> str:
    return f"NET/IB/{rank % GPUS}" if direction == "send" else gdr(rank, channel, direction)


def test_sends_without_gdr_on_v100_pcie_are_no_fault() -> None:
    findings = judged(log(read_alone, version="2.12.12", model=V100))
    assert failing(findings) == []
    assert any("by design" in finding.message for finding in findings)


@pytest.mark.parametrize("model", ["Tesla V100-SXM2-32GB", "NVIDIA A100-SXM4-80GB"])
def test_the_same_is_a_fault_where_nvlink_or_the_gpu_allow_reads(model: str) -> None:
    assert len(failing(judged(log(read_alone, model=model)))) == 16


def test_without_a_model_it_is_undecided_and_the_command_that_decides_is_named() -> None:
    findings = judged(log(read_alone))
    assert failing(findings) == []
    (undecided,) = [finding for finding in findings if finding.verdict is Verdict.UNKNOWN]
    assert "nvidia-smi --query-gpu=index,name" in undecided.message


def test_without_a_model_a_rank_unlike_the_others_is_a_fault() -> None:
    def path(rank: int, channel: int, direction: str) -> str:
        return (read_alone if rank == 5 else gdr)(rank, channel, direction)

    (finding,) = failing(judged(log(path)))
    assert finding.subject == ("node01", "rank 5")


def test_reads_switched_off_are_a_fault_even_on_v100() -> None:
    off = "node01:4000:4100 [0] NCCL INFO NCCL_NET_GDR_READ set by environment to 0.\n"
    (finding,) = failing(judged([off, *log(read_alone, model=V100)]))
    assert finding.subject == ("node01", "rank 0")
    assert "NCCL_NET_GDR_READ=0" in finding.message


def matrix(host: str) -> dict[str, object]:
    paths = [
        GpuNicPath(gpu=gpu, nic=f"mlx5_{nic}", path="PIX" if gpu == nic else "NODE" if gpu // 4 == nic // 4 else "SYS")
        for gpu in range(GPUS)
        for nic in range(GPUS)
    ]
    return {"gpus": {host: [Gpu(gpu=gpu) for gpu in range(GPUS)]}, "nic_paths": {host: paths}}


def test_a_rank_that_leaves_by_a_far_nic_is_named_with_the_near_one() -> None:
    def path(rank: int, channel: int, direction: str) -> str:
        return "NET/IB/6/GDRDMA" if rank == 2 else gdr(rank, channel, direction)

    (finding,) = failing(judged(log(path), **matrix("node01")))
    assert finding.subject == ("node01", "rank 2")
    assert "leaves by mlx5_6 (SYS)" in finding.message
    assert "mlx5_2 is near (PIX)" in finding.message


def test_a_borrowed_nic_is_not_far() -> None:
    def path(rank: int, channel: int, direction: str) -> str:
        borrowed = rank == 2 and direction == "send"
        return "NET/IB/3(3)/GDRDMA" if borrowed else gdr(rank, channel, direction)

    assert failing(judged(log(path), **matrix("node01"))) == []


def test_without_a_matrix_a_rank_unlike_the_same_gpu_elsewhere_is_asked_about() -> None:
    def path(rank: int, channel: int, direction: str) -> str:
        return "NET/IB/4/GDRDMA" if rank == 3 else gdr(rank, channel, direction)

    (finding,) = [finding for finding in judged(log(path, ranks=32)) if finding.verdict is Verdict.UNKNOWN]
    assert finding.subject == ("node01", "rank 3")
    assert "nvidia-smi topo -m" in finding.message


def test_of_two_hosts_the_rank_that_shares_a_nic_and_leaves_its_own_unused_is_asked_about() -> None:
    def path(rank: int, channel: int, direction: str) -> str:
        return "NET/IB/6/GDRDMA" if rank == 3 else gdr(rank, channel, direction)

    (finding,) = [finding for finding in judged(log(path)) if finding.verdict is Verdict.UNKNOWN]
    assert finding.subject == ("node01", "rank 3")
    assert "leaves by mlx5_6, the same GPU of node02 by mlx5_3, which no rank of node01 uses" in finding.message


def test_of_two_hosts_that_number_their_nics_in_other_ways_none_is_asked_about() -> None:
    findings = judged(log(lambda rank, *_: f"NET/IB/{(rank + rank // GPUS) % GPUS}/GDRDMA"))
    assert [finding.verdict for finding in findings] == [Verdict.PASS]


def test_distances_of_the_log_tell_near_from_far_where_the_version_is_known() -> None:
    def path(rank: int, _channel: int, _direction: str) -> str:
        return "NET/IB/1/GDRDMA" if rank == 0 else f"NET/IB/{rank % GPUS}/GDRDMA"

    head = "node01:4000:4100 [0] NCCL INFO GPU Direct RDMA Enabled for GPU 0 / HCA"
    told = [f"{head} 0 (distance 3 <= 6), read 1\n", f"{head} 1 (distance 6 <= 6), read 1\n"]
    (finding,) = failing(judged([*log(path), *told]))
    assert "leaves by mlx5_1 (PHB), while mlx5_0 is near (PIX)" in finding.message


def test_sockets_between_hosts_are_named_for_each_host() -> None:
    findings = failing(judged(log(lambda *_: "NET/Socket/0")))
    assert [finding.subject for finding in findings] == [("node01", "network"), ("node02", "network")]


@pytest.mark.parametrize(
    ("model", "verdict"), [("NVIDIA H100 80GB HBM3", Verdict.FAIL), ("NVIDIA L40S", None), ("", Verdict.UNKNOWN)]
)
def test_host_memory_between_gpus_of_a_host(model: str, verdict: Verdict | None) -> None:
    head = "node01:4000:4100 [0] NCCL INFO "
    device = f"#  Rank  0 Group  0 Pid   4000 on node01 device  0 [0000:1b:00] {model}\n" if model else ""
    start = f"{head}ncclCommInitRank comm 0x5 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xf - Init START\n"
    lines = [device, start, f"{head}Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n"]
    assert [finding.verdict for finding in judged(lines)] == ([verdict] if verdict else [])


def test_settings_that_differ_between_processes_are_named() -> None:
    head = "{}:1:2 [0] NCCL INFO NCCL_IB_TC set by environment to {}.\n"
    (finding,) = failing(judged([head.format("node01", 106), head.format("node02", 0)]))
    assert finding.subject == ("job", "NCCL_IB_TC")
    assert "'106' on node01" in finding.message
    assert "'0' on node02" in finding.message


def test_findings_have_names_of_their_own() -> None:
    head = "node01:1:2 [0] misc/ibvwrap.cc:187 NCCL WARN Call to "
    lines = [f"{head}{call} failed\n" for call in ("ibv_modify_qp", "ibv_reg_mr", "ibv_create_cq")]
    findings = judged(lines)
    assert len({finding.id for finding in findings}) == len(findings) == 3
