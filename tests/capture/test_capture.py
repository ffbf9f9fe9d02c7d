"""The capture: written once, readable at every moment, damage told by file."""

import json
import os
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

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


def test_two_runs_never_write_into_one_folder(tmp_path: Path, writer: Write) -> None:
    first = writer(tmp_path)
    with pytest.raises(CaptureError, match="another run writes into it; let it end"):
        CaptureWriter.resume(tmp_path)
    first.add(entry(first.path_for("baseline", "gpu001", "linux")), b"x", b"")
    first.close()
    resumed = CaptureWriter.resume(tmp_path)
    resumed.seal("2026-11-30T10:06:00+00:00")
    assert len(Capture.open(tmp_path).entries) == 1


def test_of_two_runs_that_begin_at_once_one_is_refused(tmp_path: Path) -> None:
    """Each sees an empty folder; who comes second to the journal must not touch what the first has written."""
    folder = tmp_path / "capture"
    begin = threading.Barrier(2)
    told: list[str] = []

    def run(name: str) -> None:
        begin.wait()
        try:
            made = CaptureWriter(folder, manifest(), inventory=f"fabric: {name}\n", policy="name: p\n")
        except CaptureError as error:
            told.append(str(error))
            return
        time.sleep(0.2)
        made.seal("2026-11-30T10:06:00+00:00")
        told.append(name)

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b")]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    refused, won = sorted(told, key=len, reverse=True)
    assert "another run writes into it" in refused or "holds a capture already" in refused
    assert Capture.open(folder).text("inventory.yaml") == f"fabric: {won}\n"


def killed_at(step: int, folder: Path) -> bool:
    """A child process writes a capture and kills itself before its ``step``-th write; whether it came so far."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    left = [step]

    def before() -> None:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    opens, replaces = os.open, Path.replace

    def open_or_die(*words: Any, **more: Any) -> int:
        before()
        return opens(*words, **more)

    def replace_or_die(path: Path, target: Path) -> Path:
        before()
        return replaces(path, target)

    os.open = open_or_die
    Path.replace = replace_or_die  # type: ignore[method-assign,assignment]  # in the child process alone
    made = CaptureWriter(folder, manifest(), inventory="fabric: pod\n", policy="name: p\n")
    line = made._line

    def torn(value: Mapping[str, Any]) -> None:
        left[0] -= 1
        if left[0] < 0:
            os.write(made._journal.fileno(), b'{"kind":"output","target":"gpu0')
            os.kill(os.getpid(), signal.SIGKILL)
        line(value)

    made._line = torn  # type: ignore[method-assign]  # the kill comes in the middle of a line
    for target in ("gpu001", "gpu002"):
        made.add(entry(made.path_for("baseline", target, "linux"), target=target), b"Linux", b"warning")
    made.seal("2026-11-30T10:06:00+00:00")
    os._exit(0)


def test_a_kill_at_any_write_leaves_a_capture_that_opens_and_can_be_resumed(tmp_path: Path) -> None:
    step = 0
    while killed_at(step, tmp_path / str(step)):
        folder = tmp_path / str(step)
        try:
            read = Capture.open(folder)
        except CaptureError:  # killed before there was a manifest: nothing was asked yet, and the folder can be used
            assert not (folder / "manifest.json").exists()
            CaptureWriter(folder, manifest(), inventory="fabric: pod\n", policy="name: p\n").close()
            read = Capture.open(folder)
        assert read.damaged == ()
        assert all(read.output(one) is not None for one in read.entries)
        resumed = CaptureWriter.resume(folder)
        resumed.add(entry(resumed.path_for("final", "gpu001", "linux"), phase="final"), b"Linux", b"")
        resumed.seal("2026-11-30T10:07:00+00:00")
        after = Capture.open(folder)
        assert [one.phase for one in after.entries] == ["baseline"] * len(read.entries) + ["final"]
        assert after.damaged == ()
        step += 1
    assert step > 15


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
