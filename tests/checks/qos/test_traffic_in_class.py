"""What the tests sent went through the lossless priority."""

from collections.abc import Mapping

import pytest

from fabric_audit.checks.qos import traffic_in_class
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.performance import PairResult
from fabric_audit.facts.tables import Stamped
from tests.checks.judging import verdicts
from tests.checks.readings import at, still

NAMES = ("tx_prio{}_bytes", "tx_bytes_pri{}")


def sent(name: str, by_priority: Mapping[int, int], traffic_class: int = 106) -> list[Stamped]:
    """Bytes by priority in the first round, in which h1 is the client."""
    pair = PairResult(
        round=1,
        client="h1",
        server="h2",
        rail=0,
        tool="ib_write_bw",
        memory="host",
        client_port="rdma0",
        traffic_class=traffic_class,
        outcome="ok",
    )
    found = [*still("h1", FabricPort(port="rdma0", side="nic", rail=0)), *at("round-0001", "h1", pair)]
    for priority in range(8):
        for when, value in (("baseline", 5), ("round-0001", 5 + by_priority.get(priority, 0))):
            fact = Counter(port="rdma0", name=name.format(priority), value=value, counter_class="traffic", unit="bytes")
            found += at(when, "h1", fact, seconds=0 if when == "baseline" else 10)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("by_priority", "verdict"),
    [
        ({3: 1000}, "PASS"),
        ({3: 950, 0: 50}, "PASS"),
        ({0: 1000}, "FAIL"),
        ({3: 500, 0: 500}, "FAIL"),
        ({}, "UNKNOWN"),
    ],
)
def test_the_lossless_priority_moved(name: str, by_priority: dict[int, int], verdict: str) -> None:
    assert verdicts(traffic_in_class, sent(name, by_priority)) == {"h1/rdma0": verdict}


def test_a_driver_that_does_not_count_by_priority() -> None:
    assert verdicts(traffic_in_class, sent("tx_bytes_{}", {3: 1000})) == {"h1/rdma0": "SKIPPED"}


def test_a_test_that_asks_for_another_class_is_not_judged() -> None:
    assert verdicts(traffic_in_class, sent(NAMES[0], {0: 1000}, traffic_class=0)) == {}
