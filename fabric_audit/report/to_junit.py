"""Findings as test cases, for a build server.

A family of checks is a suite, a finding a test case: FAIL is a failure, UNKNOWN and ERROR are errors, what was not
examined is skipped. XML 1.0 has no control characters at all, escaped or not (clause 2.2): they are spelled out.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from fabric_audit.findings import Audit, Finding, Result, Verdict
from fabric_audit.report.inert import inert
from fabric_audit.report.model import EvidenceReader

if TYPE_CHECKING:
    from junitparser import TestCase

FILE_NAME = "junit.xml"
_FAILURES = (Verdict.FAIL,)
_ERRORS = (Verdict.UNKNOWN, Verdict.ERROR)


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit as a JUnit XML document."""
    from junitparser import JUnitXml, TestSuite  # noqa: PLC0415 - loaded when this format is asked for

    del evidence
    document = JUnitXml(inert(audit.fabric))
    results = sorted(audit.results, key=lambda r: r.check)
    for family, mine in groupby(results, key=lambda r: r.check.split(".", maxsplit=1)[0]):
        suite = TestSuite(inert(family))
        suite.timestamp = inert(audit.started)
        # One call: a call for each case counts all cases anew, 88 s for 10,000 of them.
        suite.add_testcases([case for result in mine for case in _cases(result)])
        document.add_testsuite(suite)
    text: bytes = document.tostring()  # type: ignore[no-untyped-call] # junitparser leaves it without types
    return b"<?xml version='1.0' encoding='UTF-8'?>\n" + text


def _cases(result: Result) -> "Iterator[TestCase]":
    if not result.findings:
        yield case(result.check, result.title, result.verdict, result.severity.value, result.reason)
    for f in sorted(result.findings, key=lambda f: (f.subject, f.verdict, f.message)):
        yield case(f.check, " ".join(f.subject), f.verdict, f.severity.value, f.message, details(f))


def details(finding: Finding) -> str:
    """What belongs to a finding besides its message, a line each."""
    told = {
        "expected": finding.expected,
        "observed": finding.observed,
        "remedy": finding.remedy,
        "source": finding.remedy_source,
        "evidence": " ".join(map(str, finding.evidence)),
        "reproduce": finding.reproduce,
        "explained by": finding.explained_by,
    }
    return "\n".join(f"{name}: {text}" for name, text in told.items() if text)


def case(check: str, name: str, verdict: Verdict, severity: str, message: str, details: str = "") -> "TestCase":
    """One test case; what passes has neither message nor details."""
    from junitparser import Error, Failure, Skipped, TestCase  # noqa: PLC0415 - as above

    made = TestCase(inert(name), classname=inert(check), time=0.0)
    if verdict is Verdict.PASS:
        return made
    kind: Any = Failure if verdict in _FAILURES else Error if verdict in _ERRORS else Skipped
    told = kind(inert(message or verdict.value), severity if kind is Failure else verdict.value)
    told.text = inert(details, keep="\n") if details else None
    made.result = [told]
    return made
