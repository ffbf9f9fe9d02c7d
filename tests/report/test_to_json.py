"""``findings.json``: its schema, its determinism, its silence about everything else."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from fabric_audit.findings import Audit, Severity, Verdict
from fabric_audit.report.to_json import render, schema
from fabric_audit.report.words import Overall
from tests.report.audits import Lines, faulty, healthy, unknown

EVIDENCE = Lines()


def written(audit: Audit) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(audit, EVIDENCE))
    return found


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("make", [healthy, faulty, unknown])
def test_what_is_written_holds_to_the_schema(make: Callable[[], Audit]) -> None:
    jsonschema.Draft202012Validator(schema()).validate(written(make()))


def test_the_schema_names_every_field_and_every_word() -> None:
    """A field or verdict that is added without the schema would be unpublished."""
    defs = schema()["$defs"]
    document = written(faulty())
    finding = document["results"][0]["findings"][0]
    assert set(document) == set(schema()["properties"])
    assert set(document["results"][0]) == set(defs["result"]["properties"])
    assert set(finding) == set(defs["finding"]["properties"])
    assert set(document["coverage"][0]) == set(defs["covered"]["properties"])
    assert set(defs["verdict"]["enum"]) == set(Verdict)
    assert set(defs["severity"]["enum"]) == set(Severity)
    assert set(schema()["properties"]["verdict"]["enum"]) == set(Overall)


def test_the_schema_refuses_what_it_should() -> None:
    document = written(healthy())
    document["results"][0]["verdict"] = "FINE"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(document)


def test_the_same_audit_gives_the_same_bytes_in_any_order() -> None:
    audit = faulty()
    turned = replace(
        audit,
        results=tuple(replace(r, findings=tuple(reversed(r.findings))) for r in reversed(audit.results)),
        coverage=tuple(reversed(audit.coverage)),
    )
    assert render(turned, EVIDENCE) == render(faulty(), EVIDENCE)


def test_phases_of_equal_rows_are_folded_and_what_is_lacking_names_its_file() -> None:
    audit = healthy()
    row = replace(audit.coverage[0], phase="final")
    bad = replace(row, phase="round-0002", state="parse_error", reason="line 3", path="round-0002/gpu001/host.out")
    rows = written(replace(audit, coverage=(row, audit.coverage[0], bad)))["coverage"]
    assert [(one["state"], one["phases"], one["paths"]) for one in rows] == [
        ("parsed", ["baseline", "final"], []),
        ("parse_error", ["round-0002"], ["round-0002/gpu001/host.out"]),
    ]


def test_hostile_text_is_whole_ascii_and_no_control_character() -> None:
    text = "\x1b[2J\x7f\x9b31m \u202eevil\ud800 <script>" + "x" * 1_000_000
    audit = faulty()
    failing = next(r for r in audit.results if r.verdict is Verdict.FAIL)
    told = replace(failing, findings=(replace(failing.findings[0], message=text),))
    data = render(replace(audit, results=(told,)), EVIDENCE)
    assert all(byte == ord("\n") or ord(" ") <= byte <= ord("~") for byte in data)
    assert json.loads(data)["results"][0]["findings"][0]["message"] == text.replace("\ud800", "\ufffd")
