"""What is wrong or open as SARIF 2.1.0, for code scanning and its viewers.

A check is a rule; a finding is a result at its evidence in the capture. FAIL is of kind ``fail``; what cannot be
decided is ``open``, what the platform cannot tell ``review`` (clause 3.27.9); what is waived is a failure with a
suppression (3.35). What passes is left out: a viewer has no use for it, and ``findings.json`` has it.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fabric_audit.findings import Audit, Evidence, Finding, Origin, Result, Severity, Verdict
from fabric_audit.report.inert import encodable, inert
from fabric_audit.report.model import EvidenceReader

if TYPE_CHECKING:
    from sarif_pydantic import Location, ReportingDescriptor
    from sarif_pydantic import Result as SarifResult

FILE_NAME = "findings.sarif"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""A name, never fetched: code scanning refuses logs without it."""
CAPTURE = "CAPTURE"
"""Name of the folder that paths are relative to (3.4.4); paths of files that a person named stand as they are."""
_KINDS = {
    Verdict.FAIL: "fail",
    Verdict.UNKNOWN: "open",
    Verdict.ERROR: "open",
    Verdict.NOT_VERIFIABLE: "review",
}
_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.MAJOR: "error",
    Severity.MINOR: "warning",
    Severity.INFO: "note",
}


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit as a SARIF log."""
    del evidence
    return log(audit, {finding: "" for result in audit.results for finding in result.findings})


def log(audit: Audit, states: Mapping[Finding, str]) -> bytes:
    """These findings as a SARIF log, each with its state towards an earlier one (3.27.24) where it has one."""
    from sarif_pydantic import ArtifactLocation, Run, Sarif, Tool, ToolDriver  # noqa: PLC0415 - only for this format

    results = sorted(audit.results, key=lambda r: r.check)
    driver = ToolDriver(name="fabric-audit", version=audit.tool_version, rules=[_rule(result) for result in results])
    from_files = audit.origin == Origin.FILES
    rules = {result.check: index for index, result in enumerate(results)}
    wanted = (finding for finding in states if finding.check in rules and (finding.verdict in _KINDS or finding.waiver))
    told = [
        _result(finding, rules[finding.check], None if from_files else CAPTURE, states[finding])
        for finding in sorted(wanted, key=lambda f: (f.check, f.subject, f.verdict, f.message))
    ]
    base = ArtifactLocation(description=_message("the capture folder of the run"))
    bases = None if from_files else {CAPTURE: base}
    run = Run(tool=Tool(driver=driver), results=told, original_uri_base_ids=bases)
    sarif = Sarif(version="2.1.0", schema_uri=SCHEMA, runs=[run])
    plain = sarif.model_dump(mode="json", by_alias=True, exclude_none=True)
    return (json.dumps(plain, indent=1, sort_keys=True) + "\n").encode("ascii")


def _rule(result: Result) -> "ReportingDescriptor":
    from sarif_pydantic import ReportingConfiguration, ReportingDescriptor  # noqa: PLC0415 - as above

    return ReportingDescriptor(
        id=result.check,
        short_description=_message(result.title),
        help=_message(result.manual),
        default_configuration=ReportingConfiguration(level=_LEVELS[result.severity]),
    )


def _result(finding: Finding, rule: int, base: str | None, state: str) -> "SarifResult":
    from sarif_pydantic import Result as SarifResult  # noqa: PLC0415 - as above

    kind = "fail" if finding.waiver else _KINDS[finding.verdict]
    parts = [finding.message]
    parts += [f"expected: {finding.expected}"] if finding.expected else []
    parts += [f"observed: {finding.observed}"] if finding.observed else []
    parts += [f"remedy: {finding.remedy}"] if finding.remedy else []
    parts += [f"source: {finding.remedy_source}"] if finding.remedy_source else []
    more: dict[str, Any] = {}
    if finding.waiver:
        more["suppressions"] = [{"kind": "external", "justification": _text(finding.waiver)}]
    if state:
        more["baselineState"] = state
    return SarifResult(
        rule_id=finding.check,
        rule_index=rule,
        kind=kind,
        level=_LEVELS[finding.severity] if kind == "fail" else "none",
        message=_message("\n".join(parts)),
        locations=[_location(finding, place, base) for place in finding.evidence] or [_location(finding, None, base)],
        partial_fingerprints={"finding/v1": sha256(finding.id.encode("utf-8", "replace")).hexdigest()},
        **more,
    )


def _location(finding: Finding, place: Evidence | None, base: str | None) -> "Location":
    from sarif_pydantic import (  # noqa: PLC0415 - as above
        ArtifactLocation,
        Location,
        LogicalLocation,
        PhysicalLocation,
        Region,
    )

    component = LogicalLocation(
        name=inert(finding.subject[-1]), fully_qualified_name=inert("/".join(finding.subject)), kind="resource"
    )
    if place is None:
        return Location(logical_locations=[component])
    where = PhysicalLocation(
        artifact_location=ArtifactLocation(uri=quote(encodable(place.path)), uri_base_id=base),
        region=Region(start_line=place.line) if place.line else None,
    )
    return Location(physical_location=where, logical_locations=[component])


def _message(text: str) -> Any:
    from sarif_pydantic import Message  # noqa: PLC0415 - as above

    return Message(text=_text(text))


def _text(text: str) -> str:
    """Braces and brackets would be placeholders (3.11.5) and links (3.11.6)."""
    shown = inert(text, keep="\n").replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return shown.replace("{", "{{").replace("}", "}}")
