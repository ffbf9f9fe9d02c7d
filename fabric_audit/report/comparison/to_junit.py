"""What turned as JUnit XML: what is new fails, what is fixed passes, what is not known any more is an error."""

from typing import TYPE_CHECKING

from fabric_audit.findings import Comparison, Turn, Verdict
from fabric_audit.report.inert import inert
from fabric_audit.report.to_junit import case, details

if TYPE_CHECKING:
    from junitparser import TestCase

FILE_NAME = "difference.xml"
_VERDICTS = {
    "new": Verdict.FAIL,
    "unsettled": Verdict.UNKNOWN,
    "still": Verdict.SKIPPED,
    "fixed": Verdict.PASS,
}
"""What still fails is skipped: it was there before the change that is tested."""


def render(comparison: Comparison) -> bytes:
    """The comparison as JUnit XML."""
    from junitparser import JUnitXml, TestSuite  # noqa: PLC0415 - only for this format

    document = JUnitXml(inert(comparison.after.fabric))
    for kind, verdict in _VERDICTS.items():
        suite = TestSuite(kind)
        suite.timestamp = inert(comparison.after.started)
        suite.add_testcases([_case(turn, verdict, kind) for turn in getattr(comparison, kind)])
        document.add_testsuite(suite)
    lost = TestSuite("evidence lost")
    lost.timestamp = inert(comparison.after.started)
    lost.add_testcases(
        [case("evidence", f"{' '.join(t.subject)} {t.what}", Verdict.UNKNOWN, "", t.why) for t in comparison.lost]
    )
    document.add_testsuite(lost)
    text: bytes = document.tostring()  # type: ignore[no-untyped-call] # junitparser leaves it without types
    return b"<?xml version='1.0' encoding='UTF-8'?>\n" + text


def _case(turn: Turn, verdict: Verdict, kind: str) -> "TestCase":
    finding = turn.finding
    message = f"{'still failing: ' if kind == 'still' else ''}{finding.message}{f' ({turn.why})' if turn.why else ''}"
    return case(finding.check, " ".join(finding.subject), verdict, finding.severity.value, message, details(finding))
