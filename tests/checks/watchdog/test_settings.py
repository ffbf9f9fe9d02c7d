"""What the watchdog does, how soon, on which queues, and only on storms."""

from typing import Any

import pytest

from fabric_audit.checks.watchdog import action, acts_on_storms_only, right_queues, times
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import FabricPort, Target
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import PfcPriorityMap
from tests.checks.judging import verdicts

PORT = "Ethernet1"


def switch(*guards: PfcWatchdog, platform: str = "sonic", ports: int = 1) -> dict[str, list[Fact]]:
    others = [Interface(port=f"Ethernet{number}", kind="physical") for number in range(1, ports + 1)]
    return {"leaf1": [Target(kind="switch", platform=platform), FabricPort(port=PORT, side="host"), *others, *guards]}


def guard(queue: int = -1, *, enabled: bool | None = True, **told: Any) -> PfcWatchdog:
    return PfcWatchdog(port=PORT, queue=queue, enabled=enabled, **told)


@pytest.mark.parametrize(("does", "verdict"), [("drop", "PASS"), ("shutdown", "FAIL"), (None, "UNKNOWN")])
def test_the_action(does: str | None, verdict: str) -> None:
    assert verdicts(action, switch(guard(action=does))) == {"leaf1/Ethernet1": verdict}


@pytest.mark.parametrize(
    ("told", "ports", "verdict"),
    [
        ({"detect_ms": 200, "restore_ms": 400, "poll_ms": 100}, 32, "PASS"),
        ({"detect_ms": 400}, 32, "PASS"),
        ({"detect_ms": 600}, 32, "FAIL"),
        ({"detect_ms": 600}, 64, "PASS"),
        ({"detect_ms": 200, "poll_ms": 400}, 32, "FAIL"),
        ({"detect_ms": 200, "restore_ms": 0}, 32, "FAIL"),
        ({"poll_ms": 100}, 32, "UNKNOWN"),
    ],
)
def test_the_times(told: dict[str, Any], ports: int, verdict: str) -> None:
    assert verdicts(times, switch(guard(**told), ports=ports)) == {"leaf1/Ethernet1": verdict}


def test_times_that_the_platform_does_not_print() -> None:
    cannot = {("leaf1", "pfc_watchdog.detect_ms"): "multipliers are not printed"}
    assert verdicts(times, switch(guard()), cannot=cannot) == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}


@pytest.mark.parametrize(
    ("guards", "verdict"),
    [
        ([guard()], "PASS"),
        ([guard(3)], "PASS"),
        ([guard(), guard(3)], "PASS"),
        ([guard(3), guard(4)], "FAIL"),
        ([guard(4, enabled=False), guard(3)], "PASS"),
    ],
)
def test_the_queues(guards: list[PfcWatchdog], verdict: str) -> None:
    seen = switch(*guards)
    seen["leaf1"].append(PfcPort(port=PORT, mode="on", oper_priorities="3"))
    assert verdicts(right_queues, seen) == {"leaf1/Ethernet1": verdict}


def test_a_queue_that_has_another_number_than_its_priority() -> None:
    seen = switch(guard(4))
    seen["leaf1"] += [PfcPort(port=PORT, oper_priorities="3"), PfcPriorityMap(port=PORT, priority=3, queue=4)]
    assert verdicts(right_queues, seen) == {"leaf1/Ethernet1": "PASS"}


def test_which_queues_pfc_stops_is_not_known() -> None:
    assert verdicts(right_queues, switch(guard(3))) == {"leaf1/Ethernet1": "UNKNOWN"}


@pytest.mark.parametrize(("red", "verdict"), [(False, "PASS"), (True, "FAIL"), (None, "UNKNOWN")])
def test_the_big_red_switch(red: bool | None, verdict: str) -> None:
    assert verdicts(acts_on_storms_only, switch(guard(big_red_switch=red))) == {"leaf1/Ethernet1": verdict}


def test_other_platforms_have_none() -> None:
    assert verdicts(acts_on_storms_only, switch(guard(), platform="arista_eos")) == {"leaf1/Ethernet1": "SKIPPED"}


@pytest.mark.parametrize("module", [action, times, right_queues, acts_on_storms_only])
def test_a_watchdog_that_is_off_is_judged_elsewhere(module: object) -> None:
    assert verdicts(module, switch(guard(enabled=False))) == {"leaf1/Ethernet1": "SKIPPED"}  # type: ignore[arg-type]
    found = verdicts(module, switch(guard()), watchdog_required=False)  # type: ignore[arg-type]
    assert found == {"leaf1/Ethernet1": "SKIPPED"}
