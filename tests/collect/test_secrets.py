"""Secrets that devices print while a fabric is collected: neither the capture nor a report of any format has them."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import fabric_audit
from fabric_audit.errors import DisconnectedError
from fabric_audit.inventory.model import Host, Target
from fabric_audit.report import RENDERERS
from fabric_audit.transport import Answer, Session, Talk, Transport
from tests.simulated import NO_TRAFFIC, collected

PLANTED = Path(__file__).parents[1] / "capture" / "planted"
CANARY = b"c4n4ry"
LONE = b"\nNCCL_SIDECAR_TOKEN=c4n4ry01\n"


@dataclass
class Leaky:
    """Every answer also says what is secret on a device of its kind, on both streams and in the words of errors."""

    within: Transport
    planted: int = 0

    def open(self, target: Target) -> Session:
        return _LeakySession(self, target, self.within.open(target))

    def close(self) -> None:
        self.within.close()


@dataclass
class _LeakySession:
    leaky: Leaky
    target: Target
    within: Session

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        answer = self.within.ask(text, deadline_s=deadline_s, talk=talk)
        said = (PLANTED / f"{self.target.platform}.txt").read_bytes()
        self.leaky.planted += 1
        if isinstance(self.target, Host):  # within the first section, before its end
            stdout = re.sub(rb"(\n@@\w+ E )", lambda end: b"\n" + said + end[1], answer.stdout, count=1)
            return replace(answer, stdout=stdout, stderr=answer.stderr + LONE)
        error = None
        if self.target.name == "leaf02":
            error = DisconnectedError("cannot read: neighbor 192.0.2.9 password c4n4ry00; password=c4n4ry00")
        return replace(answer, stdout=answer.stdout + b"\n" + said, stderr=LONE, error=error)

    def close(self) -> None:
        self.within.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("leaky")
    leaky: list[Leaky] = []

    def around(transport: Transport) -> Transport:
        leaky.append(Leaky(transport))
        return leaky[0]

    capture = collected(made, "clos-2x2", traffic=NO_TRAFFIC, around=around)
    assert leaky[0].planted > len(capture.manifest.planned)
    assert sum(entry.masked for entry in capture.entries) > leaky[0].planted
    return made


def test_no_file_of_the_capture_has_a_planted_secret(folder: Path) -> None:
    files = [path for path in (folder / "capture").rglob("*") if path.is_file()]
    assert len(files) > 10
    assert [path.name for path in files if CANARY in path.read_bytes()] == []
    journal = (folder / "capture" / "outputs.jsonl").read_text("utf-8")
    assert "cannot read: " in journal
    assert "password=<masked>" in journal


def test_no_report_of_any_format_has_a_planted_secret(folder: Path) -> None:
    audit = fabric_audit.audit_capture(folder)
    leaks = [name for name in RENDERERS if CANARY in fabric_audit.render(audit, name, capture=folder)]
    assert leaks == []


def test_frames_still_stand_where_the_masked_text_has_them(folder: Path) -> None:
    audit = fabric_audit.audit_capture(folder, select=("evidence",))
    states = {row.section: row.state for row in audit.coverage if row.target == "gpu001"}
    assert list(states.values()).count("parsed") > 20
    assert states["uname"] == "parsed"
