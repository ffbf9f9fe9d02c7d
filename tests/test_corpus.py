"""Every file of the corpus of real outputs, with the facts or the refusal that its table states.

Without a corpus these tests are skipped; see :mod:`tests.corpus_table`.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fabric_audit.facts.system import KernelModule
from fabric_audit.facts.tables import rows_by_table
from fabric_audit.platforms.reading import Reading, read
from tests import corpus_table
from tests.corpus_table import STDERR_OF, Row

AREAS = ("host", "softroce", "switch")
STDOUT_OF = {stderr: stdout for stdout, stderr in STDERR_OF.items()}
ROWS = tuple(corpus_table.rows())


@pytest.fixture(scope="session")
def corpus() -> Path:
    named = corpus_table.corpus()
    if not named:
        pytest.skip("FABRIC_AUDIT_CORPUS names no corpus of real outputs")
    return named


@pytest.mark.parametrize("row", [row for row in ROWS if row.section], ids=lambda row: row.id)
def test_facts(corpus: Path, row: Row) -> None:
    reading = read(*row.output(corpus))
    assert reading.state == row.state, reading.reason
    expectations = json.loads(row.facts or "[]")
    assert expectations or row.state in ("parse_error", "not_delivered"), "nothing is expected of this file"
    for expectation in expectations:
        assert_met(expectation, reading)


def assert_met(expectation: Mapping[str, Any], reading: Reading) -> None:
    if "reason" in expectation:
        assert expectation["reason"] in reading.reason
    elif "missing" in expectation:
        assert (expectation["missing"], expectation["why"]) in {(m.table, str(m.why)) for m in reading.missing}
    else:
        found = rows_by_table(reading.facts).get(expectation["table"], [])
        matching = [row for row in found if holds(expectation.get("where", {}), row)]
        if "count" in expectation:
            assert len(matching) == expectation["count"], matching
        else:
            assert matching, f"no row with {expectation.get('where')} among {found}"
            assert all(holds(expectation.get("is", {}), row) for row in matching), (expectation, matching)
            assert all(worded(expectation, row) for row in matching), (expectation, matching)


def holds(wanted: Mapping[str, Any], row: Mapping[str, object]) -> bool:
    return all(same(row[column], value) for column, value in wanted.items())


def worded(expectation: Mapping[str, Any], row: Mapping[str, object]) -> bool:
    """Whether columns of blank-separated words have and lack the words that they ought to."""
    has, lacks = expectation.get("has", {}), expectation.get("lacks", {})
    return all(set(words) <= set(str(row[column]).split()) for column, words in has.items()) and not any(
        set(words) & set(str(row[column]).split()) for column, words in lacks.items()
    )


def same(value: object, wanted: object) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, float) and isinstance(wanted, int | float):
        return value == pytest.approx(wanted, rel=1e-6)
    return value == wanted


@pytest.mark.parametrize(
    "expectation",
    [
        {"table": "kernel_module", "where": {"name": "absent"}, "is": {}},
        {"table": "kernel_module", "where": {"name": "ib_core"}, "is": {"version": "6"}},
        {"table": "kernel_module", "where": {}, "count": 2},
        {"table": "kernel_module", "has": {"version": ["6"]}},
        {"table": "kernel_module", "lacks": {"version": ["5"]}},
        {"missing": "tool", "why": "not_supported"},
        {"reason": "words"},
    ],
)
def test_an_expectation_that_does_not_hold_fails(expectation: Mapping[str, Any]) -> None:
    reading = Reading("parsed", (KernelModule(name="ib_core", version="5"),))
    with pytest.raises(AssertionError):
        assert_met(expectation, reading)


def test_a_file_without_a_section_says_what_it_is() -> None:
    assert [row.id for row in ROWS if not row.section and not row.facts] == []


def test_every_file_is_in_the_table(corpus: Path) -> None:
    covered = {row.file for row in ROWS}
    assert [str(file) for file in files(corpus) if not {str(file), stdout_of(file)} & covered] == []


def test_no_line_is_there_twice() -> None:
    asked = Counter((row.file, row.section, row.item) for row in ROWS)
    assert [line for line, count in asked.items() if count > 1] == []


def test_every_line_names_a_file(corpus: Path) -> None:
    assert {row.file for row in ROWS} <= {str(file) for file in files(corpus)}


def files(corpus: Path) -> Iterator[Path]:
    for area in AREAS:
        for file in sorted((corpus / area).rglob("*")):
            if file.is_file() and file.name != "SOURCES.tsv":
                yield file.relative_to(corpus)


def stdout_of(file: Path) -> str:
    return str(file.with_suffix(STDOUT_OF.get(file.suffix, ".none")))
