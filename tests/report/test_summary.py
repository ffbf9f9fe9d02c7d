"""The verdict on a terminal."""

from dataclasses import replace

from fabric_audit.report.summary import FIRST, summary
from tests.report.audits import faulty, healthy, unknown


def test_causes_and_missing_evidence_are_named() -> None:
    assert list(summary(faulty())) == [
        "critical  gpu005: GPU memory cannot be registered: nvidia_peermem is not loaded",
        "major     leaf01 Ethernet12: PFC is off for priority 3",
        "unknown   no evidence from gpu007: the host refused the key (1 check)",
    ]
    assert list(summary(unknown())) == ["unknown   gpu[001-008]: no evidence from …: no route to host (11 checks)"]


def test_a_healthy_fabric_needs_no_words() -> None:
    assert list(summary(healthy())) == []


def test_nothing_a_device_says_reaches_the_terminal_as_it_is() -> None:
    told = faulty()
    results = tuple(
        replace(r, findings=tuple(replace(f, message=f"\x1b[2J{f.message}\n{'x' * 10_000}") for f in r.findings))
        for r in told.results
    )
    lines = list(summary(replace(told, results=results)))
    assert lines
    assert all(line.isprintable() and len(line) < 400 for line in lines)


def test_what_does_not_fit_is_counted() -> None:
    told = faulty()
    failing = next(r for r in told.results if r.check == "pfc.on")
    many = tuple(
        replace(failing.findings[-1], subject=(f"leaf{n:02}",), message=f"fault {n}") for n in range(FIRST + 3)
    )
    lines = list(summary(replace(told, results=(replace(failing, findings=many),))))
    assert len(lines) == FIRST + 1
    assert lines[-1].strip() == "and 3 more in the report"
