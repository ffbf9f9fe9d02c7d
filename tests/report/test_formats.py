"""What holds for every format: found by its file, light to load, the same every time, deaf to what devices say."""

import csv
import io
import json
import subprocess
import sys
import unicodedata
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from fabric_audit.findings import Audit, Evidence, Finding, Severity, Verdict
from fabric_audit.report import RENDERERS
from tests.report.audits import Lines, audit, checks, faulty, healthy, unknown, with_findings
from tests.report.frames import Pod, tables

EVIL = (
    '=cmd|"/c calc"!A1 <script>alert(1)</script> \x1b[31m\x9b2J\u202e\x00\ud800\ufffe '
    "@all #1 [x](http://evil.example) `a` {0} ]]>"
)
FORMATS = sorted(RENDERERS)


def hostile(text: str = EVIL) -> Audit:
    """A device's words in every place that words of a device can come to."""
    finding = Finding(
        verdict=Verdict.FAIL,
        subject=("leaf01", text),
        message=text,
        expected=text,
        observed=text,
        remedy=text,
        remedy_source=text,
        reproduce=text,
        evidence=(Evidence(EVIL, 1),),
    )
    silent = replace(finding, verdict=Verdict.UNKNOWN)
    results = list(checks(Pod()))
    results[2] = with_findings(results[2], [finding], Severity.MAJOR)
    results[3] = replace(with_findings(results[3], [silent], Severity.MAJOR), reason=text)
    pod = Pod()
    drawn = tables(pod, slow={("gpu003", "gpu001", 1): 0.0})
    drawn["pair_result"].loc[:2, "message"] = text.replace("\ud800", "")  # pandas refuses what it cannot encode
    covered = tuple(replace(row, state="partial", reason=text) for row in healthy().coverage[:3])
    return audit(pod, results, tables=drawn, coverage=covered, overrides=(text,), fabric=text)


def written(name: str, told: Audit) -> bytes:
    return RENDERERS[name].render(told, Lines([EVIL]))


def test_every_format_has_a_file_and_a_title_of_its_own() -> None:
    assert {"html", "json", "csv", "junit", "markdown", "sarif", "prometheus"} <= set(RENDERERS)
    assert len({renderer.file_name for renderer in RENDERERS.values()}) == len(RENDERERS)
    assert all(renderer.title for renderer in RENDERERS.values())


def test_listing_the_formats_loads_nothing_heavy() -> None:
    heavy = ("pandas", "numpy", "bokeh", "itables", "jinja2", "junitparser", "sarif_pydantic", "prometheus_client")
    code = f"import sys, fabric_audit.report; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_audit_gives_the_same_bytes(name: str) -> None:
    assert written(name, faulty()) == written(name, faulty())


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("told", [healthy(), faulty(), unknown(), audit(Pod(), [], coverage=(), tables={})])
def test_every_audit_can_be_written(name: str, told: Audit) -> None:
    assert written(name, told)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "html"])
def test_nothing_active_is_in_any_file(name: str) -> None:
    text = written(name, hostile()).decode("utf-8")
    active = {c for c in text if unicodedata.category(c)[0] == "C"} - {"\n", "\r"}
    assert active == set()


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "json"])
def test_a_huge_line_makes_no_huge_file(name: str) -> None:
    small, huge = (len(written(name, hostile(text))) for text in ("x", "x" * 1_000_000))
    assert huge - small < 600_000


def test_no_cell_is_a_formula() -> None:
    for name in ("csv", "pairs"):
        rows = list(csv.reader(io.StringIO(written(name, hostile()).decode("utf-8"), newline="")))
        assert len({len(row) for row in rows}) == 1
        cells = [cell for row in rows for cell in row]
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
        assert any(cell.startswith("'=cmd") for cell in cells)


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", " =1", "'=1", '"=1', "\n=1"])
def test_whatever_a_spreadsheet_takes_for_a_formula_is_quoted(text: str) -> None:
    rows = list(csv.reader(io.StringIO(written("csv", hostile(text)).decode("utf-8"), newline="")))
    messages = [row[rows[0].index("message")] for row in rows[1:] if row[1] == "FAIL"]
    assert messages
    assert all(message.startswith("'") for message in messages)


def test_numbers_of_pairs_stay_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(written("pairs", faulty()).decode("utf-8"), newline="")))
    assert len(rows) == 8 * 7 * 2 * 2
    assert all(float(row["bandwidth_bps"]) > 0 for row in rows)


def test_the_line_is_one_line() -> None:
    assert written("line", hostile()).count(b"\n") == 1


def test_xml_and_json_stay_whole() -> None:
    ET.fromstring(written("junit", hostile()))  # noqa: S314 - written a line above
    json.loads(written("sarif", hostile()))
    json.loads(written("json", hostile()))
