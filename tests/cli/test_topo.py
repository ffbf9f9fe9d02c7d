"""``fabric-audit topo`` explains a matrix to a person."""

from pathlib import Path

import pytest

from fabric_audit.cli import ExitCode, run

GOLDENS = Path(__file__).parent.parent / "platforms" / "gpus" / "nvidia"
TOPO = GOLDENS / "nvidia-smi-topo"


def test_a_degraded_host_names_each_pair_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topo", str(TOPO / "h100-degraded.txt")]) == ExitCode.FINDINGS
    told = capsys.readouterr().out
    assert "GPU0 and GPU3: no NVLink is up, traffic takes SYS" in told
    assert "GPU0 and GPU2: 16 of 18 NVLinks are up" in told
    assert told.count("do: ") == 1
    assert f"{TOPO / 'h100-degraded.txt'}:2" in told


def test_a_healthy_host_answers_both_questions_of_placement(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topo", str(TOPO / "h100-nic-legend.txt")]) == ExitCode.CLEAN
    told = capsys.readouterr().out
    assert "NVLink            GPU0 GPU1 GPU2 GPU3  (NV18)" in told
    assert "GPU2   mlx5_4        PIX" in told


def test_the_model_decides_what_the_matrix_cannot(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(TOPO / "pasted-blanks.txt")
    assert run(["topo", file]) == ExitCode.INCOMPLETE
    assert "nvidia-smi --query-gpu=index,name --format=csv decides" in capsys.readouterr().out
    assert run(["topo", file, "--model", "NVIDIA L40S"]) == ExitCode.CLEAN
    assert run(["topo", file, "--model", "NVIDIA H100 80GB HBM3"]) == ExitCode.FINDINGS


def test_names_of_gpus_come_from_nvidia_smi_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = tmp_path / "names.csv"
    names.write_text("index, name\n0, NVIDIA L40S\n1, NVIDIA L40S\n2, NVIDIA L40S\n", "utf-8")
    assert run(["topo", str(TOPO / "pasted-blanks.txt"), "--gpus", str(names)]) == ExitCode.CLEAN
    assert "cross a host bridge" in capsys.readouterr().out


def test_far_nics_are_normal_on_grace(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topo", str(TOPO / "grace-numa-lists.txt"), "--model", "NVIDIA GB200"]) == ExitCode.CLEAN
    assert "SYS is normal here" in capsys.readouterr().out


def test_what_is_no_matrix_is_refused_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topo", str(TOPO / "row-torn.txt")]) == ExitCode.INCOMPLETE
    assert "line 4" in capsys.readouterr().err


def test_a_missing_file_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topo", "/nonexistent"]) == ExitCode.USAGE
    assert "No such file" in capsys.readouterr().err
