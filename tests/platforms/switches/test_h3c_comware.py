"""The traps of Comware, each by itself."""

import re

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcCounter, PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface, LldpPort, Neighbor
from fabric_audit.facts.profiles import BrokenReference, QosMapEntry
from fabric_audit.facts.qos import DscpMap, PcpMap, PfcPriorityMap, Queue
from fabric_audit.platforms.switches.h3c_comware import PLATFORM
from fabric_audit.platforms.switches.h3c_comware.names import aliases, canonical, expanded, kind
from tests.platforms.switches.told import reading, told

CONFIG = "h3c_comware:current-configuration"
PFC = "h3c_comware:display-priority-flow-control-interface"
WIDE = """\
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps
---------------------------------------------------------------------------------------------------
"""
WRAPPED = """\
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv
   Send       Inpps      Outpps
--------------------------------------------------------------------------------
-------------------
"""
NARROW = "Interface   AdminMode   OperMode   Dot1pList   Prio   Recv   Send\n" + "-" * 80 + "\n"


def configuration(*lines: str, top: str = "", port: str = "HundredGigE1/0/1") -> str:
    below = "".join(f" {line}\n" for line in lines)
    return f"#\n sysname leaf07\n#\n{top}interface {port}\n{below}#\nreturn\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{WIDE}HGE1/0/1                         Enabled    Enabled               0     5          5          3    3\n",
        f"{WRAPPED}HGE1/0/1                         Enabled    Enabled               0     5\n   5          3    3\n",
    ],
)
def test_enabled_with_an_empty_list_stops_nothing_and_the_next_cell_is_no_priority_list(text: str) -> None:
    (row,) = told(PFC, text, PfcPort)
    assert (row.mode, row.admin_priorities, row.oper_priorities) == ("on", "", "")
    (count,) = told(PFC, text, PfcCounter)
    assert (count.priority, count.rx_frames, count.tx_frames) == (0, 5, 5)


def test_a_list_is_taken_apart_and_a_row_without_interface_belongs_to_the_one_above() -> None:
    text = (
        WIDE
        + "HGE1/0/1                         Auto       Enabled   3,5-6       3     5          6          0          0\n"
        + "                                                                  5     7          8          0          0\n"
    )
    (row,) = told(PFC, text, PfcPort)
    assert (row.mode, row.admin_priorities, row.oper_priorities) == ("auto", "356", "356")
    counts = {count.priority: (count.rx_frames, count.tx_frames) for count in told(PFC, text, PfcCounter)}
    assert counts == {3: (5, 6), 5: (7, 8)}


@pytest.mark.parametrize(
    ("row", "oper", "counts"),
    [
        ("XGE1/0/10   Enabled     Enabled      3\n", "3", 0),
        ("XGE1/0/10   Enabled     Enabled      3          3      12     99\n", "3", 1),
        ("XGE1/0/10   Enabled     Disabled     3\n", "", 0),
        ("XGE1/0/10   Disabled    Disabled\n", "", 0),
    ],
)
def test_seven_columns_may_end_where_nothing_was_paused(row: str, oper: str, counts: int) -> None:
    (port,) = told(PFC, NARROW + row, PfcPort)
    assert port.oper_priorities == oper
    assert len([fact for fact in reading(PFC, NARROW + row).facts if isinstance(fact, PfcCounter)]) == counts


def test_the_first_half_of_a_wrapped_row_alone_is_no_row() -> None:
    text = WRAPPED + "HGE1/0/1                         Enabled    Enabled   3           3     120\n"
    assert reading(PFC, text).state != "parsed"


def test_wide_numbers_push_the_columns_and_stay_in_order() -> None:
    line = "HGE1/0/1                         Enabled    Enabled   3           3     18446744073709551615 7 0 0\n"
    (count,) = told(PFC, WIDE + line, PfcCounter)
    assert (count.rx_frames, count.tx_frames) == (2**64 - 1, 7)


@pytest.mark.parametrize(
    ("top", "lines", "mode", "priorities"),
    [
        ("", (), "off", ""),
        ("", ("priority-flow-control no-drop dot1p 5",), "off", ""),
        ("", ("priority-flow-control enable",), "on", ""),
        ("", ("priority-flow-control enable", "priority-flow-control no-drop dot1p 3,5"), "on", "35"),
        ("", ("priority-flow-control auto", "priority-flow-control no-drop dot1p 3-5"), "auto", "345"),
        (" priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n#\n", (), "on", "3"),
        (
            " priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n#\n",
            ("undo priority-flow-control",),
            "off",
            "",
        ),
    ],
)
def test_pfc_needs_the_switch_and_the_list(top: str, lines: tuple[str, ...], mode: str, priorities: str) -> None:
    (row,) = told(CONFIG, configuration(*lines, top=top), PfcPort)
    assert (row.mode, row.admin_priorities) == (mode, priorities)


def test_headroom_and_thresholds_are_cells_and_no_bytes() -> None:
    text = configuration(
        "priority-flow-control enable",
        "priority-flow-control no-drop dot1p 5",
        "priority-flow-control dot1p 5 headroom 2000",
        "priority-flow-control dot1p 5 ingress-buffer dynamic 6",
        "qos wred queue 5 drop-level 0 low-limit 6000 high-limit 12000 discard-probability 40",
        "qos wred queue 5 drop-level 2 low-limit 1 high-limit 2 discard-probability 99",
        "qos wred queue 5 ecn",
    )
    group = next(row for row in told(CONFIG, text, PriorityGroup) if row.pg == 5)
    assert (group.lossless, group.headroom_buffers, group.xoff_bytes, group.alpha_raw) == (True, 2000, None, "6")
    queue = next(row for row in told(CONFIG, text, Queue) if row.queue == 5)
    assert (queue.ecn, queue.ecn_min_bytes, queue.ecn_mark_pct) == (True, None, 40.0)
    assert queue.ecn_raw == "6000 to 12000 cells, 40 %"


TABLE = "qos wred queue table roce\n queue 3 low-limit 10 high-limit 20\n queue 3 ecn\n#\n"


def test_a_table_holds_for_the_queues_it_says_nothing_of() -> None:
    rows = {row.queue: row for row in told(CONFIG, configuration("qos wred apply roce", top=TABLE), Queue)}
    assert (rows[3].ecn, rows[3].wred_drops, rows[3].ecn_raw) == (True, False, "10 to 20 cells, 10 %")
    assert (rows[4].ecn, rows[4].wred_drops, rows[4].ecn_raw) == (False, True, "100 to 1000 cells, 10 %")


def test_a_table_that_is_missing_is_named_and_without_one_queues_drop_at_their_end() -> None:
    (broken,) = told(CONFIG, configuration("qos wred apply gone"), BrokenReference)
    assert broken.target == "qos wred queue table gone"
    rows = told(CONFIG, configuration("qos wred apply gone"), Queue)
    assert {row.ecn for row in rows} == {None}
    assert {(row.ecn, row.wred_drops) for row in told(CONFIG, configuration(), Queue)} == {(False, False)}


def test_the_lowest_three_priorities_change_places_unless_a_map_says_otherwise() -> None:
    queues = {row.pcp: row.traffic_class for row in told(CONFIG, configuration(), PcpMap)}
    assert [queues[pcp] for pcp in range(8)] == [2, 0, 1, 3, 4, 5, 6, 7]
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, configuration(), DscpMap)}
    assert (landed[0], landed[26], landed[48]) == (2, 3, 6)
    stopped = {row.priority: row.queue for row in told(CONFIG, configuration(), PfcPriorityMap)}
    assert (stopped[0], stopped[3]) == (2, 3)
    top = "qos map-table dot1p-lp\n import 0 export 0\n import 3 export 4\n#\n"
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, configuration(top=top), DscpMap)}
    assert (landed[0], landed[26]) == (0, 4)
    top = "qos map-table dscp-lp\n import 26 export 5\n#\n"
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, configuration(top=top), DscpMap)}
    assert (landed[26], landed[24]) == (5, 3)


def test_both_maps_are_joined_where_no_direct_one_is() -> None:
    text = (
        "MAP-TABLE NAME: dot1p-lp   TYPE: pre-define\nIMPORT  :  EXPORT\n   3    :    4\n"
        "MAP-TABLE NAME: dscp-dot1p   TYPE: pre-define\nIMPORT  :  EXPORT\n  26    :    3\n  48    :    6\n"
    )
    rows = {row.source_value: row for row in told("h3c_comware:display-qos-map-table", text, QosMapEntry)}
    assert (rows[26].map_kind, rows[26].target_value, rows[48].target_value) == ("dscp_tc", 4, None)


@pytest.mark.parametrize(
    ("top", "lines", "expected"),
    [
        ("", (), (False, None, None)),
        ("", ("priority-flow-control deadlock enable",), (True, "forward", None)),
        (
            " priority-flow-control deadlock auto-recover action discard\n#\n",
            ("priority-flow-control deadlock enable",),
            (True, "drop", None),
        ),
        (
            "",
            ("priority-flow-control deadlock enable", "priority-flow-control deadlock recover-mode manual"),
            (True, "forward", 0),
        ),
    ],
)
def test_deadlock_detection_is_off_unless_the_port_has_it(
    top: str, lines: tuple[str, ...], expected: tuple[object, ...]
) -> None:
    on = ("priority-flow-control enable", "priority-flow-control no-drop dot1p 3")
    (row,) = told(CONFIG, configuration(*on, *lines, top=top), PfcWatchdog)
    assert (row.enabled, row.action, row.restore_ms) == expected


@pytest.mark.parametrize(
    ("lines", "trusted"),
    [
        ((), "port"),
        (("qos trust dscp",), "dscp"),
        (("qos trust dot1p",), "pcp"),
        (("qos trust dscp override",), "dscp"),
    ],
)
def test_without_a_line_a_port_trusts_no_mark(lines: tuple[str, ...], trusted: str) -> None:
    (row,) = told(CONFIG, configuration(*lines), Interface)
    assert row.trust_mode == trusted


def test_a_range_without_indentation_is_written_out() -> None:
    text = (
        "interface range HundredGigE 1/0/1 to HundredGigE 1/0/3\nport link-mode bridge\nqos trust dscp\n"
        "interface hundredgige 1/0/9\nqos trust dot1p\n"
    )
    rows = {row.port: row.trust_mode for row in told(CONFIG, text, Interface)}
    assert rows == {f"HundredGigE1/0/{n}": "dscp" for n in (1, 2, 3)} | {"HundredGigE1/0/9": "pcp"}


def test_shares_are_those_among_the_queues_that_share() -> None:
    lines = ("qos wfq byte-count", "qos wfq ef group 1 byte-count 14", "qos wfq cs6 group sp", "qos wfq 7 group sp")
    rows = {row.queue: row for row in told(CONFIG, configuration(*lines), Queue)}
    assert (rows[5].scheduler, rows[5].weight_pct) == ("dwrr", 73.68)
    assert (rows[6].scheduler, rows[6].weight_pct) == ("strict", None)
    assert rows[7].scheduler == "strict"
    assert {row.scheduler for row in told(CONFIG, configuration(), Queue)} == {None}


@pytest.mark.parametrize(
    ("line", "table", "field"),
    [
        ("priority-flow-control sometimes", PfcPort, "mode"),
        ("priority-flow-control no-drop dot1p 9", PfcPort, "admin_priorities"),
        ("priority-flow-control no-drop dot1p 3-", PfcPort, "admin_priorities"),
        ("qos trust maybe", Interface, "trust_mode"),
        ("qos wred queue 3 ecn always", Queue, "ecn"),
        ("qos wfq nothing", Queue, "scheduler"),
    ],
)
def test_a_line_in_an_unknown_form_leaves_what_it_decides_unknown(line: str, table: type[Fact], field: str) -> None:
    rows: list[Fact] = told(CONFIG, configuration(line), table, state="partial")
    assert {getattr(row, field) for row in rows} == {None}


def test_lldp_without_a_line_is_not_told() -> None:
    assert not [fact for fact in reading(CONFIG, configuration()).facts if isinstance(fact, LldpPort)]
    (row,) = told(CONFIG, configuration(top=" lldp global enable\n#\n"), LldpPort)
    assert (row.transmit, row.receive) == (True, True)


BLOCK = """\
HundredGigE1/0/1
Current state: {state}
Maximum frame length: 9216
Flow-control is not enabled
100Gbps-speed mode, full-duplex mode
\xa0 Untagged VLANs: 100
Input (total):  5 packets, 640 bytes
        5 unicasts, 0 broadcasts, 0 multicasts, 3 pauses
Input (normal):  5 packets, - bytes
        5 unicasts, 0 broadcasts, 0 multicasts, 99 pauses
Input:  7 input errors, 0 runts, - giants, 0 throttles
Output (total): 5 packets, 640 bytes
        5 unicasts, 0 broadcasts, 0 multicasts, 4 pauses
IPv4 traffic statistics:
 Input: 88 packets, 640 bytes
"""


@pytest.mark.parametrize(
    ("state", "admin", "oper", "why"),
    [
        ("UP", True, True, None),
        ("DOWN", True, False, None),
        ("Administratively DOWN", False, False, None),
        ("DOWN ( Administratively )", False, False, None),
        ("DOWN ( Link-Flap )", True, False, "Link-Flap"),
    ],
)
def test_states(state: str, admin: bool, oper: bool, why: str | None) -> None:
    (row,) = told("h3c_comware:display-interface", BLOCK.format(state=state), Interface)
    assert (row.admin_up, row.oper_up, row.down_reason) == (admin, oper, why)
    assert (row.mtu_bytes, row.mtu_kind, row.speed_bps) == (9216, "l2", 10**11 if oper else None)


def test_totals_count_and_hyphens_are_no_zero() -> None:
    counts = {row.name: row.value for row in told("h3c_comware:display-interface", BLOCK.format(state="UP"), Counter)}
    assert (counts["input pauses"], counts["output pauses"], counts["input errors"]) == (3, 4, 7)
    assert "input giants" not in counts


def test_drops_for_lack_of_buffer_are_told_for_both_directions() -> None:
    text = (
        "HundredGigE1/0/1:\n  Packets dropped due to insufficient data buffer. Input dropped: 3 Output dropped: 4711\n"
        "  Packets of ECN marked: 12\n  Packets dropped by FFP: 261\n"
    )
    rows = {
        row.name: (row.value, str(row.counter_class))
        for row in told("h3c_comware:display-packet-drop-interface", text, Counter)
    }
    assert rows["dropped due to insufficient data buffer, input"] == (3, "loss")
    assert rows["dropped due to insufficient data buffer, output"] == (4711, "loss")
    assert rows["of ECN marked"] == (12, "congestion")
    assert rows["dropped by FFP"] == (261, "other")


def stanza(description: str, system: str = "spine01") -> str:
    return (
        "LLDP neighbor-information of port 1[HundredGigE1/0/1]:\nLLDP agent nearest-bridge:\n LLDP neighbor index : 1\n"
        " Chassis ID          : 70f9-6d6b-1234\n Port ID             : HundredGigE1/0/31\n"
        f" Port description    : {description}\n"
        f" System name         : {system}\n System description  : H3C Comware software\n"
    )


def test_a_text_is_wrapped_within_its_column_and_a_prompt_may_stand_in_between() -> None:
    text = stanza("to leaf07, a long on\n                       e") + " [leaf07]dis lldp neighbor-information verbose\n"
    (row,) = told("h3c_comware:display-lldp-neighbor-information-verbose", text, Neighbor)
    assert (row.port_description, row.system_name) == ("to leaf07, a long one", "spine01")
    assert row.chassis_id == "70:f9:6d:6b:12:34"


def test_a_name_at_the_very_end_may_go_on() -> None:
    text = stanza("x").rsplit(" System description", 1)[0]
    assert reading("h3c_comware:display-lldp-neighbor-information-verbose", text).state == "parse_error"


def test_port_names() -> None:
    assert [
        canonical(name)
        for name in ("hundredgige 1/0/1", "HGE1/0/1", "XGE1/0/1:2", "BAGG10", "twenty-fivegige 1/0/3", "x")
    ] == [
        "HundredGigE1/0/1",
        "HundredGigE1/0/1",
        "Ten-GigabitEthernet1/0/1:2",
        "Bridge-Aggregation10",
        "Twenty-FiveGigE1/0/3",
        "x",
    ]
    assert (kind("HundredGigE1/0/1"), kind("Bridge-Aggregation10"), kind("Vlan-interface7"), kind("x")) == (
        "physical",
        "bond",
        "vlan",
        None,
    )
    assert (kind("M-GigabitEthernet0/0/0"), kind("NULL0"), kind("HundredGigE1/0/1.5")) == (
        "management",
        "virtual",
        "vlan",
    )
    assert aliases("HundredGigE1/0/1") == ("HGE1/0/1", "100GE1/0/1")
    assert aliases("x") == ()
    assert list(expanded("HundredGigE 1/0/1 to HundredGigE 1/0/3, XGE1/0/9", 1)) == [
        "HundredGigE1/0/1",
        "HundredGigE1/0/2",
        "HundredGigE1/0/3",
        "Ten-GigabitEthernet1/0/9",
    ]
    for wrong in ("HundredGigE 1/0/3 to HundredGigE 1/0/1", "HundredGigE 1/0/1 to HundredGigE 2/0/3", "x"):
        with pytest.raises(ParseError):
            list(expanded(wrong, 1))


@pytest.mark.parametrize(
    "words",
    [
        " % Unrecognized command found at '^' position.",
        " % Too many parameters found at '^' position.",
        " % Incomplete command found at '^' position.",
        "Permission denied.",
    ],
)
def test_a_refusal_is_not_supported(words: str) -> None:
    told_of = reading(PFC, f"                 ^\n{words}\n")
    assert told_of.state == "not_supported"


def test_secrets_are_named() -> None:
    text = (
        " password hash $h$6$one\n snmp-agent community read cipher $c$3$two\n snmp-agent community write three\n"
        " peer 192.0.2.1 password simple four\n primary authentication 192.0.2.9 key cipher five\n"
        " key authentication six\n"
        " ospf authentication-mode md5 cipher seven\nssh2 algorithm cipher aes256-gcm\npublic-key local create rsa\n"
        " snmp-agent usm-user v3 u g authentication-mode sha eight privacy-mode aes128 nine\n"
    )
    found = {match[1] for pattern in PLATFORM.secrets for match in re.finditer(pattern, text, re.MULTILINE)}
    assert found == {"$h$6$one", "$c$3$two", "three", "four", "five", "six", "seven", "eight", "nine"}
