"""Switches of a kind share their buffers alike."""

from dataclasses import replace

from fabric_audit.checks.buffers import alike
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import FabricPort, Target
from tests.checks.judging import verdicts
from tests.checks.places import PORT, lossless_group


def switch(alpha: str | None, role: str = "leaf") -> list[Fact]:
    group = replace(lossless_group(), alpha_raw=alpha)
    return [Target(kind="switch", platform="sonic", role=role), FabricPort(port=PORT, side="host"), group]


def test_one_that_drifted() -> None:
    seen = {"leaf1": switch("-1"), "leaf2": switch("-1"), "leaf3": switch("3")}
    assert verdicts(alike, seen) == {"leaf1": "PASS", "leaf2": "PASS", "leaf3": "FAIL"}


def test_another_role_may_have_another_value() -> None:
    seen = {"leaf1": switch("-1"), "leaf2": switch("-1"), "spine1": switch("0", "spine")}
    assert set(verdicts(alike, seen).values()) == {"PASS"}


def test_a_switch_that_does_not_say() -> None:
    assert verdicts(alike, {"leaf1": switch("-1"), "leaf2": switch(None)}) == {"leaf1": "PASS", "leaf2": "UNKNOWN"}
    cannot = {("leaf2", "priority_group"): "it prints none"}
    found = verdicts(alike, {"leaf1": switch("-1"), "leaf2": switch(None)}, cannot=cannot)
    assert found["leaf2"] == "NOT_VERIFIABLE"
