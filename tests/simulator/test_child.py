"""The pod as a child process: it comes up, leads somewhere, and never outlives who started it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabric_audit.errors import UsageError
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Simulated
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.simulator.child import running_pod
from fabric_audit.simulator.inventory import planned_text

pytestmark = pytest.mark.ssh


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRIC_AUDIT_SIM_PASSWORD", "word")


def pods(marker: str) -> list[int]:
    """Processes whose command line holds the marker."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"-m\0fabric_audit.simulator\0" in words and marker.encode() in words:
                found.append(int(entry.name))
    return found


def test_it_writes_an_ordinary_inventory_for_as_long_as_it_runs() -> None:
    with running_pod(Simulated(pod="clos-3x2", seed=7)) as path:
        inventory = load_inventory(path, platforms=tuple(switch_platforms()))
        assert [host.name for host in inventory.hosts] == ["gpu001", "gpu002", "gpu003"]
        assert {host.login.address for host in inventory.hosts} == {"127.0.0.1"}
        assert len({target.login.port for target in inventory.targets}) == 7
        assert path.stat().st_mode & 0o077 == 0
        assert len(pods("clos-3x2")) == 1
    assert pods("clos-3x2") == []
    assert not path.exists()


@pytest.mark.parametrize(
    ("simulated", "words"),
    [
        (Simulated(pod="ring-3"), "simulated pod: no pod is called 'ring-3'"),
        (Simulated(pod="clos-2x1", faults=("nonsense@gpu001",)), "simulated pod: no fault is called 'nonsense'"),
    ],
)
def test_what_does_not_exist_is_named(simulated: Simulated, words: str) -> None:
    with pytest.raises(UsageError, match=words), running_pod(simulated):
        pass


def test_it_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    program = f"""
import time
from fabric_audit.inventory.model import Simulated
from fabric_audit.simulator.child import running_pod
with running_pod(Simulated(pod="clos-2x3")) as path:
    open({str(tmp_path / "up")!r}, "w").write(str(path))
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""}) as parent:
        try:
            deadline = time.monotonic() + 30
            while not (tmp_path / "up").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            assert len(pods("clos-2x3")) == 1
        finally:
            parent.kill()
    deadline = time.monotonic() + 20
    while pods("clos-2x3") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pods("clos-2x3") == []


def test_the_planned_inventory_names_the_targets_of_the_running_one(tmp_path: Path) -> None:
    planned = tmp_path / "planned.yaml"
    planned.write_text(planned_text("clos-3x2"), "utf-8")
    there = load_inventory(planned, platforms=tuple(switch_platforms()))
    with running_pod(Simulated(pod="clos-3x2")) as path:
        running = load_inventory(path, platforms=tuple(switch_platforms()))
    assert [target.name for target in there.targets] == [target.name for target in running.targets]
    with pytest.raises(UsageError, match="no pod is called 'ring'"):
        planned_text("ring")
