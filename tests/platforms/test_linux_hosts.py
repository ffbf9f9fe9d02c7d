"""What the goldens of Linux hosts do not show: the lines that facts name, and scripts that a shell must take."""

import json
import subprocess
from pathlib import Path

import pytest

from fabric_audit.platforms.model import Output, Run
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections

TEXTS = sorted((Path(__file__).parent / "hosts" / "linux").glob("*/*.txt"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_facts_name_a_line_with_something_on_it(text: Path) -> None:
    expected = json.loads(text.with_suffix(".json").read_text("utf-8"))
    stdout = text.read_bytes().decode("utf-8", "replace")
    output = Output(stdout=stdout, rc=expected.get("rc", 0), item=expected.get("item", ""))
    lines = stdout.split("\n")
    for fact in read(all_sections()[text.parent.name], output).facts:
        assert fact.line is None or lines[fact.line - 1].strip(), fact
        assert fact.line != 0, fact


@pytest.mark.parametrize("section", ["clock", "tools", "tool-versions"])
def test_scripts_run_in_a_shell(section: str) -> None:
    ask = all_sections()[section].ask
    assert isinstance(ask, Run)
    ran = subprocess.run(ask.argv, capture_output=True, text=True, check=False, timeout=60)
    reading = read(all_sections()[section], Output(stdout=ran.stdout, stderr=ran.stderr, rc=ran.returncode))
    assert reading.state == "parsed", (ran, reading)
    assert ran.stderr == ""


def test_error_counters_script_tells_a_missing_program() -> None:
    ask = all_sections()["ibqueryerrors"].ask
    assert isinstance(ask, Run)
    ran = subprocess.run(
        ask.argv, capture_output=True, text=True, check=False, timeout=60, env={"PATH": "/nonexistent:/bin"}
    )
    assert ran.returncode == 127, ran
