"""A healthy pod has nothing to blame; with one fault the component that has it is named, and nothing else."""

from pathlib import Path

import pytest

from fabric_audit.findings import Audit, Verdict
from fabric_audit.inventory.model import Traffic
from tests.simulated import NO_TRAFFIC, audited, collected, roots, verdicts

TOURNAMENT = Traffic(mode="tournament", tools=("ib_write_bw",), memory=("host", "gpu"), duration_s=5.0)
SETTINGS = {
    "nic-pfc-off@gpu002/rail1": ("pfc.enabled-on-lossless-priority", "gpu002/rail1"),
    "switch-pfc-off@leaf01/Ethernet8": ("pfc.enabled-on-lossless-priority", "leaf01/Ethernet8"),
    "wrong-priority@spine01/Ethernet1/1": ("pfc.enabled-on-lossless-priority", "spine01/Ethernet1/1"),
    "ecn-off@leaf02": ("ecn.marks-on-lossless-queue", "leaf02"),
    "ecn-off@spine02/Ethernet2/1": ("ecn.marks-on-lossless-queue", "spine02/Ethernet2/1"),
    "dscp-unmapped@leaf01": ("qos.dscp-is-lossless", "leaf01"),
    "watchdog-off@leaf01/Ethernet8": ("pfc.watchdog-enabled", "leaf01/Ethernet8"),
    "trust-pcp@gpu002/rail0": ("qos.trust-dscp", "gpu002/rail0"),
    "dcqcn-off@gpu002/rail0": ("ecn.congestion-control-on", "gpu002/rail0"),
    "traffic-class-override@gpu002/rail0": ("qos.class-override", "gpu002/rail0"),
    "mtu-mismatch@leaf01/Ethernet8": ("links.mtu", "leaf01/Ethernet8"),
    "nvlink-degraded@gpu002": ("gpu.nvlink-map", "gpu002/GPU0/GPU1"),
}
"""Fault → the one root finding, told by configuration alone."""
UNDER_LOAD = {
    "slow-nic@gpu002/rail0": ("performance.slow-nic", "gpu002/rail 0"),
    "lossy-link@gpu002/rail0": ("counters.no-wire-errors", "gpu002/rail0"),
    "gdr-module-missing@gpu002": ("gdr.possible", "gpu002"),
}
REFUSALS = {
    "down@gpu002": ("unreachable", "connection refused"),
    "silent@gpu002": ("deadline", "accepted the connection and stayed silent"),
    "refuses-login@gpu002": ("login", "login refused"),
    "changed-host-key@gpu002": ("host_key", "host key of gpu002 has changed"),
    "down@leaf01": ("unreachable", "connection refused"),
    "refuses-login@spine01": ("login", "login refused"),
}


def unknown(audit: Audit) -> dict[str, set[str]]:
    """Check → targets of its UNKNOWN findings."""
    found: dict[str, set[str]] = {}
    for finding in audit.findings:
        if finding.verdict is Verdict.UNKNOWN:
            found.setdefault(finding.check, set()).add(finding.subject[0])
    return found


def test_a_healthy_pod_fails_and_lacks_nothing(tmp_path: Path) -> None:
    audit = audited(collected(tmp_path, traffic=TOURNAMENT))
    assert set(verdicts(audit).values()) <= {"PASS", "NOT_VERIFIABLE", "SKIPPED", "OUT_OF_SCOPE"}
    assert {check for check, verdict in verdicts(audit).items() if verdict == "PASS"} > {
        "evidence.delivered",
        "evidence.understood",
        "pfc.same-on-both-ends",
        "performance.line-rate",
        "performance.slow-nic",
        "counters.lossy-nic",
        "gdr.works",
    }


@pytest.mark.parametrize("fault", SETTINGS)
def test_a_wrong_setting_is_found_at_its_component(tmp_path: Path, fault: str) -> None:
    audit = audited(collected(tmp_path, "clos-2x2", fault, traffic=NO_TRAFFIC))
    assert roots(audit) == {SETTINGS[fault]}
    assert unknown(audit) == {}


@pytest.mark.parametrize("fault", UNDER_LOAD)
def test_what_only_load_shows_is_found_at_its_component(tmp_path: Path, fault: str) -> None:
    audit = audited(collected(tmp_path, "clos-4x2", fault, traffic=TOURNAMENT))
    assert roots(audit) == {UNDER_LOAD[fault]}
    assert unknown(audit) == {}


@pytest.mark.parametrize("fault", REFUSALS)
def test_a_target_that_cannot_be_asked_is_one_unknown_with_its_true_cause(tmp_path: Path, fault: str) -> None:
    cause, words = REFUSALS[fault]
    target = fault.partition("@")[2]
    audit = audited(collected(tmp_path, "clos-2x2", fault))
    assert roots(audit) == set()
    delivered = [f for f in audit.findings if f.check == "evidence.delivered" and f.verdict is Verdict.UNKNOWN]
    assert [(finding.subject, words in finding.message) for finding in delivered] == [((target, cause), True)]
    passing = {check for check, verdict in verdicts(audit).items() if verdict == "PASS"}
    assert "evidence.delivered" not in passing
    assert audit.incomplete


def test_a_host_without_perftest_passes_no_check_of_its_speed(tmp_path: Path) -> None:
    audit = audited(collected(tmp_path, "clos-2x2", "perftest-missing@gpu002"))
    assert roots(audit) == set()
    about = {check: targets for check, targets in unknown(audit).items() if "gpu002" in targets}
    assert about.keys() >= {"performance.line-rate", "performance.slow-nic", "counters.lossy-nic", "gdr.works"}
    rates = [f for f in audit.findings if f.check == "performance.line-rate" and f.verdict is Verdict.UNKNOWN]
    assert all("failed to run command 'ib_write_bw': No such file or directory" in f.message for f in rates)
    assert all("gpu002" in f.subject for f in rates)


def test_two_faults_are_two_roots(tmp_path: Path) -> None:
    planted = ("trust-pcp@gpu002/rail0", "ecn-off@leaf02")
    audit = audited(collected(tmp_path, "clos-2x2", *planted, traffic=NO_TRAFFIC))
    assert roots(audit) == {SETTINGS[fault] for fault in planted}


def test_the_adaptive_schedule_finds_a_slow_nic_across_racks(tmp_path: Path) -> None:
    adaptive = Traffic(mode="adaptive", tools=("ib_write_bw",), memory=("host",), duration_s=5.0, qps=8)
    capture = collected(tmp_path, "clos-8x1-rack", "slow-nic@gpu003/rail0", traffic=adaptive)
    audit = audited(capture)
    assert ("performance.slow-nic", "gpu003/rail 0") in roots(audit)
    assert not any(check == "performance.slow-leaf" for check, _ in roots(audit))
    assert len({(slot["client"], slot["server"]) for record in capture.rounds for slot in record["slots"]}) < 8 * 7
