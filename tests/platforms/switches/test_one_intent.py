"""One intent in the words of each operating system gives the same rows, but for what an OS cannot say."""

from dataclasses import replace
from pathlib import Path

import pytest

from fabric_audit.facts import Fact, Kind, columns
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.tables import key_of
from fabric_audit.platforms.registry import switch_platforms
from tests.platforms.switches.told import reading

TEXTS = Path(__file__).parent / "one_intent"
SECTIONS = {
    "arista_eos": ("running-config", "Ethernet1/1"),
    "cisco_nxos": ("running-config", "Ethernet1/1"),
    "dell_os10": ("running-config", "ethernet1/1/1"),
    "dell_sonic": ("running-config", "Eth1/1"),
    "h3c_comware": ("current-configuration", "FourHundredGigE1/0/1"),
    "huawei_vrp": ("current-configuration", "100GE1/0/1"),
    "juniper_junos": ("running-config", "et-0/0/0"),
    "nvidia_cumulus": ("nv-config-show-commands", "swp1"),
    "nvidia_onyx": ("running-config", "Eth1/1"),
    "sonic": ("config-db", "Ethernet0"),
}
LEAST_MTU = 9214
"""Arista's largest MTU; others write the same frame as 9216."""
WHOLE_PORT = -1
OTHERWISE = {
    ("huawei_vrp", "pfc_watchdog", "action"): ("forward", "VRP switches PFC of the queue off, or shuts the port"),
    ("dell_os10", "queue", "ecn_min_bytes"): (153_600, "OS10 writes no unit but KB, read as 1,024 bytes"),
    ("dell_os10", "queue", "ecn_max_bytes"): (1_536_000, "OS10 writes no unit but KB, read as 1,024 bytes"),
}
"""What an OS cannot say as intended, what it says instead, and why."""


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


def differences(platform: str, facts: tuple[Fact, ...], expected: list[Fact]) -> list[str]:
    """Fields that are not as intended and that the platform does not list as things it cannot tell."""
    cannot = set(switch_platforms()[platform].cannot)
    found = {(fact.TABLE, key_of(fact)): fact for fact in facts}
    for fact in facts:
        if isinstance(fact, PfcWatchdog):  # of the queue, or of the whole port
            found.setdefault((fact.TABLE, key_of(replace(fact, queue=WHOLE_PORT))), fact)
    wrong = []
    for fact in expected:
        told = found.get((fact.TABLE, key_of(fact)))
        for column in columns(type(fact)):
            intended, value = getattr(fact, column.name), None if told is None else getattr(told, column.name)
            if intended is None or column.kind is Kind.KEY:
                continue
            intended, _ = OTHERWISE.get((platform, fact.TABLE, column.name), (intended, ""))
            excused = value is None and {fact.TABLE, f"{fact.TABLE}.{column.name}"} & cannot
            if value != intended and not excused:
                wrong.append(f"{fact.TABLE} {key_of(fact)} {column.name}: {value!r}, intended {intended!r}")
    return wrong


@pytest.mark.parametrize("platform", sorted(SECTIONS))
def test_the_same_intent_gives_the_same_rows(platform: str) -> None:
    section, port = SECTIONS[platform]
    answer = reading(f"{platform}:{section}", (TEXTS / f"{platform}.txt").read_text("utf-8"))
    assert answer.state == "parsed", answer.reason
    assert not differences(platform, answer.facts, wanted(port))
    (mtu,) = [fact.mtu_bytes for fact in answer.facts if isinstance(fact, Interface) and fact.port == port]
    assert mtu is not None
    assert mtu >= LEAST_MTU


def test_every_switch_platform_is_compared() -> None:
    assert set(SECTIONS) == set(switch_platforms())
    assert {text.stem for text in TEXTS.iterdir()} == set(SECTIONS)


@pytest.mark.parametrize(("platform", "table", "field"), sorted(OTHERWISE))
def test_what_an_os_says_otherwise_is_nothing_that_it_cannot_say(platform: str, table: str, field: str) -> None:
    assert f"{table}.{field}" not in switch_platforms()[platform].cannot
