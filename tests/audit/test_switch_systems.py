"""What a healthy pod passes and where its faults are found does not depend on what its switches run."""

from pathlib import Path

import pytest

from fabric_audit.findings import Verdict
from tests.simulated import NO_TRAFFIC, audited, collected, roots, verdicts

NAMES = {"sonic": "Ethernet{}", "nvidia_cumulus": "swp{}", "arista_eos": "Ethernet{}/1", "cisco_nxos": "Ethernet1/{}"}
FAULTS = {
    "switch-pfc-off@leaf01/2": ("pfc.enabled-on-lossless-priority", "leaf01/2"),
    "wrong-priority@spine01/1": ("pfc.enabled-on-lossless-priority", "spine01/1"),
    "watchdog-off@leaf01/1": ("pfc.watchdog-enabled", "leaf01/1"),
    "mtu-mismatch@spine01/3": ("links.mtu", "spine01/3"),
    "ecn-off@spine02/2": ("ecn.marks-on-lossless-queue", "spine02/2"),
    "dscp-unmapped@leaf02": ("qos.dscp-is-lossless", "leaf02"),
    "uplink-without-session@leaf01/8": ("routing.session-up", "leaf01/8"),
}
"""Fault → the one root finding; ports by number, from 1."""


def named(subject: str, platform: str) -> str:
    """The subject with its port's number as the OS writes it."""
    switch, _, number = subject.partition("/")
    lanes = 8 * (int(number) - 1) if platform == "sonic" and number else number
    return f"{switch}/{NAMES[platform].format(lanes)}" if number else switch


@pytest.mark.parametrize(
    "platforms",
    [
        {"leaf": "nvidia_cumulus", "spine": "cisco_nxos"},
        {"leaf": "cisco_nxos", "spine": "nvidia_cumulus"},
        {"leaf": "arista_eos", "leaf02": "nvidia_cumulus", "spine": "sonic", "spine02": "cisco_nxos"},
    ],
)
def test_a_healthy_pod_fails_and_lacks_nothing(tmp_path: Path, platforms: dict[str, str]) -> None:
    audit = audited(collected(tmp_path, "clos-2x2", platforms=platforms))
    assert set(verdicts(audit).values()) <= {"PASS", "NOT_VERIFIABLE", "SKIPPED", "OUT_OF_SCOPE"}
    assert not audit.incomplete
    passing = {check for check, verdict in verdicts(audit).items() if verdict == "PASS"}
    assert passing >= {"pfc.same-on-both-ends", "routing.session-up", "routing.ecmp-complete", "links.mtu"}


@pytest.mark.parametrize("platform", NAMES)
def test_every_fault_is_found_at_its_port(tmp_path: Path, platform: str) -> None:
    runs = {"leaf": platform, "spine": platform}
    audit = audited(collected(tmp_path, "clos-2x2", *FAULTS, traffic=NO_TRAFFIC, platforms=runs))
    assert roots(audit) == {(check, named(subject, platform)) for check, subject in FAULTS.values()}
    assert [f.check for f in audit.findings if f.verdict is Verdict.UNKNOWN] == []
