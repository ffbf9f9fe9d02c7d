"""JUnit XML, as build servers read it."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from fabric_audit.findings import Audit, Verdict
from fabric_audit.report import RENDERERS
from tests.report.audits import Lines, faulty, healthy, unknown

# What the strictest reader in use allows (Jenkins xUnit plugin, junit-10.xsd): element → attributes, children.
ALLOWED = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id"},
        {"testcase", "properties"},
    ),
    "testcase": ({"name", "time", "classname"}, {"skipped", "error", "failure"}),
    "skipped": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "failure": ({"type", "message"}, set()),
}
REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}


def document(audit: Audit) -> ET.Element:
    return ET.fromstring(RENDERERS["junit"].render(audit, Lines()))  # noqa: S314 - written by us


def cases(root: ET.Element, check: str) -> list[ET.Element]:
    return [case for case in root.iter("testcase") if case.get("classname") == check]


@pytest.mark.parametrize("audit", [healthy(), faulty(), unknown()])
def test_it_has_only_what_readers_allow(audit: Audit) -> None:
    for element in document(audit).iter():
        attributes, children = ALLOWED[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= children
        assert REQUIRED.get(element.tag, set()) <= set(element.attrib)


def test_a_failure_says_what_was_expected_and_where_it_is_seen() -> None:
    case = next(case for case in cases(document(faulty()), "pfc.on") if case.get("name") == "leaf01 Ethernet12")
    (failure,) = case
    assert (failure.tag, failure.get("type")) == ("failure", "major")
    assert failure.get("message") == "PFC is off for priority 3"
    assert "expected: PFC on for priority 3" in (failure.text or "")
    assert "baseline/leaf01/config-db.out:5" in (failure.text or "")


def test_every_verdict_has_its_element() -> None:
    told = faulty()
    skipped = replace(told.results[0], check="pfc.other", verdict=Verdict.SKIPPED, findings=(), reason="by policy")
    root = document(replace(told, results=(*told.results, skipped)))
    kinds = {case.get("classname"): [child.tag for child in case] for case in root.iter("testcase") if len(case)}
    assert kinds["evidence.delivered"] == ["error"]
    assert kinds["ecn.thresholds"] == kinds["gpu.nvlink-map"] == kinds["pfc.other"] == ["skipped"]
    assert all(len(case) == 0 for case in cases(root, "links.mtu"))


def test_suites_count_their_cases() -> None:
    for suite in document(faulty()).iter("testsuite"):
        found = list(suite.iter("testcase"))
        assert suite.get("tests") == str(len(found))
        assert suite.get("failures") == str(sum(case.find("failure") is not None for case in found))
        assert suite.get("errors") == str(sum(case.find("error") is not None for case in found))
