"""The main job on the demo's pods: exactly what was planted is found, and a healthy pod passes."""

from pathlib import Path

import pytest

from tests import demo
from tests.end_to_end.conftest import WORD
from tests.end_to_end.program import PROGRAM, ROOT, TRACEBACK, Program, Ran, all_findings, verdicts

pytestmark = pytest.mark.ssh


def test_the_demo_names_exactly_the_three_planted_faults(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "inventories").symlink_to(ROOT / "inventories")
    monkeypatch.chdir(tmp_path)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    code = demo.main(str(PROGRAM))
    said = capsys.readouterr().out
    assert code == 0, said
    report = Path(said.strip().splitlines()[-1].rpartition(" ")[2])
    assert report.name == "report.html"
    assert report.stat().st_size > 100_000


def test_a_healthy_pod_passes(program: Program) -> None:
    inventory = str(ROOT / "inventories" / "demo-healthy.yaml")
    ran = program.run("run", inventory, "--yes", "--traffic", "smoke", "--fail-on", "minor", "--output", "out")
    assert ran.rc == 0, ran.out + ran.err
    assert ran.out.startswith("SIMULATED PASS")
    assert ran.last_line == "out/report.html"
    found = program.findings("out")
    assert [finding for finding in all_findings(found) if finding["verdict"] in ("FAIL", "UNKNOWN", "ERROR")] == []
    assert verdicts(found)["performance.line-rate"] == "PASS"


def test_a_fault_ends_with_1_and_its_words(faulty: tuple[Program, Ran]) -> None:
    program, ran = faulty
    assert ran.rc == 1, ran.err
    assert "leaf01: queue 3 does not mark, on all its" in ran.out
    assert ran.last_line == "out/report.html"
    assert TRACEBACK not in ran.err
    failing = [f for f in all_findings(program.findings("out")) if f["verdict"] == "FAIL" and not f["explained_by"]]
    assert [(finding["check"], finding["subject"]) for finding in failing] == [
        ("ecn.marks-on-lossless-queue", ["leaf01"])
    ]


def test_progress_goes_to_stderr_in_lines_where_it_is_no_terminal(faulty: tuple[Program, Ran]) -> None:
    _, ran = faulty
    assert "baseline: 8 targets\n" in ran.err
    assert "round 1 of 5: ib_write_bw host\n" in ran.err
    assert "\x1b" not in ran.err + ran.out


def test_what_is_no_failure_for_the_user_is_none_for_the_exit_code(faulty: tuple[Program, Ran]) -> None:
    program, _ = faulty
    for severity, code in (("critical", 0), ("major", 1)):
        assert program.run("check", "out", "--fail-on", severity, "--output", f"again-{severity}").rc == code


def test_nothing_that_was_written_is_readable_by_others(faulty: tuple[Program, Ran]) -> None:
    program, _ = faulty
    written = [program.folder / "out", *(program.folder / "out").rglob("*")]
    assert len(written) > 100
    assert [str(path) for path in written if path.stat().st_mode & 0o077] == []


def test_no_password_is_in_what_was_written(faulty: tuple[Program, Ran]) -> None:
    program, ran = faulty
    written = [path for path in (program.folder / "out").rglob("*") if path.is_file()]
    assert [path for path in written if WORD.encode() in path.read_bytes()] == []
    assert WORD not in ran.out + ran.err


@pytest.mark.parametrize(
    ("only", "outside"), [("leaf[01-02],spine[01-02]", "the inventory names no hosts"), ("gpu[001-002]", "no switches")]
)
def test_an_inventory_of_one_side_passes_and_says_what_is_out_of_scope(
    program: Program, only: str, outside: str
) -> None:
    name = program.inventory("clos-2x2")
    ran = program.run("run", name, "--yes", "--traffic", "none", "--limit", only, "--output", "out")
    assert ran.rc == 0, ran.out
    reasons = [r["reason"] for r in program.findings("out")["results"] if r["verdict"] == "OUT_OF_SCOPE"]
    assert len(reasons) > 3
    assert any(outside in reason for reason in reasons)


def test_observing_without_traffic_judges_counters(program: Program) -> None:
    name = program.inventory("clos-2x2")
    ran = program.run("run", name, "--yes", "--traffic", "none", "--observe", "0.2", "--output", "out")
    assert ran.rc == 0, ran.out
    assert verdicts(program.findings("out"))["counters.pause-storm"] == "PASS"
