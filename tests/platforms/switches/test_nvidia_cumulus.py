"""The traps of Cumulus Linux, each by itself."""

import re

import pytest

from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import EcnProfile, PfcProfile, RoceMode
from fabric_audit.facts.qos import DscpMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import LagMember
from fabric_audit.platforms.switches.nvidia_cumulus import PLATFORM
from fabric_audit.platforms.switches.nvidia_cumulus.names import expanded, kind
from fabric_audit.platforms.switches.nvidia_cumulus.shown import flag, size_bytes
from tests.platforms.switches.told import reading, told

CONFIG = "nvidia_cumulus:nv-config-show-commands"
ROCE = "nvidia_cumulus:nv-show-qos-roce"
HEADER = "                   operational  applied\n-----------------  -----------  -------\n"
PORT = "nv set interface swp1 type swp\n"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("146.48 KB", 149_996),
        ("1.43 MB", 1_499_464),
        ("1 KB", 1024),
        ("25000 B", 25_000),
        ("0 Bytes", 0),
        ("inf", None),
    ],
)
def test_a_kilobyte_is_1024_bytes(text: str, size: int | None) -> None:
    assert size_bytes(text, 1) == size


@pytest.mark.parametrize("words", ["state enabled", "enable on", "state enable", ""])
def test_every_spelling_switches_the_macro_on(words: str) -> None:
    line = f"nv set qos roce {words}\n".replace("roce \n", "roce\n")
    (row,) = told(CONFIG, PORT + line, PfcPort)
    assert (row.mode, row.admin_priorities) == ("on", "3")


@pytest.mark.parametrize("words", ["state disabled", "enable off", "state disable"])
def test_every_spelling_switches_it_off(words: str) -> None:
    text = f"{PORT}nv set qos roce {words}\nnv set qos roce mode lossless\n"
    (row,) = told(CONFIG, text, PfcPort)
    (macro,) = told(CONFIG, text, RoceMode)
    assert (row.mode, macro.mode) == ("off", "none")


@pytest.mark.parametrize(
    ("word", "on"), [("yes", True), ("enabled", True), ("enable", True), ("off", False), ("?", None)]
)
def test_words_of_a_switch(word: str, on: bool | None) -> None:
    assert flag(word) is on


def test_a_lossy_mode_has_no_pfc() -> None:
    (row,) = told(CONFIG, f"{PORT}nv set qos roce mode lossy\n", PfcPort)
    assert (row.mode, row.admin_priorities) == ("off", "")


def test_without_a_line_only_queue_0_marks_and_802_1p_is_trusted() -> None:
    (port,) = told(CONFIG, PORT, Interface)
    marking = {row.queue for row in told(CONFIG, PORT, Queue) if row.ecn}
    assert (port.trust_mode, marking) == ("pcp", {0})


def test_the_marking_queue_of_a_dscp_is_told_by_two_maps() -> None:
    text = (
        f"{PORT}nv set qos roce mode lossless\nnv set qos mapping default-global dscp 26 switch-priority 2\n"
        "nv set qos egress-queue-mapping default-global switch-priority 2 traffic-class 5\n"
    )
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, text, DscpMap)}
    queue = {row.traffic_class: row.queue for row in told(CONFIG, text, TrafficClassMap)}
    marks = {row.queue: row.ecn for row in told(CONFIG, text, Queue)}
    assert (landed[26], queue[2], marks[5]) == (2, 5, False)


def test_pause_that_is_not_obeyed_protects_nothing() -> None:
    text = f"{PORT}nv set qos pfc default-global switch-priority 3\nnv set qos pfc default-global rx disable\n"
    (row,) = told(CONFIG, text, PfcPort)
    assert (row.mode, row.admin_priorities, row.oper_priorities, row.rx_enabled) == ("on", "3", "", False)


def test_a_watchdog_needs_pfc() -> None:
    watched = f"{PORT}nv set interface swp1 qos pfc-watchdog\n"
    assert [row.enabled for row in told(CONFIG, watched, PfcWatchdog)] == [False]
    assert [row.enabled for row in told(CONFIG, watched + "nv set qos roce\n", PfcWatchdog)] == [True]


def test_a_broken_out_port_is_its_parts() -> None:
    text = "nv set interface swp3 link breakout 4x100G\nnv set interface swp3s1 link mtu 1500\n"
    found = {row.port: row.mtu_bytes for row in told(CONFIG, text, Interface)}
    assert found == {"swp3s0": 9216, "swp3s1": 1500, "swp3s2": 9216, "swp3s3": 9216}


def test_members_of_a_bond_are_ports_though_nothing_else_names_them() -> None:
    text = "nv set interface bond1 bond member swp5-6\nnv set qos roce\n"
    assert [row.port for row in told(CONFIG, text, PfcPort)] == ["swp5", "swp6"]
    assert [row.port for row in told(CONFIG, text, LagMember)] == ["swp5", "swp6"]


def test_lossless_without_a_word_of_priorities_was_cut() -> None:
    answer = reading(ROCE, HEADER + "mode               lossless     lossless\n")
    assert [row for row in answer.facts if isinstance(row, PfcProfile)] == []
    assert [(missing.table, str(missing.why)) for missing in answer.missing] == [("pfc_profile", "parse_error")]


def test_marking_is_told_of_each_class() -> None:
    text = HEADER + (
        "mode               lossless     lossless\ncongestion-control\n  enabled-tc       0,3\n"
        "  min-threshold    146.48 KB\n  max-threshold    1.43 MB\n"
    )
    marks = {row.profile: row.ecn for row in told(ROCE, text, EcnProfile)}
    assert [name for name, on in marks.items() if on] == ["roce traffic-class 0", "roce traffic-class 3"]


def test_dropped_frames_have_a_unit_of_bytes_and_are_frames() -> None:
    text = (
        "Egress Queue Statistics\n=======\n    traffic-class  tx-frames  tx-uc-buffer-discards\n"
        "    -------------  ---------  ---------------------\n    3              10         75.19 KB\n"
    )
    (row,) = told(
        "nvidia_cumulus:nv-show-interface-counters-qos", f"x@y:~$ nv show interface swp1 x\n{text}", QueueCounter
    )
    assert row.drop_packets == pytest.approx(76_993, rel=1e-4)


@pytest.mark.parametrize(
    ("names", "ports"),
    [
        ("swp1-3,swp6", ("swp1", "swp2", "swp3", "swp6")),
        ("swp1-swp2", ("swp1", "swp2")),
        ("swp1s0-2", ("swp1s0", "swp1s1", "swp1s2")),
        ("swp1s0-swp1s1", ("swp1s0", "swp1s1")),
        ("[swp1,swp3]", ("swp1", "swp3")),
        ("vlan10,20", ("vlan10", "vlan20")),
        ("peerlink.4094", ("peerlink.4094",)),
    ],
)
def test_lists_of_ports(names: str, ports: tuple[str, ...]) -> None:
    assert expanded(names, 1) == ports


@pytest.mark.parametrize(
    ("port", "sort"),
    [("swp1", "physical"), ("swp1s3", "physical"), ("eth0", "management"), ("swp1.10", "vlan"), ("storage", None)],
)
def test_kinds_of_ports(port: str, sort: str | None) -> None:
    assert kind(port) == sort


@pytest.mark.parametrize(
    "words",
    [
        "Error: The requested item does not exist.",
        "-bash: nv: command not found",
        "cat: /etc/cumulus/datapath/qos/qos_features.conf: Permission denied",
        "sudo: a password is required",
    ],
)
def test_a_refusal_is_not_supported(words: str) -> None:
    answer = reading("nvidia_cumulus:nv-show-system-json", f"{words}\n")
    assert (answer.state, answer.reason) == ("not_supported", words)


def test_secrets_are_named() -> None:
    text = (
        "nv set system aaa user ops hashed-password '$6$one'\n"
        "nv set system aaa tacacs server 1 secret two\n"
        "nv set system aaa radius server 192.0.2.9 secret three\n"
        "nv set service snmp-server default readonly-community four access any\n"
        "nv set service snmp-server default username u auth-md5 x auth-password five\n"
        "nv set vrf default router bgp neighbor swp1 password six\n"
        "    readonly-community:\n      seven:\n        access: any\n"
        "  password: eight\n"
    )
    found = {match[1] for pattern in PLATFORM.secrets for match in re.finditer(pattern, text, re.MULTILINE)}
    assert {"$6$one", "two", "three", "four", "five", "six", "seven", "eight"} <= found
