"""Everything that was found, for programs: its schema is ``findings.schema.json`` beside this file.

The same audit always gives the same bytes: rows and keys are sorted, and no time of writing and no path outside the
capture is in it. Text is kept whole and escaped to ASCII, so that printing the file moves no cursor; lone surrogates,
which JSON readers refuse, become U+FFFD.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fabric_audit.findings import Audit, CoverageRow, Finding, Result, Verdict
from fabric_audit.report.inert import encodable
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.words import overall, sentence

FILE_NAME = "findings.json"
SCHEMA = 1
"""Raised when a reader of the old form would misread the new one; fields are added without."""


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit as JSON."""
    del evidence
    return (json.dumps(document(audit), indent=1, sort_keys=True) + "\n").encode("ascii")


def schema() -> dict[str, Any]:
    """The published JSON schema of what :func:`render` writes."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("findings.schema.json").read_text("utf-8"))
    return found


def document(audit: Audit) -> dict[str, Any]:
    """The audit as plain values."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "fabric-audit", "version": audit.tool_version},
        "fabric": encodable(audit.fabric),
        "policy": encodable(audit.policy),
        "origin": audit.origin,
        "started": audit.started,
        "as_of": audit.as_of,
        "fail_on": audit.fail_on.value,
        "verdict": overall(audit, audit.fail_on).value,
        "summary": encodable(sentence(audit, audit.fail_on)),
        "incomplete": audit.incomplete,
        "counts": {
            "checks": _counts(result.verdict for result in audit.results),
            "findings": _counts(finding.verdict for finding in audit.findings),
        },
        "results": [_result(result) for result in sorted(audit.results, key=lambda r: r.check)],
        "coverage": _coverage(audit.coverage),
        "damaged": [encodable(path) for path in audit.custody.damaged],
        "overrides": [encodable(override) for override in audit.overrides],
    }


def _counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    counted = Counter(verdicts)
    return {verdict.value: counted[verdict] for verdict in Verdict}


def _result(result: Result) -> dict[str, Any]:
    return {
        "check": result.check,
        "title": encodable(result.title),
        "manual": encodable(result.manual),
        "verdict": result.verdict.value,
        "severity": result.severity.value,
        "reason": encodable(result.reason),
        "unverified_parsers": sorted(map(encodable, result.unverified_parsers)),
        "findings": [of_finding(f) for f in sorted(result.findings, key=lambda f: (f.subject, f.verdict, f.message))],
    }


def of_finding(finding: Finding) -> dict[str, Any]:
    """One finding as plain values."""
    return {
        "id": encodable(finding.id),
        "verdict": finding.verdict.value,
        "severity": finding.severity.value,
        "subject": [encodable(part) for part in finding.subject],
        "message": encodable(finding.message),
        "expected": encodable(finding.expected),
        "observed": encodable(finding.observed),
        "remedy": encodable(finding.remedy),
        "remedy_source": encodable(finding.remedy_source),
        "reproduce": encodable(finding.reproduce),
        "explained_by": encodable(finding.explained_by),
        "waiver": encodable(finding.waiver),
        "evidence": [{"path": encodable(e.path), "line": e.line} for e in finding.evidence],
    }


def _coverage(rows: Iterable[CoverageRow]) -> list[dict[str, Any]]:
    """Rows that differ in nothing but their phase are one; files are named where something is lacking."""
    groups: dict[tuple[Any, ...], list[CoverageRow]] = {}
    for row in sorted(rows, key=lambda row: (row.target, row.section, row.phase)):
        same = (row.target, row.section, row.tables, row.state, row.reason, row.cause, row.provenance)
        groups.setdefault(same, []).append(row)
    return [_covered(group) for group in groups.values()]


def _covered(group: list[CoverageRow]) -> dict[str, Any]:
    first = group[0]
    return {
        "target": encodable(first.target),
        "section": first.section,
        "tables": list(first.tables),
        "state": first.state,
        "reason": encodable(first.reason),
        "cause": first.cause,
        "provenance": first.provenance,
        "phases": [row.phase for row in group],
        "paths": [encodable(row.path) for row in group if row.path and first.state != "parsed"],
    }
