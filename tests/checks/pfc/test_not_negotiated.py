"""PFC is forced, or at least answered."""

from typing import Any

import pytest

from fabric_audit.checks.pfc import not_negotiated
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.pfc import PfcPort
from tests.checks.judging import verdicts


def of(**told: Any) -> dict[str, list[FabricPort | PfcPort]]:
    return {"leaf1": [FabricPort(port="Ethernet1", side="host"), PfcPort(port="Ethernet1", **told)]}


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({"mode": "on"}, "PASS"),
        ({"mode": "off"}, "PASS"),
        ({"mode": "auto", "peer_priorities": "3"}, "FAIL"),
        ({"mode": "auto", "peer_priorities": ""}, "FAIL"),
        ({}, "UNKNOWN"),
    ],
)
def test_pfc_is_forced_where_the_policy_says_so(told: dict[str, str], verdict: str) -> None:
    assert verdicts(not_negotiated, of(**told)) == {"leaf1/Ethernet1": verdict}


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({"mode": "auto", "peer_priorities": "3"}, "PASS"),
        ({"mode": "auto", "peer_priorities": ""}, "FAIL"),
        ({"mode": "auto", "oper_priorities": ""}, "FAIL"),
        ({"mode": "auto", "oper_priorities": "3"}, "PASS"),
    ],
)
def test_dcbx_is_answered_where_the_policy_leaves_the_choice(told: dict[str, str], verdict: str) -> None:
    assert verdicts(not_negotiated, of(**told), pfc_mode="any") == {"leaf1/Ethernet1": verdict}


def test_without_pfc_nothing_is_asked() -> None:
    assert verdicts(not_negotiated, of(mode="auto"), pfc_required=False) == {"leaf1/Ethernet1": "SKIPPED"}
