"""Answers of a capture become facts, those that are alike once."""

from dataclasses import replace
from pathlib import Path

from fabric_audit.audit.reading import read_outputs
from fabric_audit.capture.frames import Frame
from fabric_audit.capture.model import Entry, Manifest
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import CaptureWriter
from fabric_audit.facts.pfc import PfcPort

STARTED = "2031-03-02T08:00:00+00:00"
MANIFEST = Manifest(run="r", tool_version="0", fabric="f", origin="simulated", started=STARTED)
ANSWER = Entry(
    target="", phase="baseline", command="host", text="", started=STARTED, duration_s=1.0, path="", rc=0, frames=()
)
PFC = b'{"pfc-cap":8,"delay":0,"prio-pfc":["off","off","off","on","off","off","off","off"]}\n'
NO_PFC = PFC.replace(b'"on"', b'"off"')


def captured(folder: Path, *answers: tuple[str, str, int | None, bytes]) -> Capture:
    """A capture of (host, device, exit status, what dcb printed)."""
    writer = CaptureWriter(folder, MANIFEST, inventory="", policy="")
    for host, device, rc, data in answers:
        frame = Frame(section="dcb-pfc", item=device, rc=rc, out=(0, len(data)))
        path = writer.path_for("baseline", host, "host")
        writer.add(replace(ANSWER, target=host, path=path, frames=(frame,)), data, b"")
    writer.seal(STARTED)
    return Capture.open(folder)


def test_hosts_that_answer_alike_are_parsed_once(tmp_path: Path) -> None:
    one, other = read_outputs(captured(tmp_path, ("a", "eth1", 0, PFC), ("b", "eth1", 0, PFC)))
    assert one.reading is other.reading
    assert (one.entry.target, other.entry.target) == ("a", "b")
    assert one.reading.facts


def test_another_device_text_or_status_is_another_answer(tmp_path: Path) -> None:
    answers = (("a", "eth1", 0, PFC), ("b", "eth2", 0, PFC), ("c", "eth1", 0, NO_PFC), ("d", "eth1", 127, PFC))
    told = [read.reading for read in read_outputs(captured(tmp_path, *answers))]
    ports = [fact for reading in told for fact in reading.facts if isinstance(fact, PfcPort)]
    assert [(fact.port, fact.oper_priorities) for fact in ports] == [("eth1", "3"), ("eth2", "3"), ("eth1", "")]
    assert told[3].state == "not_supported"
    assert told[3].facts == ()


def test_an_answer_cut_short_is_not_delivered_whatever_others_said(tmp_path: Path) -> None:
    whole, cut = read_outputs(captured(tmp_path, ("a", "eth1", 0, PFC), ("b", "eth1", None, PFC)))
    assert whole.reading.facts
    assert cut.reading.state == "not_delivered"
