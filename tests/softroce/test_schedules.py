"""Eight real hosts: every schedule names the host that was made slow or lossy, the adaptive one with fewer pairs.

One lab for this module; `pytest --softroce tests/softroce/test_schedules.py` takes about an hour on two idle cores.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fabric_audit.capture.reader import Capture

from . import faults
from .fabric import Fabric, Host
from .inventory import inventory_text
from .lab import Lab, running
from .observe import perftest_processes
from .requirements import CannotRunError
from .shaping import Direction

pytestmark = pytest.mark.softroce

PROGRAM = str(Path(sys.executable).with_name("fabric-audit"))
JUDGED = ("--select", "counters", "--select", "performance", "--select", "evidence")
SCHEDULES = ("tournament", "sample:4", "adaptive")
ALL_PAIRS = 8 * 7 // 2
FINDINGS = 1
SICK = "node5"


@pytest.fixture(scope="module")
def eight_hosts() -> Iterator[Lab]:
    try:
        with running(Fabric(tuple(Host(number) for number in range(1, 9)))) as lab:
            yield lab
    except CannotRunError as reason:
        pytest.skip(f"cannot run the Soft-RoCE lab here: {reason}")


@pytest.fixture
def eight(eight_hosts: Lab) -> Iterator[Lab]:
    yield eight_hosts
    faults.restore(eight_hosts)


@pytest.fixture
def audited(eight: Lab, tmp_path: Path) -> Callable[..., tuple[int, dict[str, Any], Capture]]:
    """A run with one schedule: exit code, findings and capture."""

    def run(schedule: str, duration_s: int) -> tuple[int, dict[str, Any], Capture]:
        text = inventory_text(eight, duration_s=duration_s).replace("[ib_write_bw, ib_send_bw]", "[ib_write_bw]")
        inventory = tmp_path / "lab.yaml"
        inventory.write_text(text)
        output = tmp_path / "run"
        argv = [PROGRAM, "run", str(inventory), "--yes", "--quiet", "--format", "json", "--traffic", schedule, *JUDGED]
        argv += ["--output", str(output)]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=3000, check=False)
        assert "Traceback" not in done.stderr, done.stderr
        found = output / "findings.json"
        assert found.exists(), f"exit {done.returncode}: {done.stdout} {done.stderr}"
        return done.returncode, json.loads(found.read_text()), Capture.open(output)

    return run


def failing(found: dict[str, Any], check: str) -> set[tuple[str, ...]]:
    """Subjects of a check's failing root findings."""
    return {
        tuple(finding["subject"])
        for result in found["results"]
        if result["check"] == check
        for finding in result["findings"]
        if finding["verdict"] == "FAIL" and not finding["explained_by"]
    }


def pairs_tested(capture: Capture) -> int:
    return len({frozenset((s["client"], s["server"])) for record in capture.rounds for s in record["slots"]})


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("direction", list(Direction), ids=["receiving", "sending"])
def test_half_the_rate_is_named(
    direction: Direction, schedule: str, eight: Lab, audited: Callable[..., tuple[int, dict[str, Any], Capture]]
) -> None:
    faults.slow_down(eight, SICK, 0.5, direction)
    code, found, capture = audited(schedule, 5)
    assert code == FINDINGS
    assert failing(found, "performance.slow-nic") == {(SICK, "rail 0")}
    assert failing(found, "performance.slow-leaf") == set()
    if schedule == "adaptive":
        assert pairs_tested(capture) < ALL_PAIRS
    assert perftest_processes(eight) == []


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("percent", [1.0, 0.1], ids=["one-percent", "one-per-mille"])
def test_loss_is_named(
    percent: float, schedule: str, eight: Lab, audited: Callable[..., tuple[int, dict[str, Any], Capture]]
) -> None:
    faults.lose(eight, SICK, percent)
    code, found, capture = audited(schedule, 15)
    assert code == FINDINGS
    assert failing(found, "counters.lossy-nic") == {(SICK, "rail 0")}
    if schedule == "adaptive":
        assert pairs_tested(capture) < ALL_PAIRS


@pytest.mark.parametrize("schedule", ["sample:4", "adaptive"])
def test_a_healthy_lab_blames_nobody(
    schedule: str, audited: Callable[..., tuple[int, dict[str, Any], Capture]]
) -> None:
    code, found, _ = audited(schedule, 5)
    checks = ("performance.slow-nic", "performance.slow-leaf", "performance.ecmp-collision", "counters.lossy-nic")
    assert [failing(found, check) for check in checks] == [set()] * 4
    assert code == 0
