"""One intent in the words of each operating system gives the same rows, but for what an OS cannot say."""

from pathlib import Path

import pytest

from fabric_audit.facts import Fact, columns
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.tables import key_of
from fabric_audit.platforms.registry import switch_platforms
from tests.platforms.switches.told import reading

TEXTS = Path(__file__).parent / "one_intent"
PORTS = {"arista_eos": "Ethernet1/1", "cisco_nxos": "Ethernet1/1", "juniper_junos": "et-0/0/0"}
LEAST_MTU = 9214
"""Arista's largest MTU; others write the same frame as 9216."""


def wanted(port: str) -> list[Fact]:
    """Priority 3 is lossless and holds DSCP 26, CNPs (48) are strict in 6, ECN 150 kB to 1.5 MB, watchdog, jumbo."""
    return [
        Interface(port=port, admin_up=True, trust_mode="dscp", description="gpu1 eth1", kind="physical"),
        PfcPort(port=port, mode="on", admin_priorities="3"),
        PfcPriorityMap(port=port, priority=3, queue=3),
        PfcWatchdog(port=port, queue=-1, enabled=True, action="drop", detect_ms=200, restore_ms=200),
        DscpMap(port=port, dscp=26, traffic_class=3),
        DscpMap(port=port, dscp=48, traffic_class=6),
        TrafficClassMap(port=port, traffic_class=3, queue=3),
        TrafficClassMap(port=port, traffic_class=6, queue=6),
        Queue(
            port=port,
            queue=3,
            lossless=True,
            scheduler="dwrr",
            weight_pct=50.0,
            ecn=True,
            ecn_min_bytes=150_000,
            ecn_max_bytes=1_500_000,
            ecn_mark_pct=100.0,
        ),
        Queue(port=port, queue=6, scheduler="strict", ecn=False),
    ]


def differences(facts: tuple[Fact, ...], expected: list[Fact], cannot: set[str]) -> list[str]:
    """Fields that are not as intended and that the platform does not list as things it cannot tell."""
    found = {(fact.TABLE, key_of(fact)): fact for fact in facts}
    wrong = []
    for fact in expected:
        told = found.get((fact.TABLE, key_of(fact)))
        for name in (one.name for one in columns(type(fact)) if getattr(fact, one.name) is not None):
            value = None if told is None else getattr(told, name)
            excused = value is None and {fact.TABLE, f"{fact.TABLE}.{name}"} & cannot
            if value != getattr(fact, name) and not excused:
                wrong.append(f"{fact.TABLE} {key_of(fact)} {name}: {value!r}, intended {getattr(fact, name)!r}")
    return wrong


@pytest.mark.parametrize("platform", sorted(PORTS))
def test_the_same_intent_gives_the_same_rows(platform: str) -> None:
    answer = reading(f"{platform}:running-config", (TEXTS / f"{platform}.txt").read_text("utf-8"))
    assert answer.state == "parsed", answer.reason
    cannot = set(switch_platforms()[platform].cannot)
    assert not differences(answer.facts, wanted(PORTS[platform]), cannot)
    (mtu,) = [fact.mtu_bytes for fact in answer.facts if isinstance(fact, Interface) and fact.port == PORTS[platform]]
    assert mtu is not None
    assert mtu >= LEAST_MTU


@pytest.mark.parametrize("platform", sorted(PORTS))
def test_each_platform_of_a_text_is_compared(platform: str) -> None:
    assert (TEXTS / f"{platform}.txt").is_file()
    assert {text.stem for text in TEXTS.iterdir()} == set(PORTS)
