"""Every finding as a row of a spreadsheet."""

from collections.abc import Iterator

from fabric_audit.findings import Audit
from fabric_audit.report.cells import table
from fabric_audit.report.model import EvidenceReader

FILE_NAME = "findings.csv"
HEADER = (
    "check",
    "verdict",
    "severity",
    "target",
    "component",
    "message",
    "expected",
    "observed",
    "remedy",
    "remedy_source",
    "reproduce",
    "explained_by",
    "evidence",
)


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """One row a finding; a check without findings is a row with its reason."""
    del evidence
    return table(HEADER, _rows(audit))


def _rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    for result in sorted(audit.results, key=lambda r: r.check):
        if not result.findings:
            told = (result.check, result.verdict.value, result.severity.value, "", "", result.reason)
            yield told + ("",) * (len(HEADER) - len(told))
        for f in sorted(result.findings, key=lambda f: (f.subject, f.verdict, f.message)):
            yield (
                f.check,
                f.verdict.value,
                f.severity.value,
                f.subject[0],
                " ".join(f.subject[1:]),
                f.message,
                f.expected,
                f.observed,
                f.remedy,
                f.remedy_source,
                f.reproduce,
                f.explained_by,
                " ".join(map(str, f.evidence)),
            )
