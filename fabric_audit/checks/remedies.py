"""What mends a finding, in the words of the platform it was found on."""

from collections.abc import Mapping
from dataclasses import replace

from fabric_audit.findings import Finding, Verdict
from fabric_audit.platforms.model import Remedy
from fabric_audit.policy.design import Design
from fabric_audit.policy.model import Designs

ECN_MIN_BYTES, ECN_MAX_BYTES, ECN_MARK_PCT = 150_000, 1_500_000, 100
"""Shown where the policy sets no thresholds (NVIDIA Cumulus Linux, RDMA over Converged Ethernet: `qos roce`)."""


def mended(finding: Finding, remedies: Mapping[str, Mapping[str, Remedy]], design: Designs) -> Finding:
    """A failing finding with the remedy of its target's platform; others as they are.

    Args:
        finding: as the check made it, with its remedy in no vendor's words.
        remedies: target → check → remedy.
        design: what the policy wants of each target.
    """
    target = finding.subject[0]
    remedy = remedies.get(target, {}).get(finding.check)
    if remedy is None or finding.verdict is not Verdict.FAIL:
        return finding
    port = finding.subject[1] if len(finding.subject) > 1 else "PORT"
    words = remedy.words.format(port=port, **_values(design.of(target)))
    return replace(finding, remedy=words, remedy_source=remedy.source)


def _values(design: Design) -> dict[str, object]:
    return {
        "priority": design.roce_priority,
        "dscp": design.roce_dscp,
        "cnp_dscp": design.cnp_dscp,
        "cnp_priority": design.cnp_priority,
        "mtu": design.switch_mtu_bytes,
        "ecn_min": design.ecn_min_bytes or ECN_MIN_BYTES,
        "ecn_max": design.ecn_max_bytes or ECN_MAX_BYTES,
        "ecn_pct": design.ecn_mark_percent or ECN_MARK_PCT,
        "action": design.watchdog_actions[0] if design.watchdog_actions else "drop",
    }
