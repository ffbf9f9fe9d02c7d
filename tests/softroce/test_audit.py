"""The installed `fabric-audit` against real hosts: real sshd, real perftest, real RDMA devices, real loss."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from . import faults
from .inventory import inventory_text
from .lab import Lab
from .observe import perftest_processes
from .shaping import Direction

pytestmark = pytest.mark.softroce

PROGRAM = str(Path(sys.executable).with_name("fabric-audit"))
JUDGED = ("--select", "counters", "--select", "performance", "--select", "evidence")
"""What Soft-RoCE can be judged by: it has no PFC, ECN, optics or GPU."""
HEALTHY_RUNS = int(os.environ.get("SOFTROCE_HEALTHY_RUNS", "1"))
FINDINGS, INTERRUPTED = 1, 130


@pytest.fixture
def written(lab: Lab, tmp_path: Path) -> Callable[..., Path]:
    """An inventory of the lab with the tools and the duration that a test wants."""

    def write(tools: str, duration_s: int) -> Path:
        text = inventory_text(lab, duration_s=duration_s).replace("[ib_write_bw, ib_send_bw]", f"[{tools}]")
        path = tmp_path / "lab.yaml"
        path.write_text(text)
        return path

    return write


def audited(inventory: Path, output: Path) -> tuple[int, dict[str, Any]]:
    argv = [PROGRAM, "run", str(inventory), "--yes", "--quiet", "--format", "json", "--output", str(output), *JUDGED]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=1500, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    assert (output / "findings.json").exists(), f"exit {done.returncode}: {done.stdout} {done.stderr}"
    return done.returncode, json.loads((output / "findings.json").read_text())


def failing(found: dict[str, Any], check: str) -> set[tuple[str, ...]]:
    """Subjects of a check's failing root findings."""
    results = [result for result in found["results"] if result["check"] == check]
    return {
        tuple(finding["subject"])
        for result in results
        for finding in result["findings"]
        if finding["verdict"] == "FAIL" and not finding["explained_by"]
    }


def verdicts(found: dict[str, Any]) -> dict[str, str]:
    return {result["check"]: result["verdict"] for result in found["results"]}


@pytest.mark.parametrize("run", range(HEALTHY_RUNS))
def test_a_healthy_lab_passes_with_every_pair_measured(
    run: int, lab: Lab, written: Callable[..., Path], tmp_path: Path
) -> None:
    del run
    code, found = audited(written("ib_write_bw, ib_send_bw", 5), tmp_path / "run")
    assert failing(found, "counters.lossy-nic") == set()
    assert verdicts(found)["evidence.delivered"] == "PASS"
    assert verdicts(found)["performance.line-rate"] == "PASS"
    pairs = len(lab.fabric.hosts) * (len(lab.fabric.hosts) - 1)
    measured = next(result for result in found["results"] if result["check"] == "performance.line-rate")
    assert len(measured["findings"]) == 2 * pairs  # two tools, every ordered pair
    assert code == 0
    assert perftest_processes(lab) == []


@pytest.mark.parametrize("percent", [1.0, 0.1], ids=["one-percent", "one-per-mille"])
def test_loss_is_blamed_on_the_host_that_loses(
    percent: float, lab: Lab, written: Callable[..., Path], tmp_path: Path
) -> None:
    faults.lose(lab, "node3", percent)
    code, found = audited(written("ib_write_bw", 15), tmp_path / "run")
    assert code == FINDINGS
    assert failing(found, "counters.lossy-nic") == {("node3", "rail 0")}


@pytest.mark.parametrize(
    ("direction", "words"),
    [(Direction.SEND, "sends slowly"), (Direction.RECEIVE, "receives slowly")],
    ids=["sending", "receiving"],
)
def test_half_the_rate_names_the_host_and_the_direction(
    direction: Direction, words: str, lab: Lab, written: Callable[..., Path], tmp_path: Path
) -> None:
    faults.slow_down(lab, "node2", 0.5, direction)
    code, found = audited(written("ib_write_bw", 5), tmp_path / "run")
    assert code == FINDINGS
    assert failing(found, "performance.slow-nic") == {("node2", "rail 0")}
    (result,) = (result for result in found["results"] if result["check"] == "performance.slow-nic")
    assert words in next(f["message"] for f in result["findings"] if f["verdict"] == "FAIL")


def started(inventory: Path, output: Path) -> "subprocess.Popen[str]":
    """A run that is in the middle of a round: perftest runs on some host."""
    argv = [PROGRAM, "run", str(inventory), "--yes", "--format", "json", "--output", str(output), *JUDGED]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_traffic(lab: Lab) -> None:
    end = time.monotonic() + 300
    while not any("-D" in process.argv for process in perftest_processes(lab)):
        assert time.monotonic() < end, "no traffic began"
        time.sleep(1)


def test_an_interrupt_in_a_round_leaves_nothing(lab: Lab, written: Callable[..., Path], tmp_path: Path) -> None:
    run = started(written("ib_write_bw", 60), tmp_path / "run")
    wait_for_traffic(lab)
    run.send_signal(signal.SIGINT)
    words, _ = run.communicate(timeout=120)
    assert run.returncode == INTERRUPTED, words
    assert "Traceback" not in words
    assert perftest_processes(lab) == []


def test_a_killed_controller_leaves_nothing_after_one_command(
    lab: Lab, written: Callable[..., Path], tmp_path: Path
) -> None:
    inventory = written("ib_write_bw", 60)
    run = started(inventory, tmp_path / "run")
    wait_for_traffic(lab)
    run.kill()
    run.communicate()
    done = subprocess.run(
        [PROGRAM, "cleanup", str(inventory)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert perftest_processes(lab) == []
