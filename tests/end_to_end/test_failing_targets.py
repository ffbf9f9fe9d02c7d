"""Targets that fail, each in its own way: one UNKNOWN each with its true cause, and the rest of the run complete."""

import pytest

from tests.end_to_end.program import TRACEBACK, Program, all_findings, verdicts

pytestmark = pytest.mark.ssh
FAULTS = {
    "down@gpu001": ("unreachable", "Connection refused"),
    "refuses-login@gpu005": ("login", "login refused; tried key"),
    "changed-host-key@gpu002": ("host_key", "has changed: it shows ssh-ed25519"),
    "silent@gpu006": ("deadline", "accepted the connection and stayed silent for 15 s"),
    "refuses-login@leaf02": ("login", "login refused; tried password from Secret(env: FABRIC_AUDIT_SIM_PASSWORD)"),
}


def test_each_is_one_unknown_and_the_rest_completes(program: Program) -> None:
    name = program.inventory("clos-8x2", *FAULTS, "perftest-missing@gpu008")
    ran = program.run("run", name, "--yes", "--output", "out")
    assert ran.rc == 3, ran.out + ran.err
    assert TRACEBACK not in ran.err
    assert "internal error" not in ran.err
    found = program.findings("out")
    unknown = [f for f in all_findings(found) if f["check"] == "evidence.delivered" and f["verdict"] == "UNKNOWN"]
    causes = {(f["subject"][0], f["subject"][1]): f["message"] for f in unknown}
    assert set(causes) == {(fault.partition("@")[2], cause) for fault, (cause, _) in FAULTS.items()}
    for fault, (cause, words) in FAULTS.items():
        assert words in causes[fault.partition("@")[2], cause]
    assert [f for f in all_findings(found) if f["verdict"] in ("FAIL", "ERROR")] == []
    lost = {fault.partition("@")[2] for fault in FAULTS}
    delivered = {row["target"] for row in found["coverage"] if row["state"] == "parsed" and "final" in row["phases"]}
    assert delivered == {"gpu003", "gpu004", "gpu007", "gpu008", "leaf01", "spine01", "spine02"}
    assert lost.isdisjoint(delivered)
    of_rates = [f for f in all_findings(found) if f["check"] == "performance.line-rate"]
    rates = [f for f in of_rates if f["subject"][1].startswith("rail")]
    assert {f["verdict"] for f in rates if {f["subject"][0], f["subject"][2]} == {"gpu003", "gpu007"}} == {"PASS"}
    without = [f["message"] for f in rates if {f["subject"][0], f["subject"][2]} == {"gpu004", "gpu008"}]
    assert without
    assert all("failed to run command 'ib_write_bw': No such file" in words for words in without)
    assert "PASS" not in {verdicts(found)[check] for check in ("evidence.delivered", "performance.line-rate")}


def test_a_pod_that_cannot_be_reached_at_all_is_all_unknown(program: Program) -> None:
    faults = [f"down@{name}" for name in ("gpu001", "gpu002", "leaf01", "leaf02", "spine01", "spine02")]
    name = program.inventory("clos-2x2", *faults)
    ran = program.run("run", name, "--yes", "--output", "out")
    assert ran.rc == 3, ran.out + ran.err
    assert {c for c, verdict in verdicts(program.findings("out")).items() if verdict == "PASS"} == set()
