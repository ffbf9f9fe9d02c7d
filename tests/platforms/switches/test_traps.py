"""Traps of switch outputs: what looks like one thing and is another.

Beside those of one platform's own tests: hexadecimal bitmaps (NX-OS), binary code points (Junos), references of every
database version and counters of one user (SONiC), binary kilobytes (Cumulus), an empty list that is on (Comware).
"""

import pytest

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcCounter, PfcPort, PfcWatchdog
from fabric_audit.facts.profiles import EcnProfile
from fabric_audit.facts.qos import Queue
from tests.platforms.switches.told import told


def test_sonic_leaves_a_port_without_pfc_out_and_nothing_is_said_of_it() -> None:
    text = """
Interface    Lossless priorities
-----------  ---------------------
Ethernet0    3,4
Ethernet16   3
"""
    ports = {row.port: row.admin_priorities for row in told("sonic:show-pfc-priority", text, PfcPort)}
    assert ports == {"Ethernet0": "34", "Ethernet16": "3"}


def test_sonic_config_db_says_what_the_omission_means() -> None:
    text = """{"PORT": {"Ethernet0": {"admin_status": "up"}, "Ethernet8": {}},
 "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}}
"""
    ports = {row.port: (row.mode, row.admin_priorities) for row in told("sonic:config-db", text, PfcPort)}
    assert ports == {"Ethernet0": ("on", "3"), "Ethernet8": ("off", "")}


@pytest.mark.parametrize("spelling", ["enable on", "state enabled", "state enable"])
def test_cumulus_says_in_three_ways_that_roce_is_on(spelling: str) -> None:
    text = f"nv set interface swp1 type swp\nnv set qos roce {spelling}\nnv set qos roce mode lossless\n"
    (row,) = told("nvidia_cumulus:nv-config-show-commands", text, PfcPort)
    assert (row.mode, row.admin_priorities) == ("on", "3")


@pytest.mark.parametrize("spelling", ["enable off", "state disabled", "state disable"])
def test_cumulus_says_in_three_ways_that_it_is_off(spelling: str) -> None:
    text = f"nv set interface swp1 type swp\nnv set qos roce {spelling}\n"
    (row,) = told("nvidia_cumulus:nv-config-show-commands", text, PfcPort)
    assert row.mode == "off"


def test_onyx_is_enabled_as_a_whole_while_every_port_is_off() -> None:
    text = """PFC: enabled
Priority Enabled List: 3
Priority Disabled List: 0 1 2 4 5 6 7
-------------------------------------------------
Interface        PFC admin        PFC oper
-------------------------------------------------
Eth1/1           Auto             Disabled
Eth1/2           Auto             Disabled
"""
    rows = told("nvidia_onyx:show-dcb-priority-flow-control", text, PfcPort)
    assert [(row.port, row.oper_priorities) for row in rows] == [("Eth1/1", ""), ("Eth1/2", "")]


def test_eos_stops_pfc_on_every_port_whatever_the_ports_say() -> None:
    text = """priority-flow-control all off
interface Ethernet1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
"""
    (row,) = told("arista_eos:running-config", text, PfcPort)
    assert row.mode == "off"


def test_vrp_takes_two_lines_for_a_row() -> None:
    text = """-----------------------------------------------------------------------------------------
Interface         Queue         Received(Frames)        ReceivedRate(pps)     DeadlockNum
                             Transmitted(Frames)     TransmittedRate(pps)     RecoveryNum
-----------------------------------------------------------------------------------------
100GE1/0/1             3                     120                        0               2
                                            4471                       12               1
                       4                       5                        0               0
                                               6                        0               0
-----------------------------------------------------------------------------------------
"""
    rows = told("huawei_vrp:display-dcb-pfc", text, PfcCounter)
    assert [(row.port, row.priority, row.rx_frames, row.tx_frames) for row in rows] == [
        ("100GE1/0/1", 3, 120, 4471),
        ("100GE1/0/1", 4, 5, 6),
    ]
    (guard, _) = told("huawei_vrp:display-dcb-pfc", text, PfcWatchdog)
    assert (guard.storms_detected, guard.storms_restored) == (2, 1)


def test_klish_writes_wred_in_kbytes() -> None:
    text = """---------------------------------------------------
Policy                 : ROCE
---------------------------------------------------
ecn                    : ecn_green
green-min-threshold    : 150         KBytes
green-max-threshold    : 1500        KBytes
green-drop-probability : 5
"""
    (row,) = told("dell_sonic:show-qos-wred-policy", text, EcnProfile)
    assert (row.ecn_min_bytes, row.ecn_max_bytes) == (150_000, 1_500_000)


def test_xoff_is_an_amount_on_sonic_and_a_level_on_os10() -> None:
    sonic = """{"PORT": {"Ethernet0": {"admin_status": "up"}},
 "BUFFER_PG": {"Ethernet0|3": {"profile": "p"}},
 "BUFFER_PROFILE": {"p": {"size": "18796", "xon": "18796", "xoff": "340200", "dynamic_th": "0"}}}
"""
    (group,) = told("sonic:config-db", sonic, PriorityGroup)
    assert (group.xoff_bytes, group.pause_at_bytes) == (340_200, None)
    os10 = """class-map type network-qos ROCE
 match qos-group 3
!
policy-map type network-qos pfc
 !
 class ROCE
  pause buffer-size 45 pause-threshold 30 resume-threshold 20
  pfc-cos 3
!
interface ethernet1/1/1
 priority-flow-control mode on
 service-policy input type network-qos pfc
!
"""
    groups = {row.pg: row for row in told("dell_os10:running-config", os10, PriorityGroup)}
    assert (groups[3].xoff_bytes, groups[3].pause_at_bytes) == (None, 30 * 1024)


@pytest.mark.parametrize(("ecn", "marks", "drops"), [("ecn_all", True, False), ("ecn_none", False, True)])
def test_a_wred_profile_of_sonic_without_ecn_drops(ecn: str, marks: bool, drops: bool) -> None:
    text = f"""{{"PORT": {{"Ethernet0": {{"admin_status": "up"}}}},
 "QUEUE": {{"Ethernet0|3": {{"wred_profile": "W"}}}},
 "WRED_PROFILE": {{"W": {{"ecn": "{ecn}", "wred_green_enable": "true",
  "green_min_threshold": "150000", "green_max_threshold": "1500000", "green_drop_probability": "5"}}}}}}
"""
    queues = {row.queue: row for row in told("sonic:config-db", text, Queue)}
    assert (queues[3].ecn, queues[3].wred_drops) == (marks, drops)
