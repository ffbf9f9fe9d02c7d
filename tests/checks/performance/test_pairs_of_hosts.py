"""Pairs that do not reach each other, and pairs that answer late."""

from typing import Any

import pytest

from fabric_audit.checks.performance import latency, reachable
from fabric_audit.facts.intent import Fabric, Link
from fabric_audit.facts.performance import Outcome, PairResult
from tests.checks.judging import findings, verdicts

POD = [Fabric(name="pod")]


def result(client: str, server: str, **told: Any) -> PairResult:
    usual: dict[str, Any] = {"round": 1, "rail": 0, "tool": "ib_write_bw", "memory": "host", "outcome": "ok"}
    return PairResult(client=client, server=server, **(usual | told))


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome.OK, {"h1/rail 0/h2": "PASS"}),
        (Outcome.RETRY_EXCEEDED, {"h1/rail 0/h2": "FAIL"}),
        (Outcome.NOT_CONNECTED, {"h1/rail 0/h2": "FAIL"}),
        (Outcome.LINK_CUT, {"h1/rail 0/h2": "FAIL"}),
        (Outcome.NO_SERVER, {}),
        (Outcome.PORT_TAKEN, {}),
        (Outcome.NOT_DELIVERED, {}),
    ],
)
def test_pairs_reach_each_other(outcome: Outcome, expected: dict[str, str]) -> None:
    assert verdicts(reachable, {"h1": [result("h1", "h2", outcome=str(outcome))]}) == expected


def test_what_failed_is_told_once_a_pair() -> None:
    both = [
        result("h1", "h2", tool=tool, outcome="retry_exceeded", message="status 12")
        for tool in ("ib_write_bw", "ib_send_bw")
    ]
    (found,) = findings(reachable, {"h1": both})
    assert "ib_send_bw retry exceeded, ib_write_bw retry exceeded" in found.message
    assert found.observed == "status 12"


def pings(*micros: float) -> list[PairResult]:
    names = [("h1", "h2"), ("h2", "h1"), ("h1", "h3"), ("h3", "h1")]
    return [
        result(*pair, tool="ib_write_lat", latency_typical_us=us, client_port=f"{pair[0]}p", server_port=f"{pair[1]}p")
        for pair, us in zip(names, micros, strict=False)
    ]


def late(*facts: Any) -> set[str]:
    return {f.subject[0] for f in findings(latency, {"pod": POD, "h1": list(facts)}) if f.verdict.name == "FAIL"}


def test_one_pair_answers_late() -> None:
    assert late(*pings(2.0, 2.1, 2.0, 4.4)) == {"h3"}
    assert late(*pings(2.0, 2.1, 2.0, 4.0)) == set()


def test_pairs_across_leaves_are_compared_with_their_like() -> None:
    cables = [
        Link(a_target=host, a_port=f"{host}p", b_target=leaf, b_port=host, role="host")
        for host, leaf in (("h1", "leaf1"), ("h2", "leaf1"), ("h3", "leaf2"))
    ]
    assert late(*cables, *pings(2.0, 2.1, 4.4, 4.5)) == set()


def test_few_pairs_and_none() -> None:
    assert set(verdicts(latency, {"pod": POD, "h1": pings(2.0, 9.0)}).values()) == {"SKIPPED"}
    assert verdicts(latency, {"pod": POD}) == {"pod": "SKIPPED"}
