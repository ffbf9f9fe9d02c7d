"""The verdict on a whole fabric in one sentence."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fabric_audit.findings import Audit, Finding, Severity, Verdict
from fabric_audit.report.words import Overall, counted, headline, overall, when
from tests.report.audits import audit, checks, faulty, healthy, unknown
from tests.report.frames import Pod

SENTENCES = {
    healthy: "PASS: pod3 holds to policy roce-lossless: 9 checks passed, 1 cannot be verified, 1 out of scope, "
    "1 unverified parser among the evidence.",
    faulty: "FAIL: pod3 has 2 faults to fix; the first is gpu005: GPU memory cannot be registered: nvidia_peermem is "
    "not loaded; 1 further check lacks evidence.",
    unknown: "INCOMPLETE: pod3 is not known to fail, but 11 checks lack evidence; first: no evidence from gpu001: "
    "no route to host.",
}


@pytest.mark.parametrize(("make", "sentence"), SENTENCES.items())
def test_the_verdict_in_one_sentence(make: Callable[[], Audit], sentence: str) -> None:
    assert headline(make(), Severity.MAJOR) == sentence


def test_a_simulated_pod_is_called_so() -> None:
    assert headline(healthy(origin="simulated"), Severity.MAJOR).startswith("SIMULATED PASS: ")


def test_nothing_examined_is_no_pass() -> None:
    skipped = [replace(r, verdict=Verdict.OUT_OF_SCOPE, findings=()) for r in checks(Pod())]
    assert overall(audit(Pod(), skipped), Severity.MAJOR) is Overall.NOTHING
    assert overall(audit(Pod(), []), Severity.MAJOR) is Overall.NOTHING


def test_the_severity_asked_for_decides() -> None:
    minor = audit(Pod(), [replace(r, findings=tuple(map(as_minor, r.findings))) for r in faulty().results])
    known = replace(minor, results=tuple(r for r in minor.results if r.verdict is not Verdict.UNKNOWN))
    assert overall(known, Severity.MAJOR) is Overall.PASS
    assert overall(known, Severity.MINOR) is Overall.FAIL
    assert "2 lesser findings stand" in headline(known, Severity.MAJOR)


def as_minor(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.MINOR)


def test_hostile_names_stay_in_their_sentence() -> None:
    audit_ = faulty(fabric="pod\x1b[2J\n" + "x" * 10_000)
    assert headline(audit_, Severity.MAJOR).isprintable()
    assert len(headline(audit_, Severity.MAJOR)) < 500


def test_moments_and_numbers_for_people() -> None:
    assert when("2026-03-04T05:06:07+02:00") == "4 March 2026, 03:06 UTC"
    assert when("long ago") == "long ago"
    assert [counted(n, "check") for n in (0, 1, 1024)] == ["0 checks", "1 check", "1,024 checks"]
