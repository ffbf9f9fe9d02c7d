"""A fault that all ports of a target share is one finding."""

from fabric_audit.checks.folding import by_target
from fabric_audit.findings import Evidence, Finding, Verdict


def port(number: int, verdict: Verdict = Verdict.FAIL, message: str = "off", target: str = "leaf1") -> Finding:
    return Finding(
        verdict=verdict, subject=(target, f"Ethernet{number}"), message=message, evidence=(Evidence("a", number),)
    )


def test_all_ports_alike() -> None:
    (found,) = by_target([port(1), port(2), port(3)])
    assert (found.subject, found.message) == (("leaf1",), "off, on all its 3 fabric ports")
    assert found.evidence == (Evidence("a", 1), Evidence("a", 2), Evidence("a", 3))


def test_one_port_is_its_own_finding() -> None:
    assert list(by_target([port(1)])) == [port(1)]


def test_ports_that_differ_stay_apart() -> None:
    some = [port(1), port(2, Verdict.PASS, "on")]
    assert list(by_target(some)) == some
    other = [port(1), port(2, message="half")]
    assert list(by_target(other)) == other


def test_what_was_not_asked_does_not_keep_the_rest_apart() -> None:
    skipped = port(3, Verdict.SKIPPED, "not asked")
    assert [f.subject for f in by_target([port(1), port(2), skipped])] == [("leaf1", "Ethernet3"), ("leaf1",)]


def test_passes_are_told_port_by_port() -> None:
    some = [port(1, Verdict.PASS), port(2, Verdict.PASS)]
    assert list(by_target(some)) == some


def test_targets_are_folded_apart() -> None:
    found = by_target([port(1), port(2), port(1, target="leaf2")])
    assert [f.subject for f in found] == [("leaf1",), ("leaf2", "Ethernet1")]
