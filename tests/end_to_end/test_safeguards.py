"""The controller ended at random moments, and what must hold before hosts are loaded, from outside."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fabric_audit.capture.reader import Capture
from tests.end_to_end.program import TRACEBACK, Program, eventually

pytestmark = pytest.mark.ssh
KILLS = int(os.environ.get("KILLS", "6"))
"""Random moments at which the controller is ended; `make kills` takes 50."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
FINISHES_WITHIN_S = 5.0
"""About as long as a collection takes from its first question on, so that moments fall into all of its parts."""


@contextmanager
def served(program: Program, pod: str, *faults: str) -> Iterator[str]:
    """A pod in the foreground, as `simulate` runs it, with tests of a tenth of a second."""
    words = [word for fault in faults for word in ("--fault", fault)]
    argv = [str(program.path), "simulate", pod, "--scale", "0.1", "--output", "pod.yaml", *words]
    pipe = subprocess.PIPE
    environment = program.whole_environment
    with subprocess.Popen(argv, cwd=program.folder, env=environment, stdin=pipe, stdout=pipe, text=True) as simulated:
        assert simulated.stdin
        assert simulated.stdout
        try:
            assert simulated.stdout.readline().startswith("inventory ")
            path = program.folder / "pod.yaml"
            sent = "traffic: {mode: tournament, tools: [ib_write_bw], memory: [host], duration: 1s}"
            kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("traffic:")]
            path.write_text("\n".join([*kept, sent]) + "\n", "utf-8")
            yield "pod.yaml"
        finally:
            simulated.stdin.close()
            simulated.wait(20)


def test_ended_at_any_moment_it_leaves_nothing_and_can_be_completed(program: Program) -> None:
    dice = random.Random(2611)  # noqa: S311 - moments that can be repeated
    with served(program, "clos-4x1") as inventory:
        for number in range(KILLS):
            output, kind = f"run{number}", SIGNALS[number % len(SIGNALS)]
            select = ("--select", "evidence", "--select", "performance")
            process = program.started("collect", inventory, "--yes", "-q", "--output", output, *select)
            folder = program.folder / output / "capture"
            assert eventually((folder / "manifest.json").exists, 60.0)
            time.sleep(dice.uniform(0.0, FINISHES_WITHIN_S))
            process.send_signal(kind)
            _, words = process.communicate(timeout=120)
            assert TRACEBACK not in words, words
            begun = Capture.open(folder)
            assert begun.damaged == ()
            if not begun.manifest.sealed:
                again = program.run("collect", inventory, "--yes", "-q", "--resume", output, *select)
                assert again.rc == 0, again.err
            completed = Capture.open(folder)
            assert completed.manifest.sealed
            assert [record["number"] for record in completed.rounds] == list(range(1, 8))
            ended = {entry.target for entry in completed.entries if entry.phase == "final"}
            assert len(ended) == 8
        cleaned = program.run("cleanup", inventory)
        assert cleaned.out.count("nothing was left") == 4, cleaned.out


def test_a_host_in_use_is_loaded_only_where_that_is_allowed_for_a_reason(program: Program) -> None:
    with served(program, "clos-2x1", "foreign-qp@gpu002") as inventory:
        refused = program.run("run", inventory, "--yes", "--allow-busy", "gpu002")
        assert (refused.rc, "--allow-busy needs --reason TEXT" in refused.err) == (2, True)
        allowed = ("--allow-busy", "gpu002", "--reason", "drained by hand", "--format", "json,markdown")
        program.run("run", inventory, "--yes", "--output", "out", "-q", *allowed)
    overrides = program.findings("out")["overrides"]
    assert overrides[0] == "--allow-busy gpu002: drained by hand"
    assert overrides[1].startswith("gpu002 was loaded although in use by python3 (pid 4242)")
    assert "drained by hand" in next((program.folder / "out").glob("report.md")).read_text("utf-8")


def test_a_guard_that_says_no_keeps_everything_from_being_asked(program: Program) -> None:
    name = program.inventory("clos-2x1")
    ran = program.run(
        "run", name, "--yes", "--output", "out", "--guard", 'echo "$FABRIC_AUDIT_NODESET is busy"; exit 3'
    )
    assert ran.rc == 2
    assert "the guard" in ran.err
    assert "ended with 3: gpu[001-002] is busy; nothing was sent" in ran.err
    assert not (program.folder / "out").exists()


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--max-time", "soon"), "--max-time 'soon' is no duration"),
        (("--max-bytes", "much"), "--max-bytes 'much' is no size"),
        (("--allow-busy", "gpu009", "--reason", "x"), "--allow-busy 'gpu009': no target is called gpu009"),
        (("--resume", "nowhere"), "nowhere: no capture there"),
    ],
)
def test_what_cannot_be_meant_is_said(program: Program, option: tuple[str, ...], words: str) -> None:
    ran = program.run("collect", program.inventory("clos-2x1"), "--yes", "--output", "out", *option)
    assert (ran.rc, words in ran.err) == (2, True), ran.err
