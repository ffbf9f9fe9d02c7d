"""The traps of EOS, each by itself."""

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, DscpRewrite, Queue
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.platforms.switches.arista_eos.names import aliases, canonical, expanded, kind
from tests.platforms.switches.told import reading, told

CONFIG = "arista_eos:running-config"
PORT = "interface Ethernet1\n   no switchport\n"


@pytest.mark.parametrize(
    "line", ["no priority-flow-control priority 3 no-drop", "priority-flow-control priority 3 drop"]
)
def test_a_priority_taken_back_is_lossy(line: str) -> None:
    text = PORT + "   priority-flow-control on\n   priority-flow-control priority 4 no-drop\n"
    (row,) = told(CONFIG, text + f"   priority-flow-control priority 3 no-drop\n   {line}\n", PfcPort)
    assert (row.mode, row.admin_priorities) == ("on", "4")


def test_all_off_stops_pfc_of_a_port_that_has_it() -> None:
    port = PORT + "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    (on,) = told(CONFIG, port, PfcPort)
    (off,) = told(CONFIG, port + "!\npriority-flow-control all off\n", PfcPort)
    assert (on.mode, on.admin_priorities) == ("on", "3")
    assert (off.mode, off.admin_priorities, off.line) == ("off", "", 6)


def test_a_port_that_says_nothing_of_pfc_is_a_row() -> None:
    (row,) = told(CONFIG, PORT, PfcPort)
    assert (row.mode, row.admin_priorities) == ("off", "")
    assert "pfc_port.mode" in switch_platforms()["arista_eos"].absent_means


def test_a_line_of_the_port_overrides_its_profile() -> None:
    text = (
        "qos profile P\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
        "interface Ethernet1\n   service-profile P\n!\n"
        "interface Ethernet2\n   service-profile P\n   no priority-flow-control\n!\n"
        "interface Ethernet3\n   service-profile P\n   priority-flow-control priority 3 drop\n!\n"
    )
    rows = told(CONFIG, text, PfcPort)
    assert [(row.mode, row.admin_priorities) for row in rows] == [("on", "3"), ("off", ""), ("on", "")]


def test_a_member_follows_its_port_channel() -> None:
    text = (
        "qos profile P\n   qos trust dscp\n   priority-flow-control on\n!\n"
        "interface Port-Channel7\n   service-profile P\n!\ninterface Ethernet1\n   channel-group 7 mode active\n!\n"
    )
    (row,) = told(CONFIG, text, PfcPort)
    assert row.mode == "on"


@pytest.mark.parametrize(
    ("lines", "enabled"),
    [
        ("", False),
        ("priority-flow-control pause watchdog default timeout 0.0\n", False),
        ("priority-flow-control pause watchdog default timeout 0.2\n", True),
    ],
)
def test_a_watchdog_without_timeout_is_off(lines: str, enabled: bool) -> None:
    (row,) = told(CONFIG, PORT + "   priority-flow-control on\n!\n" + lines, PfcWatchdog)
    assert (row.enabled, row.action) == (enabled, "errdisable")


def test_the_flag_of_the_watchdog_means_nothing_while_its_timeout_is_0() -> None:
    text = (
        "The PFC watchdog timeout is {} second(s)\n\n"
        "Port       Status  Priorities  Action      Timeout  Recovery        Polling         Note\n"
        "Et1        E A W   3           -           -        - / -           - / -\n"
    )
    (off,) = told("arista_eos:show-priority-flow-control", text.format("0.0"), PfcWatchdog)
    (on,) = told("arista_eos:show-priority-flow-control", text.format("0.2"), PfcWatchdog)
    assert (off.enabled, on.enabled, on.detect_ms) == (False, True, 200)


def test_global_pfc_says_nothing_of_a_port() -> None:
    text = "Global PFC : Enabled\n\nPort       Status  Priorities  Note\nEt1        D - -               -\n"
    (row,) = told("arista_eos:show-priority-flow-control", text, PfcPort)
    assert (row.mode, row.oper_priorities) == ("off", "")


def test_a_rewrite_is_no_classification() -> None:
    text = "qos rewrite dscp\nqos map traffic-class 5 to dscp 26\n" + PORT
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, text, DscpMap)}
    (rewrite,) = told(CONFIG, text, DscpRewrite)
    assert landed[26] == 3
    assert (rewrite.traffic_class, rewrite.dscp) == (5, 26)


def test_default_trust_depends_on_routing() -> None:
    text = "interface Ethernet1\n   switchport\n!\ninterface Ethernet2\n   no switchport\n!\n"
    assert [row.trust_mode for row in told(CONFIG, text, Interface)] == ["pcp", "dscp"]


def test_segments_have_no_bytes() -> None:
    lines = "   tx-queue 3\n      random-detect ecn minimum-threshold 9 segments maximum-threshold 99 segments\n"
    (row,) = [row for row in told(CONFIG, PORT + lines, Queue) if row.queue == 3]
    assert (row.ecn, row.ecn_min_bytes, row.ecn_raw) == (True, None, "9 segments to 99 segments")


def test_random_detection_without_ecn_drops() -> None:
    lines = "   tx-queue 3\n      random-detect drop minimum-threshold 1 kbytes maximum-threshold 10 kbytes\n"
    (row,) = [row for row in told(CONFIG, PORT + lines, Queue) if row.queue == 3]
    assert (row.ecn, row.wred_drops) == (False, True)


def test_a_line_that_is_not_understood_leaves_nothing_to_its_default() -> None:
    (row,) = told(
        CONFIG, PORT + "   priority-flow-control on\n   priority-flow-control prioriti 3\n", PfcPort, "partial"
    )
    assert (row.mode, row.admin_priorities) == (None, None)


def test_a_counter_that_is_off_is_no_zero() -> None:
    text = '{"intfQueueCounters": {"Ethernet1": {"queueCounters": {"3": "-"}}}}\n'
    section = "arista_eos:show-qos-interfaces-ecn-counters-queue-json"
    assert [row.ecn_marked_packets for row in told(section, text, QueueCounter)] == [None]
    assert [(m.table, m.field) for m in reading(section, text).missing] == [("queue_counter", "ecn_marked_packets")]


@pytest.mark.parametrize(
    ("short", "full", "sort"),
    [
        ("Et1/1", "Ethernet1/1", "physical"),
        ("eth 14/1", "Ethernet14/1", "physical"),
        ("Po10", "Port-Channel10", "bond"),
        ("Ma1", "Management1", "management"),
        ("Ethernet1/1.100", "Ethernet1/1.100", "vlan"),
        ("swp1", "swp1", None),
    ],
)
def test_port_names(short: str, full: str, sort: str | None) -> None:
    assert (canonical(short), kind(full)) == (full, sort)


def test_ranges() -> None:
    assert expanded("Ethernet1/1-3/1,7/1", 1) == ("Ethernet1/1", "Ethernet2/1", "Ethernet3/1", "Ethernet7/1")
    assert expanded("Et5-6", 1) == ("Ethernet5", "Ethernet6")
    with pytest.raises(ParseError):
        expanded("Ethernet1/1-3/4", 1)


def test_a_neighbour_may_know_a_port_by_its_short_name() -> None:
    assert aliases("Ethernet1/1") == ("Et1/1",)


@pytest.mark.parametrize(
    "words",
    [
        "% Invalid input (at token 1: 'priority')",
        "% Ambiguous command (at token 0: 's')",
        "% Unavailable command (not supported on this hardware platform)",
        "% LLDP is not enabled",
        "% Authorization denied for command 'show running-config'",
    ],
)
def test_a_refusal_is_not_supported(words: str) -> None:
    answer = reading("arista_eos:show-version-json", f"{words}\n")
    assert (answer.state, answer.reason) == ("not_supported", words)


def test_a_range_may_have_blanks_about_its_dash() -> None:
    rows = told("arista_eos:running-config", "interface Ethernet4 - 6\n   mtu 9214\n", Interface)
    assert [(row.port, row.mtu_bytes) for row in rows] == [(f"Ethernet{n}", 9214) for n in (4, 5, 6)]
