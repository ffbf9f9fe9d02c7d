"""Pause: who sends it, who suffers it, where it begins, and how long is too long under which load."""

import pytest

from fabric_audit.analysis.phases import Load, load_between, loads
from fabric_audit.checks.counters import no_global_pause, pause_storm, slow_receiver
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import FabricPort, Link
from fabric_audit.facts.performance import PairResult
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.tables import Stamped
from tests.checks.judging import findings, verdicts
from tests.checks.readings import at, still, twice

SECONDS = 10.0


def nic(target: str = "h1") -> list[Stamped]:
    return still(target, FabricPort(port="rdma0", side="nic", rail=0))


def counted(target: str, port: str, phase: str = "final", priority: int = 3, **after: int) -> list[Stamped]:
    """A lossless priority's counters at zero, and after ten seconds."""
    zero = PfcCounter(port=port, priority=priority, **dict.fromkeys(after, 0))  # type: ignore[arg-type]
    grown = PfcCounter(port=port, priority=priority, **after)  # type: ignore[arg-type]
    return [*still(target, zero), *at(phase, target, grown, seconds=SECONDS)]


def pairs(*clients: str) -> list[Stamped]:
    """Clients that all send to h1 in the first round."""
    told = [
        PairResult(round=1, client=name, server="h1", rail=0, tool="ib_write_bw", memory="host", outcome="ok")
        for name in clients
    ]
    return [one for fact in told for one in at("round-0001", fact.client, fact)]


@pytest.mark.parametrize(
    ("micros", "clients", "verdict"),
    [
        (5_000, (), "PASS"),
        (50_000, (), "FAIL"),
        (50_000, ("h2",), "PASS"),
        (500_000, ("h2",), "FAIL"),
        (500_000, ("h2", "h3"), "PASS"),
        (2_000_000, ("h2", "h3"), "FAIL"),
    ],
)
def test_a_nic_that_pauses_the_switch_is_judged_by_its_load(
    micros: int, clients: tuple[str, ...], verdict: str
) -> None:
    seen = [*nic(), *counted("h1", "rdma0", "round-0001", tx_pause_us=micros), *pairs(*clients)]
    assert verdicts(slow_receiver, seen) == {"h1/rdma0": verdict}


def test_a_pause_storm_of_a_nic() -> None:
    storm = twice(
        "h1",
        {"tx_pause_storm_error_events": 0},
        {"tx_pause_storm_error_events": 1},
        port="rdma0",
        counter_class="pause_sent",
    )
    (found,) = findings(slow_receiver, [*nic(), *storm])
    assert found.verdict.name == "FAIL"
    assert "tx_pause_storm_error_events 1" in found.message


def test_a_nic_that_counts_no_pause() -> None:
    assert verdicts(slow_receiver, nic()) == {"h1/rdma0": "SKIPPED"}


def test_other_priorities_may_be_paused() -> None:
    seen = [*nic(), *counted("h1", "rdma0", priority=0, tx_pause_us=5_000_000)]
    assert verdicts(slow_receiver, seen) == {"h1/rdma0": "SKIPPED"}


def switch(*ports: str) -> list[Stamped]:
    facts: list[Fact] = [FabricPort(port=port, side="fabric") for port in ports]
    return still("leaf1", *facts, *(Interface(port=port, speed_bps=400 * 10**9) for port in ports))


def test_frames_bound_the_time_and_prove_nothing() -> None:
    few = [*switch("p1"), *counted("leaf1", "p1", rx_frames=100)]
    many = [*switch("p1"), *counted("leaf1", "p1", rx_frames=100_000)]
    assert verdicts(pause_storm, few) == {"leaf1/p1": "PASS"}
    assert verdicts(pause_storm, many) == {"leaf1/p1": "NOT_VERIFIABLE"}
    assert "up to" in findings(pause_storm, many)[0].message


def test_no_frame_is_no_pause() -> None:
    assert verdicts(pause_storm, [*switch("p1"), *counted("leaf1", "p1", rx_frames=0)]) == {"leaf1/p1": "PASS"}


def test_a_port_without_counters() -> None:
    assert verdicts(pause_storm, switch("p1")) == {"leaf1/p1": "SKIPPED"}


def cable(a: str, a_port: str, b: str, b_port: str) -> Stamped:
    (one,) = still(a, Link(a_target=a, a_port=a_port, b_target=b, b_port=b_port, role="fabric"))
    return one


def port(target: str, name: str, side: str = "fabric", pause: int = 0) -> list[Stamped]:
    return [*still(target, FabricPort(port=name, side=side)), *counted(target, name, rx_pause_us=pause)]


def test_pause_spreads_from_a_slow_receiver() -> None:
    """h2 → leaf2 → spine → leaf1 → h1, and h1 does not absorb."""
    seen = [
        *port("h1", "rdma0", "nic"),
        *port("leaf1", "down", "host", pause=4_000_000),
        *port("leaf1", "up"),
        *port("spine", "one", pause=3_000_000),
        *port("spine", "two"),
        *port("leaf2", "up", pause=2_000_000),
        cable("h1", "rdma0", "leaf1", "down"),
        cable("leaf1", "up", "spine", "one"),
        cable("leaf2", "up", "spine", "two"),
    ]
    failing = {"/".join(f.subject): f.explained_by for f in findings(pause_storm, seen) if f.verdict.name == "FAIL"}
    assert failing == {
        "leaf1/down": "counters.slow-receiver:h1/rdma0",
        "spine/one": "counters.pause-storm:leaf1/down",
        "leaf2/up": "counters.pause-storm:spine/one",
    }


def test_a_switch_that_is_congested_itself_is_a_root() -> None:
    seen = [*port("spine", "one", pause=3_000_000), *port("leaf1", "up"), cable("leaf1", "up", "spine", "one")]
    (found,) = [f for f in findings(pause_storm, seen) if f.verdict.name == "FAIL"]
    assert found.explained_by == ""
    assert "leaf1 is congested itself" in found.message


def test_pause_in_a_circle_is_a_deadlock() -> None:
    seen = []
    for here, there in (("a", "b"), ("b", "c"), ("c", "a")):
        seen += [*port(here, f"to-{there}", pause=9_000_000), *port(there, f"to-{here}")]
        seen.append(cable(here, f"to-{there}", there, f"to-{here}"))
    failing = [f for f in findings(pause_storm, seen) if f.verdict.name == "FAIL"]
    assert len(failing) == 3
    assert all("deadlock" in f.message and not f.explained_by for f in failing)


@pytest.mark.parametrize(("grown", "verdict"), [(0, "PASS"), (7, "FAIL")])
def test_pause_of_the_whole_link(grown: int, verdict: str) -> None:
    pause = twice(
        "h1", {"rx_global_pause": 3}, {"rx_global_pause": 3 + grown}, port="rdma0", counter_class="pause_received"
    )
    assert verdicts(no_global_pause, [*nic(), *pause]) == {"h1/rdma0": verdict}


def test_pause_frames_of_whatever_kind_prove_no_802_3x() -> None:
    pause = twice(
        "h1", {"rx_pause_ctrl_phy": 0}, {"rx_pause_ctrl_phy": 9}, port="rdma0", counter_class="pause_received"
    )
    assert verdicts(no_global_pause, [*nic(), *pause]) == {"h1/rdma0": "SKIPPED"}


def test_what_each_reading_covers() -> None:
    results = [one.fact for one in [*pairs("h2"), *pairs("h2", "h3")]]
    assert loads(results[:1]) == {1: Load.ONE_TO_ONE}
    of_rounds = {1: Load.ONE_TO_ONE, 2: Load.INCAST, 3: Load.ONE_TO_ONE}
    assert load_between("baseline", "round-0001", of_rounds) is Load.ONE_TO_ONE
    assert load_between("round-0001", "round-0002", of_rounds) is Load.INCAST
    assert load_between("baseline", "final", of_rounds) is Load.INCAST
    assert load_between("round-0003", "final", of_rounds) is Load.IDLE
    assert load_between("baseline", "final", {}) is Load.IDLE
