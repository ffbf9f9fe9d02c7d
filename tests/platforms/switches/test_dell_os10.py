"""The traps of OS10, each by itself."""

import re

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface, LldpPort, Neighbor, Transceiver
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import DscpMap, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag
from fabric_audit.platforms.switches.dell_os10 import PLATFORM
from fabric_audit.platforms.switches.dell_os10.names import aliases, canonical, expanded, kind
from tests.platforms.switches.told import reading, told

CONFIG = "dell_os10:running-config"
CLASSES = (
    "class-map type network-qos Storage\n match qos-group 3\n!\nclass-map type queuing Q3\n match queue 3\n!\n"
    "class-map type queuing Q7\n match queue 7\n!\n"
)
PFC = "policy-map type network-qos pfc\n !\n class Storage\n  pause\n  pfc-cos 3\n!\n"
ON = ("priority-flow-control mode on", "service-policy input type network-qos pfc")


def configuration(*lines: str, top: str = "", port: str = "ethernet1/1/1") -> str:
    below = "".join(f" {line}\n" for line in lines)
    return f"!\nhostname leaf07\n!\n{CLASSES}{top}interface {port}\n{below}!\n"


@pytest.mark.parametrize(
    ("top", "lines", "mode", "priorities"),
    [
        (PFC, (), "off", ""),
        (PFC, ("service-policy input type network-qos pfc",), "off", ""),
        (PFC, ("priority-flow-control mode on",), "on", ""),
        (PFC, ON, "on", "3"),
        (PFC.replace("  pfc-cos 3\n", ""), ON, "on", ""),
        (PFC.replace("  pause\n", ""), ON, "on", ""),
        (PFC.replace("pfc-cos 3", "pfc-cos 3-4,6"), ON, "on", "346"),
        ("", ON, "on", None),
        (f"{PFC}system qos\n service-policy input type network-qos pfc\n!\n", ON[:1], "on", "3"),
        (PFC, (*ON, "no priority-flow-control mode"), "off", ""),
    ],
)
def test_pfc_needs_the_port_and_a_policy_that_pauses_a_priority(
    top: str, lines: tuple[str, ...], mode: str, priorities: str | None
) -> None:
    (row,) = told(CONFIG, configuration(*lines, top=top), PfcPort)
    assert (row.mode, row.admin_priorities) == (mode, priorities)


def test_a_pause_threshold_is_the_fill_at_which_pause_is_sent() -> None:
    top = PFC.replace("pause\n", "pause buffer-size 45 pause-threshold 30 resume-threshold 20\n")
    row = next(row for row in told(CONFIG, configuration(*ON, top=top), PriorityGroup) if row.pg == 3)
    assert (row.size_bytes, row.pause_at_bytes, row.xon_bytes, row.xoff_bytes) == (46080, 30720, 20480, None)
    assert row.lossless is True


def test_nothing_is_trusted_unless_a_map_is_bound() -> None:
    (row,) = told(CONFIG, configuration(), Interface)
    assert (row.trust_mode, row.mtu_bytes, row.link_pause_rx) == ("none", 1532, False)
    assert {row.traffic_class for row in told(CONFIG, configuration(), DscpMap)} == {0}


def test_a_map_leaves_what_it_does_not_list_in_group_0() -> None:
    top = "trust dscp-map roce\n qos-group 3 dscp 24-31\n!\nsystem qos\n trust-map dscp roce\n!\n"
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, configuration(top=top), DscpMap)}
    assert (landed[26], landed[48]) == (3, 0)
    assert not [fact for fact in reading(CONFIG, configuration(top=top)).facts if isinstance(fact, PcpMap)]
    (row,) = told(CONFIG, configuration(top=top), Interface)
    assert row.trust_mode == "dscp"


def test_the_default_map_is_known_for_dscp_alone() -> None:
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, configuration("trust-map dscp default"), DscpMap)}
    assert (landed[0], landed[26], landed[63]) == (0, 3, 7)
    assert {row.traffic_class for row in told(CONFIG, configuration("trust-map dot1p default"), PcpMap)} == {None}


def test_a_group_that_the_map_of_queues_does_not_list_is_not_told() -> None:
    top = "qos-map traffic-class lanes\n queue 4 qos-group 3 type ucast\n queue 0 qos-group 3 type mcast\n!\n" + PFC
    text = configuration(*ON, "qos-map traffic-class lanes", top=top)
    queue = {row.traffic_class: row.queue for row in told(CONFIG, text, TrafficClassMap)}
    assert (queue[3], queue[0]) == (4, None)
    (stopped,) = told(CONFIG, text, PfcPriorityMap)
    assert (stopped.priority, stopped.queue) == (3, 4)
    assert [row.queue for row in told(CONFIG, text, Queue) if row.lossless] == [4]


WRED = "wred ecn\n random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 100\n"
ETS = "policy-map type queuing ets\n class Q3\n  bandwidth percent 50\n  random-detect ecn\n class Q7\n  priority\n!\n"


def test_marking_needs_the_profile_to_say_so() -> None:
    lines = ("service-policy output type queuing ets",)
    text = configuration(*lines, top=f"{WRED} random-detect ecn\n!\n{ETS}")
    rows = {row.queue: row for row in told(CONFIG, text, Queue)}
    assert (rows[3].ecn, rows[3].ecn_min_bytes, rows[3].ecn_max_bytes) == (True, 153_600, 1_536_000)
    assert (rows[3].scheduler, rows[3].weight_pct, rows[7].scheduler) == ("dwrr", 50.0, "strict")
    assert (rows[0].ecn, rows[0].scheduler) == (False, None)
    rows = {row.queue: row for row in told(CONFIG, configuration(*lines, top=f"{WRED}!\n{ETS}"), Queue)}
    assert (rows[3].ecn, rows[3].wred_drops, rows[3].ecn_min_bytes) == (False, True, None)


def test_what_is_bound_and_missing_is_named() -> None:
    lines = (*ON, "service-policy output type queuing gone", "qos-map traffic-class gone", "trust-map dscp gone")
    broken = {row.target for row in told(CONFIG, configuration(*lines), BrokenReference)}
    assert broken == {
        "policy-map type network-qos pfc",
        "policy-map type queuing gone",
        "qos-map traffic-class gone",
        "trust dscp-map gone",
    }
    (row,) = told(CONFIG, configuration("service-policy output type queuing ets", top=ETS), BrokenReference)
    assert (row.owner, row.target) == ("ethernet1/1/1|3", "wred ecn")


def test_an_older_configuration_is_refused_by_name() -> None:
    text = "dcb enable\ndcb-map smb\n priority group 0 bandwidth 90 pfc on\n priority-pgid 1 1 1 0 1 1 1 1\n"
    told_of = reading(CONFIG, text)
    assert told_of.state == "parse_error"
    assert "FTOS 9" in told_of.reason


def test_free_text_is_no_configuration() -> None:
    text = configuration(top="banner motd #\ninterface ethernet1/1/7\n mtu 64\n#\n")
    assert [row.port for row in told(CONFIG, text, Interface)] == ["ethernet1/1/1"]


def test_a_range_is_written_out_and_a_breakout_is_no_interface() -> None:
    text = configuration(
        "mtu 9216", port="range ethernet1/1/1:1-1/1/1:2,1/1/9", top="interface breakout 1/1/1 map 25g-4x\n!\n"
    )
    assert [row.port for row in told(CONFIG, text, Interface)] == [
        "ethernet1/1/1:1",
        "ethernet1/1/1:2",
        "ethernet1/1/9",
    ]


@pytest.mark.parametrize(("mode", "protocol"), [("active", "lacp"), ("on", "static")])
def test_the_members_tell_how_a_bundle_is_made(mode: str, protocol: str) -> None:
    top = "interface port-channel10\n vlt-port-channel 10\n!\n"
    (row,) = told(CONFIG, configuration(f"channel-group 10 mode {mode}", top=top), Lag)
    assert (row.protocol, row.peer) == (protocol, "vlt-port-channel 10")
    (row,) = told(CONFIG, configuration(top=top), Lag)
    assert row.protocol is None


def test_lldp_is_on_unless_a_line_says_no_and_dcbx_off_unless_one_says_yes() -> None:
    (row,) = told(CONFIG, configuration(), LldpPort)
    assert (row.transmit, row.receive, row.dcbx) == (True, True, False)
    (row,) = told(CONFIG, configuration("no lldp receive", top="dcbx enable\n!\n"), LldpPort)
    assert (row.transmit, row.receive, row.dcbx) == (True, False, True)
    (row,) = told(CONFIG, configuration(top="no lldp enable\n!\ndcbx enable\n!\n"), LldpPort)
    assert (row.transmit, row.dcbx) == (False, False)


@pytest.mark.parametrize(
    ("line", "table", "field"),
    [
        ("priority-flow-control sometimes", PfcPort, "mode"),
        ("trust-map nothing", Interface, "trust_mode"),
        ("service-policy output queuing ets", Queue, "ecn"),
        ("qos-map lanes", TrafficClassMap, "queue"),
    ],
)
def test_a_line_in_an_unknown_form_leaves_what_it_decides_unknown(line: str, table: type[Fact], field: str) -> None:
    rows: list[Fact] = told(CONFIG, configuration(line), table, state="partial")
    assert {getattr(row, field) for row in rows} == {None}


@pytest.mark.parametrize(
    ("top", "lines", "table", "field"),
    [
        (PFC.replace("  pause\n", "  pause perhaps\n"), ON, PfcPort, "admin_priorities"),
        (PFC.replace("pfc-cos 3", "pfc-cos 9"), ON, PfcPort, "admin_priorities"),
        (ETS.replace("percent 50", "half"), ("service-policy output type queuing ets",), Queue, "ecn"),
        ("trust dscp-map roce\n qos-group 3 dscp 99\n!\n", ("trust-map dscp roce",), DscpMap, "traffic_class"),
        ("qos-map traffic-class x\n queue 3 of 3\n!\n", ("qos-map traffic-class x",), TrafficClassMap, "queue"),
    ],
)
def test_a_policy_with_an_unknown_line_decides_nothing(
    top: str, lines: tuple[str, ...], table: type[Fact], field: str
) -> None:
    text = configuration(*lines, top=top)
    rows: list[Fact] = told(CONFIG, text, table, state="partial")
    assert {getattr(row, field) for row in rows} == {None}
    assert not [fact for fact in reading(CONFIG, text).facts if isinstance(fact, BrokenReference)]


BLOCK = """\
Ethernet 1/1/1 is {first}, line protocol is {link}
Pluggable media present, QSFP28 type is QSFP28 100GBASE-CR4-1.0M
MTU 9216 bytes, IP MTU 9184 bytes
LineSpeed 100G, Auto-Negotiation on, Link-Training on
Configured FEC is cl91-rs, Negotiated FEC is off
Flowcontrol rx on tx off
Input statistics:
     258756070469 packets, 224206026489044 octets
     4443391137 over 255-byte pkts, 1.88684486633e+11 over 1023-byte pkts
     7 CRC, 0 overrun, 3 discarded
Output statistics:
     0 throttles, 296897 discarded, 0 Collisions,  wred drops
Rate Info(interval 30 seconds):
     Input 11 Mbits/sec, 1806 packets/sec, 0% of line rate
"""


@pytest.mark.parametrize(
    ("first", "link", "admin", "oper"),
    [("up", "up", True, True), ("up", "down", True, False), ("down", "down", None, False)],
)
def test_the_first_state_alone_does_not_tell_who_switched_it_off(
    first: str, link: str, admin: bool | None, oper: bool
) -> None:
    (row,) = told("dell_os10:show-interface", BLOCK.format(first=first, link=link), Interface)
    assert (row.admin_up, row.oper_up, row.speed_bps) == (admin, oper, 10**11 if oper else None)
    assert (row.fec_mode, row.fec_oper, row.link_pause_rx, row.link_pause_tx) == ("rs", "none", True, False)


def test_counters_of_both_directions_stay_apart_and_rates_are_none() -> None:
    text = BLOCK.format(first="up", link="up")
    counts = {row.name: row.value for row in told("dell_os10:show-interface", text, Counter)}
    assert (counts["input discarded"], counts["output discarded"], counts["input CRC"]) == (3, 296897, 7)
    assert counts["input packets"] == 258756070469
    (module,) = told("dell_os10:show-interface", text, Transceiver)
    assert (module.form, module.passive, module.length_m) == ("QSFP28", True, 1.0)


def stanza(*, rule: bool) -> str:
    return (
        "Remote Chassis ID Subtype: Mac address (4)\nRemote Chassis ID: c8:4b:d6:90:c7:27\n"
        "Remote Port ID: C8:4B:D6:90:C7:27\nRemote Port Description: NIC 25Gb QSFP\nLocal Port ID: ethernet1/1/1:1\n"
        f"Remote System Name: Not Advertised\nRemote System Desc: x\n{'-' * 75 if rule else ''}\n"
    )


def test_what_a_neighbour_does_not_send_is_empty() -> None:
    (row,) = told("dell_os10:show-lldp-neighbors-detail", stanza(rule=True), Neighbor)
    assert (row.port, row.system_name, row.port_id) == ("ethernet1/1/1:1", "", "c8:4b:d6:90:c7:27")


def test_a_stanza_without_its_rule_was_cut() -> None:
    assert reading("dell_os10:show-lldp-neighbors-detail", stanza(rule=False)).state == "parse_error"


def test_port_names() -> None:
    names = ("Ethernet 1/1/1", "Eth1/1/1:2", "Port-channel 10", "Management 1/1/1", "Vlan 7", "x")
    assert [canonical(name) for name in names] == [
        "ethernet1/1/1",
        "ethernet1/1/1:2",
        "port-channel10",
        "mgmt1/1/1",
        "vlan7",
        "x",
    ]
    assert (kind("ethernet1/1/1"), kind("port-channel10"), kind("loopback0"), kind("x")) == (
        "physical",
        "bond",
        "virtual",
        None,
    )
    assert (kind("vlan7"), kind("mgmt1/1/1")) == ("vlan", "management")
    assert "Eth1/1/1" in aliases("ethernet1/1/1")
    assert aliases("vlan7") == ()
    for wrong in ("ethernet1/1/3-1/1/1", "ethernet1/1/1-1/2/3", "x", "ethernet1/1/1-x"):
        with pytest.raises(ParseError):
            list(expanded(wrong, 1))


@pytest.mark.parametrize("words", ["% Error: Unrecognized command.", "% Error: Illegal parameter."])
def test_a_refusal_is_not_supported(words: str) -> None:
    assert reading("dell_os10:show-interface", f"{words}\n").state == "not_supported"


def test_secrets_are_named() -> None:
    text = (
        "username admin password $6$one role sysadmin\nsnmp-server community two ro\n"
        "tacacs-server host 192.0.2.9 key 9 three\n"
        "snmp-server user u g 3 auth sha four priv aes five\nntp authentication-key 1 md5 six\n"
        "enable password 0 seven priv-lvl 15\n neighbor 192.0.2.1 password 9 eight\n"
    )
    found = {match[1] for pattern in PLATFORM.secrets for match in re.finditer(pattern, text, re.MULTILINE)}
    assert {"$6$one", "two", "three", "four", "six", "seven", "eight"} <= found
    assert "admin" not in found
