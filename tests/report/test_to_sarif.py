"""SARIF 2.1.0."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from fabric_audit.findings import Audit, Severity, Verdict
from fabric_audit.report import RENDERERS
from tests.report.audits import Lines, faulty, healthy, unknown

MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
LOCATION = {
    "type": "object",
    "required": ["logicalLocations"],
    "additionalProperties": False,
    "properties": {
        "logicalLocations": {"type": "array", "minItems": 1},
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "properties": {"uri": {"pattern": r"^[A-Za-z0-9._~/%-]+$"}, "uriBaseId": {"const": "CAPTURE"}},
                },
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}},
            },
        },
    },
}
RESULT = {
    "type": "object",
    "required": ["message", "ruleId", "ruleIndex", "kind", "level", "locations", "partialFingerprints"],
    "properties": {
        "message": MESSAGE,
        "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
        "level": LEVEL,
        "locations": {"type": "array", "items": LOCATION, "minItems": 1},
        "suppressions": {
            "type": "array",
            "items": {"required": ["kind"], "properties": {"kind": {"const": "external"}}},
        },
    },
    # 3.27.10: where the kind is not "fail", the level is "none"
    "if": {"properties": {"kind": {"const": "fail"}}},
    "then": {"properties": {"level": {"enum": ["note", "warning", "error"]}}},
    "else": {"properties": {"level": {"const": "none"}}},
}
LOG = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "required": ["tool", "results"],
                "properties": {"results": {"type": "array", "items": RESULT}},
            },
        },
    },
}
"""The part of OASIS SARIF 2.1.0 that is used: what is required, and what values are allowed."""


def log(audit: Audit) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RENDERERS["sarif"].render(audit, Lines()))
    return found


@pytest.mark.parametrize("audit", [healthy(), faulty(), unknown()])
def test_it_is_sarif(audit: Audit) -> None:
    jsonschema.Draft202012Validator(LOG).validate(log(audit))


def test_results_point_to_their_rules() -> None:
    (run,) = log(faulty())["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_what_passes_is_left_out_and_what_is_open_is_no_failure() -> None:
    (run,) = log(faulty())["runs"]
    kinds = {(result["ruleId"], result["kind"], result["level"]) for result in run["results"]}
    assert kinds == {
        ("pfc.on", "fail", "error"),
        ("gdr.possible", "fail", "error"),
        ("performance.line-rate", "fail", "error"),
        ("evidence.delivered", "open", "none"),
        ("ecn.thresholds", "review", "none"),
    }


def test_lesser_severities_are_lesser_levels() -> None:
    told = faulty()
    results = tuple(
        replace(r, findings=tuple(replace(f, severity=Severity.MINOR) for f in r.findings)) for r in told.results
    )
    (run,) = log(replace(told, results=results))["runs"]
    assert {result["level"] for result in run["results"] if result["kind"] == "fail"} == {"warning"}


def test_a_waived_finding_is_suppressed() -> None:
    told = faulty()
    results = [
        replace(r, findings=tuple(replace(f, verdict=Verdict.SKIPPED, waiver="until May") for f in r.findings))
        for r in told.results
    ]
    (run,) = log(replace(told, results=tuple(results)))["runs"]
    assert run["results"]
    assert {result["suppressions"][0]["justification"] for result in run["results"]} == {"until May"}


def test_what_the_policy_does_not_ask_for_is_left_out() -> None:
    told = faulty()
    results = [
        replace(r, findings=tuple(replace(f, verdict=Verdict.SKIPPED) for f in r.findings)) for r in told.results
    ]
    (run,) = log(replace(told, results=tuple(results)))["runs"]
    assert run["results"] == []


def test_evidence_is_a_place_in_the_capture() -> None:
    (run,) = log(faulty())["runs"]
    result = next(r for r in run["results"] if r["ruleId"] == "pfc.on")
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "baseline/leaf01/config-db.out", "uriBaseId": "CAPTURE"},
        "region": {"startLine": 5},
    }


def test_words_are_no_placeholders_and_no_links() -> None:
    told = faulty()
    evil = replace(told.results[2].findings[-1], verdict=Verdict.FAIL, message="[here](http://x.example) {0} \\")
    (run,) = log(replace(told, results=(replace(told.results[2], findings=(evil,)),)))["runs"]
    assert run["results"][0]["message"]["text"].startswith("\\[here\\](http://x.example) {{0}} \\\\\n")
