"""Every format of a comparison: complete, the same every time, by its schema, deaf to what devices say."""

import csv
import io
import json
import unicodedata
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families

from fabric_audit.findings import Comparison, Severity
from fabric_audit.report.comparison import COMPARISONS
from fabric_audit.report.comparison.summary import summary
from fabric_audit.report.comparison.to_json import schema
from fabric_audit.report.comparison.words import Course, course, headline
from tests.diff.comparisons import everything, nothing
from tests.report.test_formats import EVIL
from tests.report.test_to_html import Seen

FORMATS = sorted(COMPARISONS)


def written(name: str, comparison: Comparison) -> str:
    return COMPARISONS[name].render(comparison).decode("utf-8")


def test_there_are_the_formats_of_audits() -> None:
    assert set(FORMATS) == {"html", "json", "csv", "junit", "markdown", "sarif", "prometheus", "line"}
    assert len({renderer.file_name for renderer in COMPARISONS.values()}) == len(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_comparison_gives_the_same_bytes(name: str) -> None:
    assert written(name, everything()) == written(name, everything())
    assert written(name, nothing())


@pytest.mark.parametrize("name", ["html", "json", "csv", "markdown"])
def test_everything_that_is_different_is_told(name: str) -> None:
    told = written(name, everything()).replace("\\", "")
    for words in ("GPU memory cannot be registered", "gpu007", "gpu008", "bandwidth_bps", "configured lossless"):
        assert words in told


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_active_is_in_any_file(name: str) -> None:
    told = written(name, everything(EVIL))
    assert {c for c in told if unicodedata.category(c)[0] == "C"} <= {"\n", "\r", "\t"}


def test_no_text_of_a_device_becomes_markup() -> None:
    seen = Seen(written("html", everything("<script>alert(1)</script><img src=x>")))
    assert not any("alert(1)" in text for text in seen.scripts)
    assert not any(tag == "img" for tag, _ in seen.tags)
    ids = seen.ids()
    assert len(ids) == len(set(ids))
    assert {"turned", "changed", "measured", "evidence"} <= set(ids)


def test_no_cell_is_a_formula() -> None:
    rows = list(csv.reader(io.StringIO(written("csv", everything(EVIL)), newline="")))
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row)
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("comparison", [everything(), nothing(), everything(EVIL)])
def test_json_is_by_its_schema(comparison: Comparison) -> None:
    Draft202012Validator.check_schema(schema())
    told = json.loads(written("json", comparison))
    assert list(Draft202012Validator(schema()).iter_errors(told)) == []
    told["changes"] = [{"subject": []}]
    assert list(Draft202012Validator(schema()).iter_errors(told)) != []


def test_junit_fails_for_what_is_new_only() -> None:
    root = ET.fromstring(written("junit", everything()))  # noqa: S314 - written by us
    failures = {suite.get("name"): suite.get("failures") for suite in root.iter("testsuite")}
    assert failures == {"new": "2", "unsettled": "0", "still": "0", "fixed": "0", "evidence lost": "0"}
    errors = {suite.get("name"): suite.get("errors") for suite in root.iter("testsuite")}
    assert errors["evidence lost"] == "1"


def test_sarif_says_what_is_new() -> None:
    results = json.loads(written("sarif", everything()))["runs"][0]["results"]
    states = sorted(result["baselineState"] for result in results)
    assert states == ["absent", "absent", "new", "new", "unchanged"]


def test_prometheus_is_read_by_its_parser() -> None:
    families = {family.name: family for family in text_string_to_metric_families(written("prometheus", everything()))}
    course_of = {s.labels["course"]: s.value for s in families["fabric_audit_difference_course"].samples}
    assert course_of == {"WORSE": 1.0, "LESS KNOWN": 0.0, "NO WORSE": 0.0, "NO CHANGE": 0.0}


def test_the_course_decides_by_what_is_new_then_by_what_is_lost() -> None:
    found = everything()
    assert course(found, Severity.MAJOR) is Course.WORSE
    only_minor = tuple(replace(turn, finding=replace(turn.finding, severity=Severity.MINOR)) for turn in found.new)
    assert course(replace(found, new=only_minor), Severity.MAJOR) is Course.LESS_KNOWN
    known = replace(found, new=only_minor, lost=(), unsettled=())
    assert course(known, Severity.MAJOR) is Course.NO_WORSE
    assert course(known, Severity.MINOR) is Course.WORSE
    assert course(nothing(), Severity.INFO) is Course.SAME
    assert headline(nothing()) == "NO CHANGE: pod3 since 4 March 2026, 05:06 UTC: nothing is different."


def test_the_terminal_has_a_line_for_each_kind_and_none_moves_the_cursor() -> None:
    told = list(summary(everything(EVIL), most=1))
    assert [line.split("  ")[0] for line in told if line[0] != " "] == [
        "not alike",
        "new",
        "not known",
        "fixed",
        "still",
        "renamed",
        "changed",
        "measured",
        "counter",
        "lost",
        "gained",
    ]
    assert all(line.isprintable() for line in told)
