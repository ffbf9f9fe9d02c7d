"""Whether the evidence can be trusted: clocks, counters, contradictions, origin, parsers."""

import pytest

from fabric_audit.checks.evidence import clocks_agree, counters_kept, proven_parsers, real_devices, sources_agree
from fabric_audit.facts.intent import Fabric, Target
from fabric_audit.facts.merge import Disagreement
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import Stamped
from fabric_audit.findings import CoverageRow
from tests.checks.judging import findings, verdicts
from tests.checks.readings import at, still, twice

POD = still("pod", Fabric(name="pod", origin="real"))


def host(name: str, clock: str | None, seconds: float) -> list[Stamped]:
    """A host that was asked for its clock so many seconds after the start."""
    system = System(name=name, clock_utc=clock)
    return [*still(name, Target(kind="host")), *at("baseline", name, system, seconds=seconds)]


@pytest.mark.parametrize(
    ("third", "verdict"),
    [
        ("2025-03-01T12:00:20Z", "PASS"),
        ("2025-03-01T12:00:27Z", "PASS"),
        ("2025-03-01T12:00:28Z", "FAIL"),
        ("2025-03-01T11:00:20Z", "FAIL"),
        (None, "UNKNOWN"),
    ],
)
def test_clocks(third: str | None, verdict: str) -> None:
    seen = [
        *host("h1", "2025-03-01T12:00:00Z", 0),
        *host("h2", "2025-03-01T12:00:10Z", 10),
        *host("h3", third, 20),
        *still("leaf1", Target(kind="switch")),
    ]
    assert verdicts(clocks_agree, seen) == {"h1": "PASS", "h2": "PASS", "h3": verdict, "leaf1": "SKIPPED"}


def test_a_clock_alone_agrees_with_none() -> None:
    assert verdicts(clocks_agree, host("h1", "2025-03-01T12:00:00Z", 0)) == {"h1": "SKIPPED"}


def read(phase: str) -> tuple[CoverageRow, ...]:
    return (CoverageRow(target="h1", phase=phase, section="x", tables=("counter",), state="parsed"),)


@pytest.mark.parametrize(("after", "verdict"), [(10, "PASS"), (12, "PASS"), (3, "UNKNOWN")])
def test_counters_that_go_back(after: int, verdict: str) -> None:
    counted = twice("h1", {"rx_bytes": 10}, {"rx_bytes": after}, port="rdma0", counter_class="traffic")
    seen = [*still("h1", Target(kind="host")), *counted]
    assert verdicts(counters_kept, seen, coverage=read("final")) == {"h1": verdict}
    assert verdicts(counters_kept, seen, coverage=read("baseline")) == {"h1": "SKIPPED"}


def test_pause_counters_that_go_back() -> None:
    seen = still("h1", Target(kind="host"), PfcCounter(port="rdma0", priority=3, rx_frames=9))
    seen += at("final", "h1", PfcCounter(port="rdma0", priority=3, rx_frames=2), seconds=10)
    (found,) = findings(counters_kept, seen, coverage=read("final"))
    assert found.verdict.name == "UNKNOWN"
    assert "rdma0 rx_frames" in found.message


def told(key: str) -> Disagreement:
    return Disagreement(of_table="interface", of_key=key, of_field="fec_mode", first="rs (a:1)", second="none (b:2)")


def test_answers_that_contradict_each_other() -> None:
    both = (*read("baseline"), CoverageRow(target="h2", phase="baseline", section="x", tables=(), state="parsed"))
    found = findings(sources_agree, {"h1": [told("p1"), told("p2")]}, coverage=both)
    assert [(f.subject, f.verdict.name) for f in found] == [
        (("h1", "interface", "fec_mode"), "FAIL"),
        (("h2",), "PASS"),
    ]
    assert "rs (a:1) and none (b:2), and so for 1 others" in found[0].message


@pytest.mark.parametrize(("origin", "verdict"), [("real", "PASS"), ("simulated", "NOT_VERIFIABLE")])
def test_where_the_evidence_comes_from(origin: str, verdict: str) -> None:
    assert verdicts(real_devices, {"pod": [Fabric(name="pod", origin=origin)]}) == {"pod": verdict}


def parsed(target: str, section: str, provenance: str, state: str = "parsed") -> CoverageRow:
    return CoverageRow(
        target=target, phase="baseline", section=section, tables=(), state=state, provenance=provenance, path="a.out"
    )


def test_parsers_that_never_met_their_format() -> None:
    some = (parsed("h1", "new", "constructed"), parsed("h2", "new", "constructed"), parsed("h1", "old", "field"))
    (found,) = findings(proven_parsers, POD, coverage=some)
    assert (found.subject, found.verdict.name) == (("pod", "new"), "NOT_VERIFIABLE")
    assert "on 2 targets" in found.message


def test_parsers_that_did() -> None:
    refused = parsed("h1", "new", "constructed", state="not_supported")
    assert verdicts(proven_parsers, POD, coverage=(parsed("h1", "old", "field"), refused)) == {"pod": "PASS"}
