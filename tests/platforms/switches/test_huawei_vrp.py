"""The traps of VRP, each by itself."""

import re

import pytest

from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import HeadroomNeed, PriorityGroup
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcCounter, PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface, LldpPort, MacEntry, Neighbor, NeighborEntry
from fabric_audit.facts.profiles import BrokenReference, EcnProfile, QosMapEntry
from fabric_audit.facts.qos import DscpMap, Queue
from fabric_audit.platforms.switches.huawei_vrp import PLATFORM
from fabric_audit.platforms.switches.huawei_vrp.names import aliases, canonical, kind, members
from tests.platforms.switches.told import reading, told

CONFIG = "huawei_vrp:current-configuration"
PFC = """\
Interface         Queue         Received(Frames)        ReceivedRate(pps)     DeadlockNum
                             Transmitted(Frames)     TransmittedRate(pps)     RecoveryNum
-----------------------------------------------------------------------------------------
"""
BUFFERS = """\
Interface      Queue    Guaranteed     Xon-Lowest  Xon-Offset       Xoff        Hdrm
------------------------------------------------------------------------------------
"""


def configuration(*lines: str, port: str = "100GE1/0/1", top: str = "") -> str:
    below = "".join(f" {line}\n" for line in lines)
    return f"#\nsysname leaf07\n#\n{top}interface {port}\n{below}#\nreturn\n"


def test_a_queue_takes_two_lines_and_the_second_is_what_was_sent() -> None:
    text = f"{PFC}100GE1/0/1   3     120     0     2\n     4471     12    1\n"
    (row,) = told("huawei_vrp:display-dcb-pfc", text, PfcCounter)
    (watch,) = told("huawei_vrp:display-dcb-pfc", text, PfcWatchdog)
    assert (row.rx_frames, row.tx_frames, watch.storms_detected, watch.storms_restored) == (120, 4471, 2, 1)


def test_a_second_line_that_is_missing_is_not_taken_from_the_next_queue() -> None:
    text = f"{PFC}100GE1/0/1   3     120     0     2\n100GE1/0/2   3    7    0   0\n      9    0    0\n"
    assert reading("huawei_vrp:display-dcb-pfc", text).state == "parse_error"


def test_a_row_without_an_interface_belongs_to_the_one_above() -> None:
    row = "   {}   1600(B)   640(B)   6(K)   5(D)   40(K)\n"
    text = f"{BUFFERS}100GE1/0/1{row.format(3)}{row.format(4)}"
    rows = told("huawei_vrp:display-dcb-pfc-buffer", text, PriorityGroup)
    assert [(row.port, row.pg) for row in rows] == [("100GE1/0/1", 3), ("100GE1/0/1", 4)]


def test_units_stand_at_each_value() -> None:
    text = f"{BUFFERS}100GE1/0/1   3   1600(B)   640(B)   6(K)   300(K)   1(M)\n"
    (row,) = told("huawei_vrp:display-dcb-pfc-buffer", text, PriorityGroup)
    assert (row.size_bytes, row.pause_at_bytes, row.xoff_bytes) == (1600, 300 * 1024, 1024**2)
    assert row.xon_bytes == 294 * 1024


def test_a_dynamic_threshold_is_no_number_of_bytes() -> None:
    text = f"{BUFFERS}100GE1/0/1   3   1600(B)   640(B)   6(K)   5(D)   40(K)\n"
    (row,) = told("huawei_vrp:display-dcb-pfc-buffer", text, PriorityGroup)
    assert (row.pause_at_bytes, row.xon_bytes, row.alpha_raw) == (None, None, "5")


@pytest.mark.parametrize(("status", "mode"), [("ENABLE(M)", "on"), ("ENABLE(A)", "auto"), ("DISABLE", "off")])
def test_a_letter_tells_forced_from_negotiated(status: str, mode: str) -> None:
    head = f"Interface  PFC Name  PFC Status  ETS Name  ETS Status App-Profile\n{'-' * 60}\n"
    text = f"{head}100GE1/0/1 default {status} - - -\n"
    (row,) = told("huawei_vrp:display-dcb", text, PfcPort)
    assert row.mode == mode


def profile(green: str, ecn: str) -> str:
    rule = "-" * 60
    return (
        f"Drop-profile[1]: roce\nColor    Mode         Low-limit   High-limit  Unit    Discard(%)\n{rule}\n"
        f"Green    {green}\nYellow   Percentage 100 100 % 100\nRed      Percentage 100 100 % 100\n{ecn}{rule}\n"
    )


def test_the_row_of_ecn_counts_and_not_that_of_green_packets() -> None:
    text = profile("Buffer-size 150000 1500000 Bytes 20", "ECN      Percentage 100 100 % 100\n")
    (row,) = told("huawei_vrp:display-drop-profile", text, EcnProfile)
    assert (row.ecn, row.wred_drops, row.ecn_min_bytes) == (False, True, None)


def test_models_without_that_row_do_not_tell_whether_they_mark() -> None:
    (row,) = told("huawei_vrp:display-drop-profile", profile("Buffer-size 150000 1500000 Bytes 20", ""), EcnProfile)
    assert (row.ecn, row.wred_drops) == (None, True)


def test_three_zeros_are_a_queue_that_does_not_mark_and_a_star_one_of_ai_ecn() -> None:
    text = (
        "Interface       Queue     Min     Max  Probability  Queue Size\n"
        "                         (KB)    (KB)          (%)        (KB)\n"
        f"{'-' * 62}\n100GE1/0/1    2   0   0   0   0\n   3    150    1500   100   0\n   4*   200   600   5   12\n"
    )
    rows = {row.queue: row for row in told("huawei_vrp:display-qos-ecn-threshold", text, Queue)}
    assert (rows[2].ecn, rows[2].ecn_min_bytes) == (False, None)
    assert (rows[3].ecn, rows[3].ecn_min_bytes, rows[3].ecn_dynamic) == (True, 150 * 1024, False)
    assert (rows[4].ecn, rows[4].ecn_dynamic) == (True, True)


@pytest.mark.parametrize(
    ("mode", "status", "state"),
    [
        ("TurnOff", "TurnOff", "stormed"),
        ("TurnOff", "LinkUp", "operational"),
        ("TurnOff", "LinkDown", "operational"),
        ("ErrorDown", "LinkDown", "unknown"),
        ("ErrorDown", "ErrorDown", "stormed"),
    ],
)
def test_a_link_that_is_up_was_not_triggered(mode: str, status: str, state: str) -> None:
    text = f"Interface  Queue  TriggerMode Threshold  Status\n{'-' * 54}\n100GE1/0/1  3  {mode}  30  {status}\n"
    (row,) = told("huawei_vrp:display-dcb-pfc-deadlock-trigger-status", text, PfcWatchdog)
    assert row.state == state


def test_what_a_pager_left_is_no_line_of_its_own() -> None:
    text = (
        " interface 10GE1/0/1 Errors:\n CRC      :5        Giants     :0\n"
        "  ---- More ----\x1b[16D                \x1b[16D interface 10GE1/0/2 Errors:\n"
        " CRC      :7        Giants     :0\n  ---- More ----"
    )
    rows = told("huawei_vrp:display-interface-counters-errors", text, Counter)
    assert {row.port: row.value for row in rows if row.name == "CRC"} == {"10GE1/0/1": 5, "10GE1/0/2": 7}


def test_a_pager_in_a_configuration_does_not_move_a_line_out_of_its_interface() -> None:
    text = configuration("dcb pfc enable mode manual").replace(
        "#\nreturn", "  ---- More ----\x1b[16D                \x1b[16D trust dscp\n#\nreturn"
    )
    (row,) = told(CONFIG, text, Interface)
    assert row.trust_mode == "dscp"


@pytest.mark.parametrize(
    ("top", "lines", "mode", "priorities"),
    [
        ("", (), "off", ""),
        ("", ("dcb pfc enable",), "on", "3"),
        ("dcb pfc\n#\n", ("dcb pfc enable mode manual",), "on", "3"),
        ("dcb pfc\n priority 4\n#\n", ("dcb pfc enable mode auto",), "auto", "4"),
        ("dcb pfc roce\n priority 3 4\n priority 5\n#\n", ("dcb pfc enable roce mode manual",), "on", "345"),
        ("dcb pfc roce\n priority 4\n#\n", ("dcb pfc enable mode manual",), "on", "3"),
        ("dcb pfc global disable\n#\n", ("dcb pfc enable mode manual",), "off", ""),
        ("", ("dcb pfc enable missing mode manual",), "on", None),
    ],
)
def test_a_port_has_the_priorities_of_its_profile(
    top: str, lines: tuple[str, ...], mode: str, priorities: str | None
) -> None:
    (row,) = told(CONFIG, configuration(*lines, top=top), PfcPort)
    assert (row.mode, row.admin_priorities) == (mode, priorities)


def test_a_profile_that_is_missing_is_named() -> None:
    text = configuration("dcb pfc enable missing mode manual", "qos queue 3 wred gone")
    assert {row.target for row in told(CONFIG, text, BrokenReference)} == {"dcb pfc missing", "drop-profile gone"}


DROP = "drop-profile roce\n ecn buffer-size low-limit 150000 high-limit 1500000 discard-percentage 20\n#\n"


@pytest.mark.parametrize(
    ("top", "lines", "ecn", "low", "low_pct"),
    [
        (DROP, ("qos queue 3 wred roce", "qos queue 3 ecn"), True, 150_000, None),
        (DROP, ("qos queue 3 wred roce",), False, None, None),
        (DROP, ("qos wred roce", "qos queue 3 ecn"), True, 150_000, None),
        ("", ("qos queue 3 wred default", "qos queue 3 ecn"), True, None, 100.0),
        (
            DROP.replace("buffer-size", "buffer-size cell"),
            ("qos queue 3 wred roce", "qos queue 3 ecn"),
            True,
            None,
            None,
        ),
        (DROP.replace("ecn", "color green"), ("qos queue 3 wred roce", "qos queue 3 ecn"), True, 150_000, None),
        ("ai-service\n #\n ai-ecn\n  ai-ecn enable\n  assign queue 3\n#\n", (), True, None, None),
        ("ai-service\n #\n ai-ecn\n  assign queue 3\n#\n", (), False, None, None),
    ],
)
def test_marking_needs_the_queue_and_its_profile(
    top: str, lines: tuple[str, ...], ecn: bool, low: int | None, low_pct: float | None
) -> None:
    row = next(row for row in told(CONFIG, configuration(*lines, top=top), Queue) if row.queue == 3)
    assert (row.ecn, row.ecn_min_bytes, row.ecn_min_pct) == (ecn, low, low_pct)


def test_without_trust_a_port_goes_by_the_tag_and_a_member_by_its_trunk() -> None:
    (row,) = told(CONFIG, configuration(), Interface)
    assert (row.trust_mode, row.mtu_bytes, row.mtu_kind) == ("pcp", 9216, "l2")
    trunk = "interface Eth-Trunk10\n trust dscp\n#\n"
    rows = {row.port: row for row in told(CONFIG, configuration("eth-trunk 10", top=trunk), Interface)}
    assert rows["100GE1/0/1"].trust_mode == "dscp"


def test_a_domain_moves_single_code_points() -> None:
    top = "diffserv domain roce\n ip-dscp-inbound 26 phb af4 green\n#\n"
    text = configuration("trust dscp", "trust upstream roce", top=top)
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, text, DscpMap)}
    assert (landed[26], landed[24], landed[48]) == (4, 3, 6)


def test_an_uplink_group_moves_priorities_on_the_way() -> None:
    top = "dcb pfc uplink group up\n adjust original-dscp 32 to priority 2 dscp 16\n#\n"
    (row,) = told(CONFIG, configuration(top=top), QosMapEntry)
    assert (row.source_value, row.target_value) == (32, 2)


@pytest.mark.parametrize(
    ("top", "profile", "lines", "expected"),
    [
        ("", "", (), (None, "forward", None, None)),
        ("", " priority 3 deadlock-detect time 5\n", (), (True, "forward", 50, 100)),
        ("dcb pfc deadlock-detect interval 100\n#\n", "", (), (True, "forward", 1000, 1000)),
        ("dcb pfc deadlock-detect timer 512\n#\n", "", (), (True, "forward", 512, 100)),
        ("", " priority 3 deadlock-recovery time 0\n", (), (True, "alert", 100, None)),
        ("", "", ("port pfc-deadlock trigger error-down",), (True, "errdisable", 100, 100)),
    ],
)
def test_deadlock_detection_is_told_only_where_a_line_is(
    top: str, profile: str, lines: tuple[str, ...], expected: tuple[object, ...]
) -> None:
    text = configuration("dcb pfc enable mode manual", *lines, top=f"{top}dcb pfc\n{profile}#\n")
    (row,) = told(CONFIG, text, PfcWatchdog)
    assert (row.enabled, row.action, row.detect_ms, row.restore_ms) == expected


def test_lldp_is_on_only_where_the_switch_says_so() -> None:
    (row,) = told(CONFIG, configuration("lldp tlv-enable dcbx", top="lldp enable\n#\n"), LldpPort)
    assert (row.transmit, row.receive, row.dcbx) == (True, True, True)
    (row,) = told(CONFIG, configuration("lldp admin-status rx", top="lldp enable\n#\n"), LldpPort)
    assert (row.transmit, row.receive) == (False, True)
    (row,) = told(CONFIG, configuration("undo lldp enable", top="lldp enable\n#\n"), LldpPort)
    assert row.transmit is False
    (row,) = told(CONFIG, configuration(), LldpPort)
    assert row.transmit is None


@pytest.mark.parametrize(
    ("line", "table", "field"),
    [
        ("dcb pfc enable mode maybe", PfcPort, "mode"),
        ("trust sometimes", Interface, "trust_mode"),
        ("qos queue 3 ecn always", Queue, "ecn"),
        ("qos drr all", Queue, "scheduler"),
    ],
)
def test_a_line_in_an_unknown_form_leaves_what_it_decides_unknown(line: str, table: type[Fact], field: str) -> None:
    rows: list[Fact] = told(CONFIG, configuration(line), table, state="partial")
    assert {getattr(row, field) for row in rows} == {None}


def test_needs_and_finds_of_headroom_stand_side_by_side() -> None:
    text = (
        "Interface  Port  Chip  Pipe  PFC  Mode  DetectHdrmResult  RequiredHdrm\n"
        f"{'-' * 80}\n100GE1/0/1  16  0  0  Enable  level-100  12496  12500\n"
    )
    (row,) = told("huawei_vrp:display-buffer-optimization-configuration", text, HeadroomNeed)
    assert (row.found_bytes, row.required_bytes) == (12496 * 1024, 12500 * 1024)


def test_a_free_text_that_looks_like_a_field_is_not_taken_for_it() -> None:
    text = (
        "100GE1/0/1 has 1 neighbor(s):\n\nNeighbor index  :1\nChassis ID  :d849-0b94-6501\nPort ID  :100GE1/0/31\n"
        "Port description  :--\nSystem name  :spine01\nSystem description  :VRP\nVRP (R) software\n"
    )
    (row,) = told("huawei_vrp:display-lldp-neighbor", text, Neighbor)
    assert (row.system_name, row.port_id, row.port_description) == ("spine01", "100GE1/0/31", None)
    assert row.chassis_id == "d8:49:0b:94:65:01"


def test_two_neighbours_of_a_port_are_two_rows_and_a_row_told_twice_is_one() -> None:
    head = f"Local Interface  Exptime(s) Neighbor Interface  Neighbor Device\n{'-' * 74}\n"
    text = f"{head}100GE1/0/1  96  10GE1/0/1  A\n100GE1/0/1  19  10GE1/0/1  A\n100GE1/0/1  19  10GE1/0/2  B\n"
    assert len(told("huawei_vrp:display-lldp-neighbor-brief", text, Neighbor)) == 2


def test_bridge_domains_have_no_vlan_and_own_addresses_are_no_neighbours() -> None:
    rule = "-" * 79
    text = (
        f"MAC Address    VLAN/VSI/BD   Learned-From        Type                Age\n{rule}\n"
        "9440-c9aa-bb03 -/-/10        Eth-Trunk10         dynamic         18\n"
    )
    (row,) = told("huawei_vrp:display-mac-address", text, MacEntry)
    assert (row.port, row.vlan, row.mac) == ("Eth-Trunk10", None, "94:40:c9:aa:bb:03")
    text = (
        f"IP ADDRESS      MAC ADDRESS    EXP(M) TYPE/VLAN       INTERFACE        VPN-INSTANCE\n{rule}\n"
        "192.0.2.1       00e0-fc12-3456            I           Vlanif100\n"
        "192.0.2.11      9440-c9aa-bb02  17        D/100       100GE1/0/1\n"
    )
    assert [row.address for row in told("huawei_vrp:display-arp", text, NeighborEntry)] == ["192.0.2.11"]


def test_the_size_of_frames_counts_for_a_routed_port() -> None:
    text = (
        "100GE1/0/1 current state : Administratively DOWN (ifindex: 87)\n"
        "Route Port,The Maximum Transmit Unit is 1500,The Maximum Frame Length is 9216\n"
    )
    (row,) = told("huawei_vrp:display-interface", text, Interface)
    assert (row.admin_up, row.oper_up, row.mtu_bytes, row.mtu_kind) == (False, False, 9216, "l2")


def test_port_names() -> None:
    assert [canonical(name) for name in ("100ge 1/0/1", "100GE1/0/1", "Eth-Trunk 10", "x")] == [
        "100GE1/0/1",
        "100GE1/0/1",
        "Eth-Trunk10",
        "x",
    ]
    assert (
        kind("100GE1/0/1"),
        kind("Eth-Trunk10"),
        kind("Vlanif100"),
        kind("MEth0/0/0"),
        kind("NULL0"),
        kind("x"),
    ) == (
        "physical",
        "bond",
        "vlan",
        "management",
        "virtual",
        None,
    )
    assert aliases("GigabitEthernet0/0/1") == ("GE0/0/1",)
    assert aliases("GE0/0/1") == ("GigabitEthernet0/0/1",)
    assert aliases("100GE1/0/1") == ()


@pytest.mark.parametrize(
    "words",
    [
        "Error: Unrecognized command found at '^' position.",
        "Error: You do not have permission to run the command or the command is incomplete.",
        "Error: Wrong parameter found at '^' position.",
    ],
)
def test_a_refusal_is_not_supported(words: str) -> None:
    told_of = reading("huawei_vrp:display-dcb", f"                      ^\n{words}\n")
    assert told_of.state == "not_supported"


def test_information_in_place_of_a_table_is_no_row() -> None:
    told_of = reading("huawei_vrp:display-dcb", "Info: DCB is not enabled on any interface.\n")
    assert (told_of.state, told_of.facts) == ("parsed", ())
    assert {missing.words for missing in told_of.missing} == {"Info: DCB is not enabled on any interface."}


def test_secrets_are_named() -> None:
    text = (
        " local-user admin password irreversible-cipher $1d$one\n snmp-agent community read cipher %^%#t w o%^%#\n"
        " snmp-agent community write three\n peer 192.0.2.1 password simple four\n radius-server shared-key five\n"
        " ospf authentication-mode md5 1 six\n ospf authentication-mode hmac-sha256 1 cipher seven\n"
        "ssh server cipher aes256_gcm\n"
    )
    found = {match[1] for pattern in PLATFORM.secrets for match in re.finditer(pattern, text, re.MULTILINE)}
    assert found == {"$1d$one", "%^%#t w o%^%#", "three", "four", "five", "six", "seven"}


@pytest.mark.parametrize(
    ("words", "ports"),
    [
        ("100ge 1/0/1", ("100GE1/0/1",)),
        ("100GE1/0/3 to 100GE1/0/4", ("100GE1/0/3", "100GE1/0/4")),
        ("25ge 1/0/1 to 25ge 1/0/2 eth-trunk 7", ("25GE1/0/1", "25GE1/0/2", "Eth-Trunk7")),
        ("Vbdif16770001", ("Vbdif16770001",)),
        ("100GE1/0/1 to 100GE1/0/999999999", ()),
        ("all_using", ()),
    ],
)
def test_members_of_a_group_are_named_as_commands_may(words: str, ports: tuple[str, ...]) -> None:
    assert members(words) == ports


def test_lines_of_a_port_group_are_those_of_each_member() -> None:
    text = (
        "port-group gpus\n group-member 100GE1/0/1 to 100GE1/0/2\n dcb pfc enable mode manual\n#\n"
        "interface 100ge 1/0/2\n description gpu2\n#\nreturn\n"
    )
    rows = told("huawei_vrp:current-configuration", text, PfcPort)
    assert sorted((row.port, row.mode, row.admin_priorities) for row in rows) == [
        ("100GE1/0/1", "on", "3"),
        ("100GE1/0/2", "on", "3"),
    ]


def test_a_level_in_cells_is_a_line_that_is_understood_and_no_number_of_bytes() -> None:
    text = "interface 25GE1/0/5\n dcb pfc enable mode manual\n dcb pfc buffer 3 xoff static 1500 cells\n#\nreturn\n"
    groups = {row.pg: row for row in told("huawei_vrp:current-configuration", text, PriorityGroup)}
    assert groups[3].pause_at_bytes is None
