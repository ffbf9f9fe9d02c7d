"""Ctrl-C, SIGTERM and worse in the middle of a round: hosts are left clean, the capture readable."""

import json
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.end_to_end.program import TRACEBACK, Program, children_of, ended, eventually, wait_for

pytestmark = pytest.mark.ssh
SLOWLY = {"FABRIC_AUDIT_SIM_SCALE": "1"}
"""A test takes its five seconds."""


def left(folder: Path) -> tuple[bool, Counter[str]]:
    """(sealed, how often each host was swept)."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    lines = [json.loads(line) for line in (folder / "outputs.jsonl").read_text("utf-8").splitlines()]
    return manifest["sealed"], Counter(line["target"] for line in lines if line.get("command") == "sweep")


def test_ctrl_c_in_a_round_cleans_up_and_an_impatient_user_does_not_break_that(program: Program) -> None:
    name = program.inventory("clos-4x3", traffic="tournament")
    process = program.started("run", name, "--yes", "--output", "out", **SLOWLY)
    wait_for(process, "round 1 of")
    process.send_signal(signal.SIGINT)
    wait_for(process, "clean-up")
    ran = ended(process, signal.SIGINT)
    assert ran.rc == 130, ran.err
    assert "fabric-audit: interrupted\n" in ran.err
    assert TRACEBACK not in ran.err
    assert eventually(lambda: children_of("clos-4x3") == [])
    swept = dict.fromkeys((f"gpu{n:03d}" for n in range(1, 5)), 2)
    assert left(program.folder / "out" / "capture") == (False, swept), "before traffic, and after the signal"
    checked = program.run("check", "out")
    assert checked.rc == 3, checked.out
    assert "INCOMPLETE" in checked.out


def test_a_polite_end_in_a_round_cleans_up(program: Program) -> None:
    name = program.inventory("clos-2x3", traffic="tournament")
    process = program.started("run", name, "--yes", "--output", "out", **SLOWLY)
    wait_for(process, "round 1 of")
    ran = ended(process, signal.SIGTERM)
    assert ran.rc == 143, ran.err
    assert "fabric-audit: terminated\n" in ran.err
    assert eventually(lambda: children_of("clos-2x3") == [])
    assert left(program.folder / "out" / "capture") == (False, {"gpu001": 2, "gpu002": 2})


def test_a_controller_that_is_killed_leaves_no_pod(program: Program) -> None:
    name = program.inventory("clos-2x4", traffic="tournament")
    process = program.started("run", name, "--yes", "--output", "out", **SLOWLY)
    wait_for(process, "round 1 of")
    assert ended(process, signal.SIGKILL).rc == -signal.SIGKILL
    assert eventually(lambda: children_of("clos-2x4") == [])
    assert program.run("check", "out").rc == 3


def test_an_interrupt_before_anything_was_asked(program: Program) -> None:
    name = program.inventory("clos-3x3")
    process = program.started("run", name, "--yes", "--output", "out", **SLOWLY)
    assert eventually(lambda: children_of("clos-3x3") != [])
    assert ended(process, signal.SIGINT).rc == 130
    assert eventually(lambda: children_of("clos-3x3") == [])
