"""``fabric-audit nccl-log`` explains a job's log to a person."""

import gzip
from pathlib import Path

import pytest

from fabric_audit.cli import ExitCode, run

PLATFORMS = Path(__file__).parent.parent / "platforms"
GOLDENS = PLATFORMS / "workloads" / "nccl_log" / "nccl-log"
ONE_BAD_CHANNEL = GOLDENS / "2.21-one-channel-without-gdr.txt"


def test_the_rank_its_gpu_its_nic_and_its_channel_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nccl-log", str(ONE_BAD_CHANNEL)]) == ExitCode.FINDINGS
    told = capsys.readouterr().out
    assert "rank 1 (GPU 1 of gpu-a) moves data through host memory on mlx5_1: send channel 01" in told
    assert "NCCL_IB_TC=106 (DSCP 26)" in told


def test_the_logs_of_several_ranks_are_one_job(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    logs = []
    for rank in (0, 1):
        head = f"node-{rank}:10:20 [0] NCCL INFO "
        lines = [
            f"{head}ncclCommInitRank comm 0x1{rank} rank {rank} nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xab",
            f"{head}Channel 00/0 : {rank}[0] -> {1 - rank}[0] [send] via NET/IB/0/GDRDMA",
        ]
        log = tmp_path / f"rank-{rank}.log.gz"
        log.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
        logs.append(str(log))
    assert run(["nccl-log", *logs]) == ExitCode.CLEAN
    told = capsys.readouterr().out
    assert "2 ranks on 2 hosts heard, the largest communicator has 2" in told
    assert "all 2 channels of 2 ranks over the network use it" in told


def test_torn_lines_are_counted_apart(capsys: pytest.CaptureFixture[str]) -> None:
    run(["nccl-log", str(GOLDENS / "torn-and-interleaved.txt")])
    assert "5 lines of NCCL are torn" in capsys.readouterr().out


def test_the_near_nic_is_named_where_the_matrix_is_at_hand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    head = "gpu-a:10:20 [2] NCCL INFO "
    nics = " ".join(f"[{index}]{name}:1/RoCE" for index, name in enumerate(("mlx5_0", "mlx5_1", "mlx5_4", "mlx5_5")))
    log.write_text(
        f"{head}NET/IB : Using {nics} [RO]; OOB eth0:192.0.2.1<0>\n"
        f"{head}Channel 00/0 : 2[2] -> 6[2] [send] via NET/IB/0/GDRDMA\n",
        "utf-8",
    )
    topo = PLATFORMS / "gpus" / "nvidia" / "nvidia-smi-topo" / "h100-nic-legend.txt"
    for option in (str(topo), f"gpu-a={topo}"):
        assert run(["nccl-log", str(log), "--topo", option]) == ExitCode.FINDINGS
        assert "rank 2 (GPU 2 of gpu-a) leaves by mlx5_0 (SYS), while mlx5_4 is near (PIX)" in capsys.readouterr().out
    assert run(["nccl-log", str(log), "--topo", f"gpu-b={topo}"]) == ExitCode.CLEAN


def test_the_model_makes_a_v100_no_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    head = "gpu-a:10:20 [0] NCCL INFO Channel 00/0 : "
    log.write_text(
        f"{head}0[0] -> 1[0] [send] via NET/IB/0\n{head}1[0] -> 0[0] [receive] via NET/IB/0/GDRDMA\n", "utf-8"
    )
    assert run(["nccl-log", str(log)]) == ExitCode.INCOMPLETE
    assert run(["nccl-log", str(log), "--model", "Tesla V100-PCIE-32GB"]) == ExitCode.CLEAN
    assert run(["nccl-log", str(log), "--model", "NVIDIA H100 80GB HBM3"]) == ExitCode.FINDINGS
    capsys.readouterr()


def test_a_setting_that_nccl_ignores_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    conf = tmp_path / "nccl.conf"
    conf.write_text("NCCL_NET_GDR_LEVEL=NODE\nNCCL_IB_DISABLE=no\n", "utf-8")
    assert run(["nccl-log", str(ONE_BAD_CHANNEL), "--conf", str(conf)]) == ExitCode.FINDINGS
    told = capsys.readouterr().out
    assert "NCCL_NET_GDR_LEVEL='NODE': NCCL knows no level NODE" in told
    assert "write NCCL_NET_GDR_LEVEL=PHB" in told
    assert "NCCL_NET_GDR_LEVEL=NODE -> PXB" in told
    assert "NCCL_IB_DISABLE='no': read as an integer: 0" in told


def test_a_text_without_nccl_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nccl-log", str(GOLDENS / "another-program.txt")]) == ExitCode.INCOMPLETE
    assert "NCCL_DEBUG=INFO" in capsys.readouterr().err


def test_a_missing_log_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nccl-log", "/nonexistent.log"]) == ExitCode.USAGE
    assert "No such file" in capsys.readouterr().err


def test_a_log_that_is_no_gzip_is_a_usage_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "job.log.gz"
    log.write_bytes(b"plain")
    assert run(["nccl-log", str(log)]) == ExitCode.USAGE
    assert "gzip" in capsys.readouterr().err.lower()


def test_a_log_without_a_path_is_no_pass(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_text("node-0:10:20 [0] NCCL INFO cudaDriverVersion 12040\n")
    assert run(["nccl-log", str(log)]) == ExitCode.INCOMPLETE
    assert "NCCL_DEBUG=INFO" in capsys.readouterr().out


def test_paths_between_hosts_that_are_all_torn_are_no_pass(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = []
    for rank in (0, 1):
        head = f"node-{rank}:10:20 [0] NCCL INFO "
        lines += [
            f"{head}ncclCommInitRank comm 0x1{rank} rank {rank} nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xab",
            f"{head}Channel 00 : 2[2] -> 3[3] via P2P/IPC",
            f"{head}Channel 00/0 : {rank}[0] -> {1 - rank}[0] [send] v",
            "ia NET/IB/0/GDRDMA",
        ]
    log = tmp_path / "job.log"
    log.write_text("".join(f"{line}\n" for line in lines))
    assert run(["nccl-log", str(log)]) == ExitCode.INCOMPLETE
    assert "no channel between the 2 hosts can be read: 2 lines" in " ".join(capsys.readouterr().out.split())


def test_a_traffic_class_is_told_as_dscp_and_ecn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_text("node-0:10:20 [0] NCCL INFO NCCL_IB_TC set by environment to 104.\n")
    run(["nccl-log", str(log)])
    assert "NCCL_IB_TC=104 (DSCP 26, not ECN capable)" in capsys.readouterr().out
