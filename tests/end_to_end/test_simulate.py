"""A pod in the foreground, and an ordinary inventory that leads to it: nothing of the run knows it is simulated."""

import signal

import pytest

from tests.end_to_end.program import Program, ended, eventually, verdicts

pytestmark = pytest.mark.ssh


def test_run_and_cleanup_by_an_ordinary_inventory(program: Program) -> None:
    words = ("--fault", "nic-pfc-off@gpu002/rail0", "--scale", "0.002", "--output", "real.yaml")
    pod = program.started("simulate", "clos-2x2", *words)
    try:
        assert eventually((program.folder / "real.yaml").exists)
        ran = program.run("run", "real.yaml", "--yes", "--traffic", "smoke", "--output", "out")
        assert ran.rc == 1, ran.err
        assert ran.out.startswith("FAIL"), "an inventory of hosts and switches is taken for real"
        found = program.findings("out")
        assert (found["origin"], verdicts(found)["pfc.enabled-on-lossless-priority"]) == ("real", "FAIL")
        swept = program.run("cleanup", "real.yaml")
        assert (swept.rc, swept.out) == (0, "gpu001: nothing was left\ngpu002: nothing was left\n")
        nothing = {"FABRIC_AUDIT_SIM_PASSWORD": ""}
        wrong = program.run("run", "real.yaml", "--yes", "--traffic", "none", "--output", "wrong", **nothing)
        assert wrong.rc == 1
        assert "environment variable FABRIC_AUDIT_SIM_PASSWORD is not set" in wrong.err
    finally:
        ended(pod, signal.SIGINT)
    gone = program.run("cleanup", "real.yaml")
    assert gone.rc == 3
    assert "Connection refused" in gone.out


def test_faults_are_listed(program: Program) -> None:
    ran = program.run("simulate", "any", "--list-faults")
    assert ran.rc == 0
    assert "nic-pfc-off " in ran.out
    assert len(ran.out.splitlines()) > 15
