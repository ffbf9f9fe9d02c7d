"""What a vendor's guide configures, in that OS's words, holds to the profile that was made of the guide."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from fabric_audit.audit import audit_capture
from fabric_audit.audit.configurations import saved
from fabric_audit.checks.model import all_checks
from fabric_audit.findings import Verdict
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.layers import shipped_policies
from fabric_audit.policy.load import load_policy

TEXTS = Path(__file__).with_name("references")
PROFILES = {
    "roce-lossless-arista": "arista_eos",
    "roce-lossless-cisco": "cisco_nxos",
    "roce-lossless-dell": "dell_sonic",
    "roce-lossless-huawei": "huawei_vrp",
    "roce-lossless-juniper-ai": "juniper_junos",
    "roce-lossless-nvidia": "nvidia_cumulus",
    "roce-lossless-sonic-azure": "sonic",
    "roce-lossy": "nvidia_cumulus_lossy",
    "spectrum-x": "nvidia_cumulus",
}
OF_NO_VENDOR = {"infiniband", "roce-400g-no-dcqcn", "roce-lossless"}
LOSSLESS = {"pfc.enabled-on-lossless-priority", "qos.dscp-is-lossless"}
HELD = {*LOSSLESS, "qos.trust-dscp", "evidence.understood"}


def test_every_profile_of_a_vendor_has_its_reference() -> None:
    assert {*PROFILES, *OF_NO_VENDOR} == {*shipped_policies()}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_reference_configuration_fails_nothing(profile: str) -> None:
    text = TEXTS / f"{PROFILES[profile]}.txt"
    platform = switch_platforms()[PROFILES[profile].removesuffix("_lossy")]
    given = saved(platform, {str(text): text.read_bytes()}, datetime(2026, 11, 30, tzinfo=UTC))
    audit = audit_capture(given.capture, given.inventory, load_policy(profile), all_checks())
    wrong = [f for f in audit.findings if f.verdict in (Verdict.FAIL, Verdict.UNKNOWN, Verdict.ERROR)]
    assert wrong == []
    assert not any(given.skipped.values())
    held = HELD if load_policy(profile).design.pfc_required else HELD - LOSSLESS
    assert {result.check for result in audit.results if result.verdict is Verdict.PASS} > held
