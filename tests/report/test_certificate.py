"""The certificate: accepted only with a proof for everything, else with what stands against it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fabric_audit.findings import Audit, Custody, Severity, Verdict
from fabric_audit.report import RENDERERS
from fabric_audit.report.acceptance import Decision, acceptance, required
from tests.report.audits import Lines, faulty, healthy, unknown

DIGEST = "0123456789abcdef" * 4
CUSTODY = Custody(
    run="20260304T050607Z-abcdef",
    collected_with="9.8.7",
    account="ops",
    ended="2026-03-04T06:06:07+00:00",
    sealed=True,
    traffic="soak:30m",
    loaded_s=1800.0,
    digest=DIGEST,
    tool_digest=DIGEST[::-1],
)


def proven() -> Audit:
    """A fabric with a proof for everything."""
    told = healthy(custody=CUSTODY)
    passed = tuple(replace(result, unverified_parsers=()) for result in told.results if result.verdict is Verdict.PASS)
    return replace(told, results=passed)


def text(audit: Audit) -> str:
    return RENDERERS["certificate"].render(audit, Lines()).decode()


def test_a_fabric_with_a_proof_for_everything_is_accepted() -> None:
    decided = acceptance(proven())
    assert (decided.decision, decided.faults, decided.conditions) == (Decision.ACCEPTED, (), ())
    page = text(proven())
    for words in ("ACCEPTED", "gpu[001-008]", "leaf[01-02]", "1,800 seconds", DIGEST, DIGEST[::-1], "ops", "9.8.7"):
        assert words in page


LESS: dict[str, tuple[Callable[[Audit], Audit], str]] = {
    "simulated": (lambda a: replace(a, origin="simulated"), "the evidence is simulated"),
    "files": (lambda a: replace(a, origin="files"), "no device was asked"),
    "unsealed": (lambda a: replace(a, custody=replace(CUSTODY, sealed=False)), "did not come to its end"),
    "damaged": (
        lambda a: replace(a, custody=replace(CUSTODY, damaged=("baseline/gpu001/linux.out",))),
        "baseline/gpu001/linux.out",
    ),
    "no soak": (lambda a: replace(a, custody=replace(CUSTODY, traffic="tournament")), "no soak was run"),
    "short soak": (lambda a: replace(a, custody=replace(CUSTODY, loaded_s=1799.0)), "1,799 of 1,800 seconds"),
    "overridden": (lambda a: replace(a, overrides=("--allow-busy gpu001: reason",)), "--allow-busy gpu001"),
    "unverified": (
        lambda a: replace(a, results=(replace(a.results[0], unverified_parsers=("x:y",)), *a.results[1:])),
        "never proven in the field: x:y",
    ),
    "unknown": (
        lambda a: replace(a, results=(replace(a.results[0], verdict=Verdict.UNKNOWN, reason="lost"), *a.results[1:])),
        "evidence.delivered evidence is missing: lost",
    ),
    "required and out of scope": (
        lambda a: replace(
            a,
            required=("links",),
            results=tuple(
                replace(r, verdict=Verdict.OUT_OF_SCOPE, findings=(), reason="no switches")
                if r.check.startswith("links")
                else r
                for r in a.results
            ),
        ),
        "links.mtu is out of scope: no switches",
    ),
    "nothing judged": (lambda a: replace(a, results=()), "no check examined anything"),
}


@pytest.mark.parametrize("name", LESS)
def test_whatever_is_less_than_proof_is_a_condition(name: str) -> None:
    change, words = LESS[name]
    decided = acceptance(change(proven()))
    assert decided.decision is Decision.CONDITIONAL
    assert any(words in condition for condition in decided.conditions), decided.conditions
    assert "CONDITIONAL" in text(change(proven()))


def test_a_failure_rejects_and_is_named_and_a_lesser_one_is_a_condition() -> None:
    decided = acceptance(faulty(custody=CUSTODY))
    assert decided.decision is Decision.REJECTED
    assert any("nvidia_peermem is not loaded" in fault for fault in decided.faults)
    assert "REJECTED" in text(faulty(custody=CUSTODY))
    lesser = replace(faulty(custody=CUSTODY), fail_on=Severity.CRITICAL)
    assert [fault for fault in acceptance(lesser).faults if "PFC is off" in fault] == []
    assert any("PFC is off" in condition for condition in acceptance(lesser).conditions)


def test_checks_that_the_policy_names_are_the_required_ones() -> None:
    named = replace(proven(), required=("pfc", "links.mtu"))
    assert [result.check for result in required(named)] == ["links.mtu", "pfc.on", "pfc.watchdog"]
    assert acceptance(unknown()).decision is Decision.CONDITIONAL


def test_it_loads_nothing_and_has_no_script() -> None:
    page = text(proven())
    assert "script-src &#39;none&#39;" in page
    assert "<script" not in page
