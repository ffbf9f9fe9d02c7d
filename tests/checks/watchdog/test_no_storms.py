"""Watchdogs that fired: counted, or listed for the first time."""

import pytest

from fabric_audit.checks.watchdog import no_storms
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.facts.tables import Stamped
from fabric_audit.findings import CoverageRow
from tests.checks.judging import verdicts
from tests.checks.readings import at, still

PORT = still("leaf1", FabricPort(port="p1", side="host"))
AGAIN = (CoverageRow(target="leaf1", phase="final", section="x", tables=("pfc_watchdog",), state="parsed"),)


def storms(before: int | None, after: int | None) -> list[Stamped]:
    found = [] if before is None else still("leaf1", PfcWatchdog(port="p1", queue=3, storms_detected=before))
    if after is not None:
        found += at("final", "leaf1", PfcWatchdog(port="p1", queue=3, storms_detected=after), seconds=10)
    return found


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [(0, 0, "PASS"), (4, 4, "PASS"), (4, 5, "FAIL"), (None, None, "PASS"), (None, 1, "FAIL"), (None, 0, "PASS")],
)
def test_a_watchdog_that_fires(before: int | None, after: int | None, verdict: str) -> None:
    assert verdicts(no_storms, [*PORT, *storms(before, after)], coverage=AGAIN) == {"leaf1/p1": verdict}


def test_read_once() -> None:
    assert verdicts(no_storms, [*PORT, *storms(4, None)]) == {"leaf1/p1": "SKIPPED"}


def test_a_platform_without_such_a_command() -> None:
    cannot = {("leaf1", "pfc_watchdog.storms_detected"): "no show command"}
    assert verdicts(no_storms, PORT, coverage=AGAIN, cannot=cannot) == {"leaf1/p1": "NOT_VERIFIABLE"}
