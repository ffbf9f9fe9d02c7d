"""Leaves, uplinks and collisions as findings, from the rows that an adaptive run leaves."""

from itertools import permutations
from typing import Any

from fabric_audit.checks.performance import ecmp_collision, line_rate, slow_leaf, slow_nic
from fabric_audit.facts.intent import Fabric, Link
from fabric_audit.facts.performance import PairResult
from tests.checks.judging import findings, verdicts

HOSTS = {f"h{n}": f"leaf{(n - 1) // 3 + 1}" for n in range(1, 16)}
CABLES = [Link(a_target=h, a_port="p", b_target=leaf, b_port=h, role="host") for h, leaf in HOSTS.items()]
POD = {"pod": [Fabric(name="pod"), *CABLES]}


def result(client: str, server: str, gbps: float, **told: Any) -> PairResult:
    usual: dict[str, Any] = {"round": 1, "rail": 0, "tool": "ib_write_bw", "memory": "host", "outcome": "ok", "qps": 4}
    rate: dict[str, Any] = {"line_rate_bps": 400 * 10**9, "mtu_bytes": 4096, "client_port": "p", "server_port": "p"}
    return PairResult(client=client, server=server, bandwidth_bps=gbps * 1e9, **(usual | rate | told))


def all_pairs(rate_of: Any, **told: Any) -> list[PairResult]:
    return [result(a, b, rate_of(a, b), **told) for a, b in permutations(HOSTS, 2)]


def failing(check: Any, facts: list[PairResult]) -> set[str]:
    return {name for name, verdict in verdicts(check, POD | {"h1": facts}).items() if verdict == "FAIL"}


def test_a_sick_leaf_is_one_finding_and_its_hosts_are_none() -> None:
    facts = all_pairs(lambda a, b: 200 if "leaf2" in (HOSTS[a], HOSTS[b]) else 390)
    assert failing(slow_leaf, facts) == {"leaf2"}
    assert failing(slow_nic, facts) == set()
    causes = {f.explained_by for f in findings(line_rate, POD | {"h1": facts}) if f.verdict.name == "FAIL"}
    assert causes == {"performance.slow-leaf:leaf2"}


def over_uplinks(a: str, b: str) -> float:
    return 200 if HOSTS[a] == "leaf2" != HOSTS[b] else 390


def test_uplinks_are_blamed_only_after_their_pairs_were_slow_again_with_other_queue_pairs() -> None:
    once = all_pairs(over_uplinks)
    assert failing(slow_leaf, once) == set()
    again = [*once, *all_pairs(over_uplinks, qps=8, round=2)]
    assert failing(slow_leaf, again) == {"leaf2/uplinks"}
    assert failing(slow_nic, again) == set()
    (finding,) = (f for f in findings(slow_leaf, POD | {"h1": again}) if f.verdict.name == "FAIL")
    assert "slow up to the spines, with any queue pairs (36 of 36 tests" in finding.message


def test_what_moves_is_a_collision_and_no_link_is_blamed() -> None:
    slow = [result("h1", "h5", 200), result("h1", "h5", 390, qps=8, round=2)]
    facts = [r for r in all_pairs(lambda *_: 390) if (r.client, r.server) != ("h1", "h5")] + slow
    assert failing(ecmp_collision, facts) == {"h1/rail 0/h5"}
    assert failing(slow_nic, facts) | failing(slow_leaf, facts) | failing(line_rate, facts) == set()
    (finding,) = (f for f in findings(ecmp_collision, POD | {"h1": facts}) if f.verdict.name == "FAIL")
    assert "200 Gb/s with 4 queue pairs, 390 Gb/s with 8 queue pairs" in finding.message


def test_a_repeat_that_stays_slow_is_judged_by_its_slowest_run_and_told_as_open() -> None:
    slow = [result("h1", "h5", 210), result("h1", "h5", 200, qps=8, round=2)]
    facts = [r for r in all_pairs(lambda *_: 390) if (r.client, r.server) != ("h1", "h5")] + slow
    assert failing(ecmp_collision, facts) == set()
    assert failing(slow_nic, facts) == {"h1/rail 0/h5/ib_write_bw/host"}
    (finding,) = (f for f in findings(line_rate, POD | {"h1": facts}) if f.verdict.name == "FAIL")
    assert finding.observed == "200 Gb/s"


def test_a_nic_that_is_slow_with_gpu_memory_alone_has_a_slow_path_to_its_gpu() -> None:
    facts = all_pairs(lambda *_: 390) + all_pairs(lambda a, _: 150 if a == "h4" else 390, memory="gpu")
    (finding,) = (f for f in findings(slow_nic, POD | {"h1": facts}) if f.verdict.name == "FAIL")
    assert finding.subject == ("h4", "rail 0")
    assert "not with host memory: its path to the GPU" in finding.message
    assert "150 Gb/s where the pod's median is 390 Gb/s" in finding.message
    assert "collectives between hosts that include h4 rail 0 take up to 2.60 times as long" in finding.observed


def test_two_hosts_below_a_leaf_are_too_few_to_judge_it() -> None:
    cables = [cable for cable in CABLES if cable.a_target not in ("h3", "h6")]
    facts = [result(a, b, 390) for a, b in permutations(["h1", "h2", "h4", "h5", "h7", "h8", "h9"], 2)]
    told = verdicts(slow_leaf, {"pod": [Fabric(name="pod"), *cables], "h1": facts})
    assert told == {"leaf1": "SKIPPED", "leaf2": "SKIPPED", "leaf3": "PASS"}


def test_without_cables_nothing_is_said_of_leaves() -> None:
    facts = all_pairs(lambda *_: 390)
    assert verdicts(slow_leaf, {"pod": [Fabric(name="pod")], "h1": facts}) == {"pod": "SKIPPED"}
    assert verdicts(ecmp_collision, {"pod": [Fabric(name="pod")]}) == {"pod": "SKIPPED"}
