"""Processes that are ended for certain and never mistaken, boots that are tried again, and what a person is told."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from . import __main__ as by_hand
from . import lab as lab_module
from .fabric import Fabric, Host
from .image import Image
from .lab import GuestDiedError, Lab, find, start
from .machine import Process
from .requirements import CannotRunError, LabError

FABRIC = Fabric((Host(1), Host(2)))
SLEEPER = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)",
]


@pytest.fixture
def sleeper(request: pytest.FixtureRequest) -> Iterator[Process]:
    command = getattr(request, "param", SLEEPER)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        yield Process.of(child.pid)
        child.kill()


class TestProcess:
    @pytest.mark.parametrize("sleeper", [SLEEPER, STUBBORN], indirect=True)
    def test_it_is_over_when_end_returns(self, sleeper: Process, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tests.softroce.machine._GRACE_S", 0.5)
        assert sleeper.alive
        sleeper.end()
        assert not sleeper.alive
        sleeper.end()

    def test_a_later_process_with_the_same_number_is_left_alone(self, sleeper: Process) -> None:
        earlier = Process(sleeper.pid, sleeper.started - 1)
        assert not earlier.alive
        earlier.end()
        assert sleeper.alive

    def test_there_is_none(self) -> None:
        with pytest.raises(ProcessLookupError):
            Process.of(2**22 + 1)


class TestStart:
    @pytest.fixture(autouse=True)
    def _no_machine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lab_module, "require_to_run", lambda: None)

    @pytest.mark.parametrize(("deaths", "starts"), [(0, True), (2, True), (3, False)])
    def test_a_guest_that_dies_while_it_boots_is_tried_three_times(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: int, starts: bool
    ) -> None:
        left = [GuestDiedError("panic")] * deaths

        def once(fabric: Fabric, folder: Path, port: int, _image: Image, *, outlive: bool) -> Lab:
            assert outlive
            if left:
                raise left.pop()
            return Lab(folder, fabric, port, Process(1, 1))

        monkeypatch.setattr(lab_module, "_start_once", once)
        folder = tmp_path / "lab"
        if starts:
            assert start(FABRIC, folder, port=2222, image=Image(tmp_path)).port == 2222
        else:
            with pytest.raises(GuestDiedError):
                start(FABRIC, folder, port=2222, image=Image(tmp_path))
        assert folder.exists() is starts

    def test_a_lab_that_is_there_is_not_started_over(self, tmp_path: Path) -> None:
        with pytest.raises(LabError, match="already exists: stop the lab there first"):
            start(FABRIC, tmp_path, image=Image(tmp_path))
        assert tmp_path.exists()


def test_the_next_run_deletes_what_a_killed_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: Process
) -> None:
    def left(name: str, machine: Process) -> Path:
        folder = tmp_path / name / "lab"
        folder.mkdir(parents=True)
        record = {"fabric": asdict(FABRIC), "port": 2222, "machine": asdict(machine)}
        (folder / "lab.json").write_text(json.dumps(record), encoding="ascii")
        return folder

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    killed, alive = left("softroce.killed", Process(sleeper.pid, sleeper.started - 1)), left("softroce.alive", sleeper)
    starting = tmp_path / "softroce.starting" / "lab"
    starting.mkdir(parents=True)
    lab_module._sweep()
    assert (killed.parent.exists(), alive.exists(), starting.exists()) == (False, True, True)


class TestWords:
    def test_what_cannot_run_here_is_told_from_what_failed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def lacks() -> None:
            raise CannotRunError("missing programs: run `apt-get install cpio`")

        monkeypatch.setattr(by_hand, "require_to_run", lacks)
        cannot = CliRunner().invoke(by_hand.main, ["check"])
        assert cannot.exit_code == 77
        assert cannot.output == "cannot run the Soft-RoCE lab here: missing programs: run `apt-get install cpio`\n"

    def test_a_folder_without_a_lab_is_a_failure(self, tmp_path: Path) -> None:
        failed = CliRunner().invoke(by_hand.main, ["stop", "--folder", str(tmp_path)])
        assert failed.exit_code == 1
        assert failed.output == f"the Soft-RoCE lab failed: no lab in {tmp_path}\n"
        with pytest.raises(LabError):
            find(tmp_path)
