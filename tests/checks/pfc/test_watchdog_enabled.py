"""A watchdog guards the lossless queues: told by port, by queue, or not at all."""

import pytest

from fabric_audit.checks.pfc.watchdog_enabled import WHOLE_PORT, check
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Designs
from tests.checks.tables import seen, verdicts


def guard(queue: int, enabled: bool | None) -> PfcWatchdog:
    return PfcWatchdog(port="Ethernet1/1", queue=queue, enabled=enabled)


@pytest.mark.parametrize(
    ("guards", "verdict"),
    [
        ([guard(WHOLE_PORT, True)], "PASS"),
        ([guard(3, True)], "PASS"),
        ([guard(WHOLE_PORT, False)], "FAIL"),
        ([guard(3, False)], "FAIL"),
        ([guard(4, True)], "FAIL"),
        ([guard(WHOLE_PORT, True), guard(3, None)], "PASS"),
        ([guard(WHOLE_PORT, False), guard(3, None)], "FAIL"),
        ([guard(WHOLE_PORT, None), guard(3, True)], "PASS"),
        ([guard(WHOLE_PORT, None), guard(4, True)], "UNKNOWN"),
        ([guard(3, None), guard(4, True)], "UNKNOWN"),
        ([guard(3, None)], "UNKNOWN"),
        ([], "UNKNOWN"),
    ],
)
def test_a_lossless_queue_is_guarded(guards: list[PfcWatchdog], verdict: str) -> None:
    ports = seen(FabricPort, FabricPort(port="Ethernet1/1", side="host"))
    found = check(seen(PfcWatchdog, *guards), ports, Designs(load_policy("roce-lossless").design))
    assert verdicts(found) == {"leaf1/Ethernet1/1": verdict}
