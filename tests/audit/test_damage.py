"""A capture that was damaged: reported by file, the rest is used; one without its inventory or policy is refused."""

from pathlib import Path

import pytest

from fabric_audit.capture.reader import Capture
from fabric_audit.cli import ExitCode, run
from fabric_audit.findings import Verdict
from fabric_audit.report import RENDERERS, evidence_reader
from tests.simulated import NO_TRAFFIC, audited, collected, verdicts


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    collected(folder, "clos-2x2", traffic=NO_TRAFFIC)
    return folder / "capture"


def test_what_was_changed_or_removed_is_named_and_the_rest_is_judged(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "capture"
    folder.mkdir()
    for path in sound.rglob("*"):
        if path.is_file():
            copy = folder / path.relative_to(sound)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    changed = next(path for path in sorted((folder / "baseline" / "gpu001").glob("*.out")) if path.stat().st_size > 100)
    changed.write_bytes(changed.read_bytes() + b"!")
    gone = next(iter(sorted((folder / "baseline" / "leaf01").glob("*.out"))))
    gone.unlink()
    capture = Capture.open(folder)
    names = {path.relative_to(folder).as_posix() for path in (changed, gone)}
    assert set(capture.damage()) == names
    audit = audited(capture)
    assert set(audit.custody.damaged) == names
    assert audit.custody.digest
    reasons = {row.reason for row in audit.coverage if row.state == "not_delivered"}
    assert reasons == {f"{name.removesuffix('.out')}: the file is missing or was changed" for name in names}
    silent = {f.subject[0] for f in audit.findings if f.verdict is Verdict.UNKNOWN}
    assert {"gpu001", "leaf01"} <= silent
    passed = {f.subject[0] for f in audit.findings if f.verdict is Verdict.PASS}
    assert {"gpu002", "leaf02", "spine01"} <= passed
    for name in ("html", "json", "markdown", "certificate"):
        told = RENDERERS[name].render(audit, evidence_reader(capture)).decode()
        assert all(path in told for path in names), name


def test_a_sound_capture_has_no_damage(sound: Path) -> None:
    capture = Capture.open(sound)
    assert capture.damage() == ()
    assert "ERROR" not in verdicts(audited(capture)).values()


@pytest.mark.parametrize("name", ["inventory.yaml", "policy.yaml"])
def test_a_capture_without_inventory_or_policy_says_which_file_is_missing(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for path in ("manifest.json", "outputs.jsonl", "inventory.yaml", "policy.yaml"):
        if path != name:
            (tmp_path / path).write_bytes((sound / path).read_bytes())
    assert run(["check", str(tmp_path)]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert name in said
    assert "Traceback" not in said
