"""The verb `diff` on captures of a simulated pod: exit codes, files, last line."""

from pathlib import Path

import pytest

from fabric_audit.cli import ExitCode, run
from tests.simulated import NO_TRAFFIC, collected


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    faults = {"healthy": [], "marks": ["ecn-off@leaf02"], "dark": ["down@gpu002"]}
    for name, planted in faults.items():
        folder = tmp_path_factory.mktemp(name)
        collected(folder, "clos-2x2", *planted, traffic=NO_TRAFFIC)
        made[name] = folder
    return made


SELECTED = ("--select", "ecn", "--select", "evidence")


@pytest.mark.parametrize(
    ("before", "after", "code", "words"),
    [
        ("healthy", "healthy", ExitCode.CLEAN, "SIMULATED NO CHANGE: clos-2x2 since 30 November 2026"),
        ("healthy", "marks", ExitCode.FINDINGS, "1 new"),
        ("marks", "healthy", ExitCode.CLEAN, "NO WORSE: clos-2x2 since 30 November 2026, 12:00 UTC: 1 fixed"),
        ("healthy", "dark", ExitCode.INCOMPLETE, "LESS KNOWN"),
    ],
)
def test_the_exit_code_says_whether_it_is_worse(
    runs: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
    code: ExitCode,
    words: str,
    tmp_path: Path,
) -> None:
    argv = ["diff", str(runs[before]), str(runs[after] / "capture"), *SELECTED, "--output", str(tmp_path)]
    assert run([*argv, "--format", "html,json,line"]) == code
    said = capsys.readouterr().out.splitlines()
    assert words in said[0]
    assert said[-1] == str(tmp_path / "difference.html")
    assert {path.name for path in tmp_path.iterdir()} == {"difference.html", "difference.json", "difference.txt"}


def test_a_format_that_comparisons_do_not_have_is_refused_before_anything_is_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["diff", "nowhere", "nowhere", "--format", "pairs"]) == ExitCode.USAGE
    assert "a comparison has no format called 'pairs'" in capsys.readouterr().err
    assert run(["diff", "nowhere", "nowhere"]) == ExitCode.USAGE
    assert "no capture there" in capsys.readouterr().err
