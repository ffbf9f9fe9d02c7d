"""A scrubbed capture: nothing in it identifies, and it is judged as the original."""

import re
import shutil
from pathlib import Path

import pytest

import fabric_audit
from fabric_audit.api import scrubbing
from fabric_audit.audit.reading import read_outputs
from fabric_audit.capture.pseudonyms import Pseudonyms
from fabric_audit.capture.reader import Capture
from fabric_audit.errors import CaptureError
from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.rdma import Gid, RdmaDevice
from fabric_audit.findings import Audit
from tests.simulated import collected


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Capture:
    return collected(tmp_path_factory.mktemp("original"), "clos-2x2", "ecn-off@leaf01")


@pytest.fixture(scope="module")
def copy(original: Capture, tmp_path_factory: pytest.TempPathFactory) -> Capture:
    return scrubbing.scrub(original, tmp_path_factory.mktemp("copies") / "copy")


def identities(capture: Capture) -> set[str]:
    """Names, and the addresses that its facts tell: not by the patterns that the scrubbing goes by."""
    found = {target for planned in capture.manifest.planned for target in planned.targets}
    for read in read_outputs(capture):
        for fact in read.reading.facts:
            match fact:
                case Interface(mac=str(value)) | RdmaDevice(node_guid=str(value)) | Gid(gid=str(value)):
                    found.add(value)
                case Address(address=str(value)):
                    found.add(value)
    alike = ("fe80::", "127.", "::1", "00:00:00:00:00:00", "0000:0000:0000:0000")
    return {value.lower() for value in found if not value.startswith(alike)}


def test_no_name_and_no_address_is_left(original: Capture, copy: Capture) -> None:
    known = identities(original)
    assert len(known) > 20
    left = set()
    for path in copy.folder.rglob("*"):
        text = f"{path.relative_to(copy.folder)} {path.read_text('utf-8', 'replace') if path.is_file() else ''}".lower()
        left |= {value for value in known if re.search(rf"(?<![\w.:]){re.escape(value)}(?![\w:]|\.\d)", text)}
    assert left == set()
    assert "identity_file" not in copy.text("inventory.yaml")


def test_the_same_is_found_at_the_same_place(original: Capture, copy: Capture) -> None:
    told, now = (fabric_audit.audit_capture(one, select=("ecn", "links")) for one in (original, copy))
    failing = [[(f.check, f.subject[1:]) for f in audit.failing(audit.fail_on)] for audit in (told, now)]
    assert failing[0]
    assert failing[0] == failing[1]
    assert len(told.tables["link"]) == len(now.tables["link"]) > 0
    assert copy.damaged == ()


def test_a_copy_that_is_judged_otherwise_is_not_kept(
    original: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = fabric_audit.audit_capture
    first: list[Capture] = []

    def otherwise(capture: Capture) -> Audit:
        first.append(capture)
        return judged(capture, select=("ecn",) if len(first) == 1 else ("pfc",))

    monkeypatch.setattr(scrubbing, "audit_capture", otherwise)
    with pytest.raises(CaptureError, match=r"would be judged otherwise \(ecn\."):
        scrubbing.scrub(original, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_name_that_would_be_left_is_found(original: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pseudonyms, "__call__", lambda _self, text: text.replace("leaf01", "s00001"))
    with pytest.raises(CaptureError, match="a name would be left in it"):
        scrubbing.scrub(original, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_nothing_is_written_over(original: Capture, tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="exists already; name another --output"):
        scrubbing.scrub(original, tmp_path)
    assert tmp_path.exists()


def test_a_capture_that_was_changed_is_not_copied(copy: Capture, tmp_path: Path) -> None:
    damaged = shutil.copytree(copy.folder, tmp_path / "damaged")
    next(damaged.glob("baseline/*/linux.out")).write_bytes(b"forged")
    with pytest.raises(CaptureError, match=r"changed or missing: baseline/\w+/linux\.out; scrub an undamaged capture"):
        scrubbing.scrub(damaged, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
