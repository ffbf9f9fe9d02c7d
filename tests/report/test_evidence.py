"""Excerpts out of a capture: the lines around, bounded, and never from outside."""

from pathlib import Path

import pytest

from fabric_audit.capture.model import Entry, Manifest
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import CaptureWriter
from fabric_audit.findings import Evidence
from fabric_audit.report import evidence_reader
from fabric_audit.report.evidence import AFTER, BEFORE

TEXT = "".join(f"line {number}\r\n" for number in range(1, 41)).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "run" / "capture"
    manifest = Manifest(run="r1", tool_version="1", fabric="pod3", origin="real", started="2026-03-04T05:06:07+00:00")
    writer = CaptureWriter(inside, manifest, inventory="fabric: pod3\n", policy="name: p\n")
    for path, out, err in (
        ("baseline/gpu001/host", TEXT, b"warning\n"),
        ("baseline/leaf01/bytes", b"\xff\xfe\x00a\n", b""),
    ):
        writer.add(entry(path), out, err)
    writer.add(entry("baseline/gpu002/host", error="the host refused the key"), b"", b"")
    writer.seal("2026-03-04T05:07:07+00:00")
    (tmp_path / "run" / "secret.txt").write_text("outside\n")
    return inside


def entry(path: str, error: str = "") -> Entry:
    return Entry(
        target=path.split("/")[1],
        phase="baseline",
        command="host",
        text="",
        started="2026-03-04T05:06:07+00:00",
        duration_s=1.0,
        path=path,
        error=error,
    )


def lines(folder: Path, path: str, line: int = 0) -> tuple[str, ...]:
    return evidence_reader(Capture.open(folder)).excerpt(Evidence(path, line)).lines


def reason(folder: Path, path: str, line: int = 0) -> str:
    return evidence_reader(Capture.open(folder)).excerpt(Evidence(path, line)).reason


def test_the_lines_around_are_shown_without_carriage_returns(folder: Path) -> None:
    found = evidence_reader(Capture.open(folder)).excerpt(Evidence("baseline/gpu001/host.out", 20))
    assert (found.first, found.marked) == (20 - BEFORE, 20)
    assert found.lines[20 - found.first] == "line 20"
    assert len(found.lines) == BEFORE + 1 + AFTER


def test_the_first_and_the_last_line_have_fewer_around_them(folder: Path) -> None:
    assert lines(folder, "baseline/gpu001/host.out", 1)[0] == "line 1"
    assert "line 40" in lines(folder, "baseline/gpu001/host.out", 40)


def test_stderr_and_files_besides_the_outputs_can_be_cited(folder: Path) -> None:
    assert lines(folder, "baseline/gpu001/host.err", 1)[0] == "warning"
    assert lines(folder, "inventory.yaml", 1)[0] == "fabric: pod3"


def test_undecodable_bytes_are_replaced(folder: Path) -> None:
    assert lines(folder, "baseline/leaf01/bytes.out", 1)[0] == "\ufffd\ufffd\x00a"


def test_a_file_that_was_changed_is_not_shown(folder: Path) -> None:
    (folder / "baseline/gpu001/host.out").write_bytes(b"line 1 is fine\n")
    assert lines(folder, "baseline/gpu001/host.out", 1) == ()
    assert "not what was recorded" in reason(folder, "baseline/gpu001/host.out", 1)


def test_what_never_came_says_why(folder: Path) -> None:
    assert reason(folder, "baseline/gpu002/host.out") == "nothing was received: the host refused the key"


def test_a_line_that_is_not_there_is_said(folder: Path) -> None:
    assert "names line 99" in reason(folder, "baseline/gpu001/host.out", 99)


@pytest.mark.parametrize("path", ["../secret.txt", "baseline/../../secret.txt", "/etc/hostname", "link", "a\x00b", ""])
def test_nothing_outside_of_the_capture_is_read(folder: Path, path: str) -> None:
    (folder / "link").symlink_to(folder.parent / "secret.txt")
    assert lines(folder, path) == ()
    assert reason(folder, path)


def test_a_whole_output_is_shown_only_where_it_is_short(folder: Path) -> None:
    assert lines(folder, "inventory.yaml")[0] == "fabric: pod3"
    assert lines(folder, "baseline/gpu001/host.out") == ()
    assert reason(folder, "baseline/gpu001/host.out") == "the whole of its 41 lines"
