"""The capture: written once, readable at every moment, damage told by file."""

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.capture.frames import Frame
from fabric_audit.capture.model import SCHEMA, Entry, Manifest, Planned
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.scrub import mask
from fabric_audit.capture.writer import CaptureWriter, file_name
from fabric_audit.errors import CaptureError


def manifest() -> Manifest:
    return Manifest(run="r", tool_version="0", fabric="pod", origin="simulated", started="2026-11-30T10:00:00+00:00")


@pytest.fixture
def opened() -> Iterator[list[CaptureWriter]]:
    """Writers that a test leaves open."""
    writers: list[CaptureWriter] = []
    yield writers
    for one in writers:
        one.close()


@pytest.fixture
def writer(opened: list[CaptureWriter]) -> Callable[[Path], CaptureWriter]:
    def made(folder: Path) -> CaptureWriter:
        opened.append(CaptureWriter(folder, manifest(), inventory="fabric: pod\n", policy="name: p\n"))
        return opened[-1]

    return made


Write = Callable[[Path], CaptureWriter]


def entry(path: str, **changes: object) -> Entry:
    frame = Frame(section="uname", item="", rc=0, out=(0, 5), took_s=0.01)
    values: dict[str, object] = {
        "target": "gpu001",
        "phase": "baseline",
        "command": "linux",
        "text": "run uname 20 uname -a",
        "started": "2026-11-30T10:00:01+00:00",
        "duration_s": 0.2,
        "path": path,
        "frames": (frame,),
    }
    return Entry(**(values | changes))  # type: ignore[arg-type]  # the fields above


def test_what_is_written_is_read(tmp_path: Path, writer: Write) -> None:
    capture = writer(tmp_path / "capture")
    capture.plan_more(Planned(phase="baseline", targets=("gpu001",), sections=("uname",)))
    path = capture.path_for("baseline", "gpu001", "linux")
    stored = capture.add(entry(path), b"Linux\x00\xff", b"warning\n")
    capture.add_round({"number": 1, "phase": "round-0001", "slots": [], "unbound": {}})
    capture.note("--allow-busy gpu001: drained")
    capture.seal("2026-11-30T10:05:00+00:00")
    read = Capture.open(tmp_path)
    assert read.entries == (stored,)
    assert read.output(stored) == (b"Linux\x00\xff", b"warning\n")
    assert read.rounds == ({"number": 1, "phase": "round-0001", "slots": [], "unbound": {}},)
    assert read.manifest.sealed
    assert read.manifest.overrides == ("--allow-busy gpu001: drained",)
    assert read.manifest.planned == (Planned(phase="baseline", targets=("gpu001",), sections=("uname",)),)
    assert read.text("inventory.yaml") == "fabric: pod\n"
    assert read.damaged == ()


def test_a_second_output_of_a_command_has_a_path_of_its_own(tmp_path: Path, writer: Write) -> None:
    capture = writer(tmp_path)
    paths = []
    for _ in range(3):
        paths.append(capture.path_for("round-0001", "gpu001", "serve"))
        capture.add(entry(paths[-1]), b"x", b"")
    assert paths == ["round-0001/gpu001/serve", "round-0001/gpu001/serve.1", "round-0001/gpu001/serve.2"]


def test_nothing_is_readable_by_others(tmp_path: Path, writer: Write) -> None:
    capture = writer(tmp_path / "run" / "capture")
    capture.add(entry(capture.path_for("baseline", "gpu001", "linux")), b"x", b"y")
    capture.seal("2026-11-30T10:05:00+00:00")
    for path in (tmp_path / "run").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_names_never_leave_their_folder(tmp_path: Path, writer: Write) -> None:
    capture = writer(tmp_path / "capture")
    path = capture.path_for("baseline", "../../etc", "..")
    capture.add(entry(path, target="../../etc"), b"x", b"")
    assert not (tmp_path / "etc").exists()
    assert all(tmp_path / "capture" in p.parents for p in tmp_path.rglob("*.out"))


@given(st.text())
def test_any_name_is_one_safe_path_component(name: str) -> None:
    made = file_name(name)
    assert made
    assert "/" not in made
    assert not made.startswith(".")


def test_a_torn_last_line_is_no_damage_and_resuming_drops_it(tmp_path: Path, writer: Write) -> None:
    capture = writer(tmp_path)
    capture.add(entry(capture.path_for("baseline", "gpu001", "linux")), b"x", b"")
    journal = tmp_path / "outputs.jsonl"
    with journal.open("a") as file:
        file.write('{"kind":"output","target":"gpu0')
    capture.close()
    read = Capture.open(tmp_path)
    assert len(read.entries) == 1
    assert read.damaged == ()
    resumed = CaptureWriter.resume(tmp_path)
    resumed.add(entry(resumed.path_for("baseline", "gpu002", "linux"), target="gpu002"), b"x", b"")
    resumed.seal("2026-11-30T10:06:00+00:00")
    assert [e.target for e in Capture.open(tmp_path).entries] == ["gpu001", "gpu002"]


def test_damage_is_told_by_file_and_the_rest_is_used(tmp_path: Path, writer: Write) -> None:
    capture = writer(tmp_path)
    for target in ("gpu001", "gpu002", "gpu003"):
        capture.add(entry(capture.path_for("baseline", target, "linux"), target=target), b"Linux", b"")
    (tmp_path / "baseline/gpu001/linux.out").write_bytes(b"forged")
    (tmp_path / "baseline/gpu002/linux.out").unlink()
    lines = (tmp_path / "outputs.jsonl").read_text().splitlines()
    (tmp_path / "outputs.jsonl").write_text("\n".join([lines[0], "{rubbish", *lines[1:], "[]"]) + "\n")
    read = Capture.open(tmp_path)
    assert [read.output(e) for e in read.entries] == [None, None, (b"Linux", b"")]
    assert read.damaged == ("outputs.jsonl:2", "outputs.jsonl:5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps({"schema": SCHEMA + 1, "planned": []}), "newer fabric-audit"),
        ("{", "cannot be read"),
        ("[]", "not a manifest"),
        ('{"schema": 1}', "not a manifest"),
        ('{"schema": 1, "planned": [], "surprise": 1}', "not a manifest"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(CaptureError, match=words):
        Capture.open(tmp_path)


def test_no_capture_and_a_capture_in_the_way_are_told(tmp_path: Path, writer: Write) -> None:
    with pytest.raises(CaptureError, match="no capture there"):
        Capture.open(tmp_path)
    writer(tmp_path)
    with pytest.raises(CaptureError, match="holds a capture already"):
        writer(tmp_path)


def test_secrets_are_masked_and_lines_stay() -> None:
    text = b"hostname leaf1\nsnmp-server community s3cret ro\nusername a secret sha512 $6$abc\nend\n"
    masked, count = mask(text, (r"snmp-server community (\S+)", r"secret sha512 (\S+)"))
    assert masked == b"hostname leaf1\nsnmp-server community <masked> ro\nusername a secret sha512 <masked>\nend\n"
    assert count == 2
    assert mask(masked, (r"snmp-server community (\S+)",)) == (masked, 0)
