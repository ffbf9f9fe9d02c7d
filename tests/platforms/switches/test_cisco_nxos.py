"""The traps of NX-OS, each by itself."""

import pytest

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PcpMap, PfcPriorityMap, Queue
from fabric_audit.platforms.switches.cisco_nxos.names import aliases, canonical, expanded, kind
from fabric_audit.platforms.switches.cisco_nxos.pfc import priorities
from fabric_audit.platforms.switches.cisco_nxos.routing import seconds
from tests.platforms.switches.told import reading, told

CONFIG = "cisco_nxos:running-config"
PFC = "cisco_nxos:show-interface-priority-flow-control"
HEADER = "Port               Mode Oper(VL bmap)  RxPPP      TxPPP\n"
LOSSLESS = (
    "policy-map type network-qos N\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
    "system qos\n  service-policy type network-qos N\n"
)
PORT = "interface Ethernet1/1\n  no switchport\n"


@pytest.mark.parametrize(
    ("bitmap", "wanted"), [("8", "3"), ("20", "5"), ("9", "03"), ("0", ""), ("18", "34"), ("ff", "01234567")]
)
def test_the_bitmap_is_hexadecimal(bitmap: str, wanted: str) -> None:
    assert priorities(bitmap) == wanted
    (row,) = told(PFC, f"{HEADER}Ethernet1/1        On   On   ({bitmap})       0          12\n", PfcPort)
    assert row.oper_priorities == wanted


def test_a_row_without_bitmap_is_off_and_its_counters_do_not_move_a_column() -> None:
    text = f"{HEADER}Ethernet1/1        Auto Off           7316       762946\n"
    (row,) = told(PFC, text, PfcPort)
    counted = {row.name: row.value for row in told(PFC, text, Counter)}
    assert (row.mode, row.oper_priorities) == ("auto", "")
    assert counted == {"RxPPP": 7316, "TxPPP": 762946}


def test_on_with_an_empty_bitmap_stops_nothing() -> None:
    (row,) = told(PFC, f"{HEADER}Ethernet1/5        On   On   (0)       0          12\n", PfcPort)
    assert (row.mode, row.oper_priorities) == ("on", "")


@pytest.mark.parametrize(
    "rows", ['{"interface": "Ethernet1/1", "state": "up"}', '[{"interface": "Ethernet1/1", "state": "up"}]']
)
def test_one_row_may_be_no_list(rows: str) -> None:
    text = f'{{"TABLE_interface": {{"ROW_interface": {rows}}}}}\n'
    assert [row.port for row in told("cisco_nxos:show-interface-json", text, Interface)] == ["Ethernet1/1"]


def test_a_port_that_says_nothing_is_auto() -> None:
    (row,) = told(CONFIG, LOSSLESS + PORT, PfcPort)
    assert (row.mode, row.admin_priorities) == ("auto", "3")


def test_a_network_policy_that_is_not_applied_pauses_nothing() -> None:
    text = LOSSLESS.partition("system qos")[0] + PORT + "  priority-flow-control mode on\n"
    (row,) = told(CONFIG, text, PfcPort)
    assert (row.mode, row.admin_priorities) == ("on", "")
    assert [queue.lossless for queue in told(CONFIG, text, Queue)] == [False] * 8


def test_an_override_stops_every_port() -> None:
    text = "priority-flow-control override-interface mode off\n" + LOSSLESS + PORT + "  priority-flow-control mode on\n"
    (row,) = told(CONFIG, text, PfcPort)
    assert (row.mode, row.admin_priorities, row.line) == ("off", "", 1)


def test_a_class_may_limit_the_mtu_below_that_of_the_port() -> None:
    text = LOSSLESS.replace("pfc-cos 3\n", "pfc-cos 3\n    mtu 2240\n") + PORT + "  mtu 9216\n"
    queue = next(row for row in told(CONFIG, text, Queue) if row.queue == 3)
    (port,) = told(CONFIG, text, Interface)
    assert (queue.mtu_bytes, queue.lossless, port.mtu_bytes) == (2240, True, 9216)


def test_rdma_may_be_led_into_a_group_that_is_not_lossless() -> None:
    text = (
        "class-map type qos match-any RDMA\n  match dscp 16\n  match cos 2\n"
        "policy-map type qos Q\n  class type qos RDMA\n    set qos-group 2\n" + LOSSLESS + PORT
    ) + "  service-policy type qos input Q\n"
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, text, DscpMap)}
    by_cos = {row.pcp: row.traffic_class for row in told(CONFIG, text, PcpMap)}
    lossless = {row.queue for row in told(CONFIG, text, Queue) if row.lossless}
    assert (landed[16], landed[26], by_cos[2], lossless) == (2, 0, 2, {3})


def test_pause_without_a_priority_stops_the_cos_that_leads_into_the_class() -> None:
    text = (
        "class-map type qos match-all R\n  match cos 4\npolicy-map type qos Q\n  class R\n    set qos-group 3\n"
        + LOSSLESS.replace("pause pfc-cos 3", "pause no-drop")
        + "  service-policy type qos input Q\n"
        + PORT
    )
    assert [(row.priority, row.queue) for row in told(CONFIG, text, PfcPriorityMap)] == [(4, 3)]


def test_without_policies_everything_is_in_group_0_and_group_7_is_strict() -> None:
    landed = {row.traffic_class for row in told(CONFIG, PORT, DscpMap)}
    queues = told(CONFIG, PORT, Queue)
    assert landed == {0}
    assert [queue.queue for queue in queues if queue.scheduler == "strict"] == [7]
    assert {queue.ecn for queue in queues} == {False}


def test_random_detection_without_ecn_drops() -> None:
    text = (
        "policy-map type queuing E\n  class type queuing c-out-8q-q3\n"
        "    random-detect minimum-threshold 150 kbytes maximum-threshold 1500 kbytes\n"
        "system qos\n  service-policy type queuing output E\n" + PORT
    )
    queue = next(row for row in told(CONFIG, text, Queue) if row.queue == 3)
    assert (queue.ecn, queue.wred_drops) == (False, True)


@pytest.mark.parametrize(
    ("globally", "own", "enabled"), [("on", "on", True), ("", "", False), ("on", "off", False), ("", "on", None)]
)
def test_a_watchdog_runs_where_switch_and_port_say_so(globally: str, own: str, enabled: bool | None) -> None:
    line = "priority-flow-control watch-dog-interval {}\n"
    text = (line.format(globally) if globally else "") + PORT + (f"  {line.format(own)}" if own else "")
    (row,) = told(CONFIG, text, PfcWatchdog)
    assert row.enabled is enabled


def test_pause_threshold_is_a_level_and_headroom_lies_above_it() -> None:
    text = "Ingress Queuing for Ethernet1/1\n      3         348608        77376        75712\n"
    (row,) = told("cisco_nxos:show-queuing-interface", text, PriorityGroup)
    assert (row.pause_at_bytes, row.xon_bytes, row.xoff_bytes) == (77376, 75712, 348608 - 77376)


@pytest.mark.parametrize(
    ("short", "full", "sort"),
    [
        ("Eth1/1", "Ethernet1/1", "physical"),
        ("e1/51", "Ethernet1/51", "physical"),
        ("Po10", "port-channel10", "bond"),
        ("mgmt0", "mgmt0", "management"),
        ("Lo0", "loopback0", "virtual"),
        ("Ethernet1/1.10", "Ethernet1/1.10", "vlan"),
        ("nve1", "nve1", "virtual"),
        ("swp1", "swp1", None),
    ],
)
def test_port_names(short: str, full: str, sort: str | None) -> None:
    assert (canonical(short), kind(full)) == (full, sort)
    assert aliases("Ethernet1/1") == ("Eth1/1",)


def test_durations() -> None:
    assert (seconds("P1DT4H28M45S"), seconds("PT3M"), seconds("never")) == (102_525.0, 180.0, None)


@pytest.mark.parametrize(
    "words",
    [
        "% Invalid command at '^' marker.",
        "% Incomplete command at '^' marker.",
        "% Permission denied for the role",
        "Syntax error while parsing 'show queuing'",
    ],
)
def test_a_refusal_is_not_supported(words: str) -> None:
    answer = reading("cisco_nxos:show-version-json", f"      ^\n{words}\n")
    assert (answer.state, answer.reason) == ("not_supported", words)


@pytest.mark.parametrize(
    ("header", "ports"),
    [
        ("Ethernet1/1", ("Ethernet1/1",)),
        ("ethernet 1/1-3", ("Ethernet1/1", "Ethernet1/2", "Ethernet1/3")),
        ("eth1/9 - 10, eth1/12", ("Ethernet1/9", "Ethernet1/10", "Ethernet1/12")),
        ("Ethernet1/1/1-2", ("Ethernet1/1/1", "Ethernet1/1/2")),
        ("port-channel10.100", ("port-channel10.100",)),
        ("breakout module 1 port 1-4 map 10g-4x", ()),
    ],
)
def test_a_header_may_name_a_range(header: str, ports: tuple[str, ...]) -> None:
    assert expanded(header) == ports


def test_lines_of_a_range_are_those_of_each_port() -> None:
    text = "interface Ethernet1/1-2\n  priority-flow-control mode on\ninterface Ethernet1/2\n  description spare\n"
    rows = told("cisco_nxos:running-config", text, PfcPort)
    assert [(row.port, row.mode) for row in rows] == [("Ethernet1/1", "on"), ("Ethernet1/2", "on")]


def test_a_header_that_names_no_port_is_told() -> None:
    answer = reading(
        "cisco_nxos:running-config", "interface Ethernet1/1\n  mtu 9216\ninterface Ethernet1/2-x\n  mtu 9216\n"
    )
    assert [(skipped.line, skipped.text) for skipped in answer.skipped] == [(3, "interface Ethernet1/2-x")]
