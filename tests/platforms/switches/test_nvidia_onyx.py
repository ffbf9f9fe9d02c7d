"""The traps of Onyx, each by itself."""

import json
import re

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import EcnProfile, PfcProfile
from fabric_audit.facts.qos import DscpMap, Queue, TrafficClassMap
from fabric_audit.platforms.switches.nvidia_onyx import PLATFORM
from fabric_audit.platforms.switches.nvidia_onyx.names import aliases, canonical, expanded, kind
from tests.platforms.switches.told import reading, told

CONFIG = "nvidia_onyx:running-config"
PFC = "nvidia_onyx:show-dcb-priority-flow-control-json"
GLOBAL = "dcb priority-flow-control enable force\ndcb priority-flow-control priority 3 enable\n"


def answer(admin: str, oper: str, **common: str) -> str:
    row = {"Eth1/1": [{"PFC admin": admin, "PFC oper": oper}]}
    return json.dumps([common, row] if common else row) + "\n"


def test_enabled_globally_and_disabled_on_every_port_stops_nothing() -> None:
    text = answer("Auto", "Disabled", **{"PFC": "enabled", "Priority Enabled List": "3 4"})
    (row,) = told(PFC, text, PfcPort)
    assert (row.mode, row.admin_priorities, row.oper_priorities) == ("auto", "34", "")


def test_ports_alone_do_not_tell_the_priorities() -> None:
    (row,) = told(PFC, answer("on", "Enabled"), PfcPort)
    assert (row.mode, row.admin_priorities, row.oper_priorities) == ("on", None, None)


@pytest.mark.parametrize("wrap", [lambda row: row, lambda row: [{"x": "y"}, row], lambda row: {"Table 2": row}])
def test_the_table_is_found_wherever_it_stands(wrap: object) -> None:
    row = {"Eth1/1": [{"PFC admin": "on", "PFC oper": "Enabled"}]}
    text = json.dumps(wrap(row)) + "\n"  # type: ignore[operator]  # one of the three functions above
    assert [row.port for row in told(PFC, text, PfcPort)] == ["Eth1/1"]


@pytest.mark.parametrize(
    ("lines", "mode", "priorities"),
    [
        (GLOBAL + "interface ethernet 1/1 dcb priority-flow-control mode on force\n", "on", "3"),
        (GLOBAL + "interface ethernet 1/1 dcb priority-flow-control mode auto force\n", "auto", "3"),
        (GLOBAL + "interface ethernet 1/1 mtu 9216\n", "off", ""),
        ("interface ethernet 1/1 dcb priority-flow-control mode on\n", "off", ""),
        ("roce\ninterface ethernet 1/1 mtu 9216\n", "on", "3"),
        ("roce lossy\ninterface ethernet 1/1 mtu 9216\n", "off", ""),
        ("roce\nno roce\ninterface ethernet 1/1 mtu 9216\n", "off", ""),
    ],
)
def test_pfc_needs_the_switch_the_priority_and_the_port(lines: str, mode: str, priorities: str) -> None:
    (row,) = told(CONFIG, lines, PfcPort)
    assert (row.mode, row.admin_priorities) == (mode, priorities)


def test_kilobytes_are_told_without_their_unit() -> None:
    text = (
        "RoCE mode : lossless\nPort congestion-control:\nMode: ecn, absolute\nMin : 150\nMax : 1500\n"
        "RoCE used TCs:\n3 3 RoCE WRR 50%\n"
    )
    (row,) = told("nvidia_onyx:show-roce", text, EcnProfile)
    assert (row.ecn_min_bytes, row.ecn_max_bytes) == (150_000, 1_500_000)


def test_semi_lossless_obeys_pause_and_sends_none() -> None:
    text = "RoCE mode : semi-lossless\nPFC : enabled\nswitch-priority 3: enabled\nRoCE used TCs:\n"
    acts = {row.direction for row in told("nvidia_onyx:show-roce", text, PfcProfile) if row.pfc}
    assert acts == {"output"}


def test_absolute_thresholds_are_bytes_and_relative_ones_percent() -> None:
    line = "interface ethernet 1/1 traffic-class {} congestion-control ecn minimum-{} {} maximum-{} {}\n"
    text = line.format(3, "absolute", 150, "absolute", 1500) + line.format(4, "relative", 20, "relative", 80)
    rows = {row.queue: row for row in told(CONFIG, "hostname x\n" + text, Queue)}
    assert (rows[3].ecn_min_bytes, rows[3].ecn_max_bytes, rows[3].ecn_min_pct) == (150_000, 1_500_000, None)
    assert (rows[4].ecn_min_bytes, rows[4].ecn_min_pct, rows[4].ecn_max_pct) == (None, 20.0, 80.0)
    assert rows[0].ecn is False


def test_a_class_may_hold_two_priorities() -> None:
    text = "hostname x\ninterface ethernet 1/1 traffic-class 3 bind switch-priority 3 4\n"
    queue = {row.traffic_class: row.queue for row in told(CONFIG, text, TrafficClassMap)}
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, text, DscpMap)}
    assert (queue[3], queue[4], queue[5], landed[26]) == (3, 3, 5, 3)


def test_a_line_in_an_unknown_form_leaves_what_it_decides_unknown() -> None:
    text = f"{GLOBAL}interface ethernet 1/1 dcb priority-flow-control mode sometimes\n"
    (row,) = told(CONFIG, text, PfcPort, state="partial")
    assert (row.mode, row.admin_priorities) == (None, None)


def test_without_a_line_trust_is_that_of_layer_2() -> None:
    (row,) = told(CONFIG, "interface ethernet 1/1 mtu 9216\n", Interface)
    assert (row.trust_mode, row.mtu_bytes, row.link_pause_rx) == ("pcp", 9216, False)


def test_port_names() -> None:
    assert [canonical(name) for name in ("ethernet 1/1", "Eth1/1/2", "port-channel 5", "Mpo7", "vlan 10", "x")] == [
        "Eth1/1",
        "Eth1/1/2",
        "Po5",
        "Mpo7",
        "Vlan 10",
        "x",
    ]
    assert expanded("ethernet", "1/1-1/3,1/7", 1) == ("Eth1/1", "Eth1/2", "Eth1/3", "Eth1/7")
    assert aliases("Eth1/1") == ("ethernet 1/1", "Ethernet1/1")
    assert (kind("Eth1/1/2"), kind("Mpo7"), kind("Vlan 10"), kind("swp1")) == ("physical", "bond", "vlan", None)
    with pytest.raises(ParseError):
        expanded("ethernet", "1/1-2/4", 1)


@pytest.mark.parametrize(
    "words", ['% Unrecognized command "roce".', "% Insufficient rights for this command", "% Invalid interface"]
)
def test_a_refusal_is_not_supported(words: str) -> None:
    told_of = reading("nvidia_onyx:show-roce", f"{words}\n")
    assert (told_of.state, told_of.reason) == ("not_supported", words)


def test_secrets_are_named() -> None:
    text = (
        "   username admin password 7 one\n   snmp-server community two ro\n"
        "   snmp-server user u v3 encrypted auth sha threethree\n   tacacs-server host 192.0.2.9 key four\n"
        "   radius-server key five\n"
    )
    found = {match[1] for pattern in PLATFORM.secrets for match in re.finditer(pattern, text, re.MULTILINE)}
    assert {"one", "two", "threethree", "four", "five"} <= found


def test_a_member_follows_its_port_channel() -> None:
    text = (
        "   interface ethernet 1/1 channel-group 100 mode active\n"
        "   interface ethernet 1/2 mlag-channel-group 7 mode active\n"
        "   dcb priority-flow-control enable force\n   dcb priority-flow-control priority 3 enable\n"
        "   interface port-channel 100 dcb priority-flow-control mode on force\n"
        "   interface port-channel 100 description uplinks\n"
        "   interface mlag-port-channel 7 qos trust L3\n"
    )
    modes = {row.port: row.mode for row in told("nvidia_onyx:running-config", text, PfcPort)}
    assert modes == {"Eth1/1": "on", "Eth1/2": "off"}
    rows = {row.port: row for row in told("nvidia_onyx:running-config", text, Interface)}
    assert (rows["Eth1/1"].trust_mode, rows["Eth1/2"].trust_mode) == ("pcp", "dscp")
    assert rows["Eth1/1"].description is None
