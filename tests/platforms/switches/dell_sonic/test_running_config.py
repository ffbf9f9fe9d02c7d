import json
from pathlib import Path

import pytest

from fabric_audit.facts import Fact
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.tables import row
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import Reading, read
from fabric_audit.platforms.registry import all_sections

HERE = Path(__file__).parent


def reading(text: str) -> Reading:
    return read(all_sections()["dell_sonic:running-config"], Output(text, rc=None))


def facts(text: str, table: str) -> list[Fact]:
    return [fact for fact in reading(text).facts if table == fact.TABLE]


def test_thresholds_are_thousands_of_bytes_and_keep_what_was_printed() -> None:
    text = (
        "qos wred-policy ROCE\n green minimum-threshold 1048 maximum-threshold 2097 drop-probability 5\n ecn green\n!\n"
        "interface Eth1/1\n queue 3 wred-policy ROCE\n!\n"
    )
    queue = next(row(fact) for fact in facts(text, "queue") if row(fact)["queue"] == 3)
    assert (queue["ecn_min_bytes"], queue["ecn_max_bytes"]) == (1_048_000, 2_097_000)
    assert queue["ecn_raw"] == "1048/2097 KBytes 5 %"


def test_the_command_line_and_config_db_say_the_same() -> None:
    """The two spellings of one intent give equal rows, but for the names of ports and maps and the printed form."""
    ours = reading((HERE / "running-config" / "healthy.txt").read_text("utf-8"))
    database = {
        "PORT": {
            "Eth1/1": {
                "mtu": "9216",
                "speed": "400000",
                "fec": "rs",
                "admin_status": "up",
                "description": "gpu-n014 rail 0",
            }
        },
        "CABLE_LENGTH": {"AZURE": {"Eth1/1": "5m"}},
        "DSCP_TO_TC_MAP": {"R": {str(dscp): {26: "3", 48: "6"}.get(dscp, "0") for dscp in range(64)}},
        "TC_TO_QUEUE_MAP": {"R": {"0": "0", "3": "3", "6": "6"}},
        "TC_TO_PRIORITY_GROUP_MAP": {"R": {"0": "7", "3": "3", "6": "7"}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"R": {"3": "3"}},
        "PORT_QOS_MAP": {
            "Eth1/1": {
                "pfc_enable": "3",
                "dscp_to_tc_map": "R",
                "tc_to_queue_map": "R",
                "tc_to_pg_map": "R",
                "pfc_to_queue_map": "R",
            }
        },
        "WRED_PROFILE": {
            "W": {
                "ecn": "ecn_green",
                "wred_green_enable": "true",
                "green_min_threshold": "150000",
                "green_max_threshold": "1500000",
                "green_drop_probability": "5",
            }
        },
        "SCHEDULER": {
            "a": {"type": "DWRR", "weight": "25"},
            "b": {"type": "DWRR", "weight": "75"},
            "c": {"type": "STRICT"},
        },
        "QUEUE": {
            "Eth1/1|0": {"scheduler": "a"},
            "Eth1/1|3": {"scheduler": "b", "wred_profile": "W"},
            "Eth1/1|6": {"scheduler": "c"},
        },
        "PFC_WD": {
            "Eth1/1": {"action": "drop", "detection_time": "200", "restoration_time": "200"},
            "GLOBAL": {"POLL_INTERVAL": "200"},
        },
    }
    theirs = read(all_sections()["sonic:config-db"], Output(json.dumps(database, indent=4), rc=None))
    compared = ("interface", "pfc_port", "dscp_map", "traffic_class_map", "pfc_priority_map", "queue", "pfc_watchdog")
    for table in compared:
        assert rows(ours, table) == rows(theirs, table), table
        assert rows(ours, table)


def rows(found: Reading, table: str) -> set[str]:
    own = {"ecn_raw": None, "source": None}
    made = [
        row(fact) | {name: None for name in own if name in row(fact)} for fact in found.facts if table == fact.TABLE
    ]
    return {repr(one) for one in made if not str(one["port"]).startswith("PortChannel")}


def test_lost_indentation_changes_nothing() -> None:
    whole = (HERE / "running-config" / "healthy.txt").read_text("utf-8")
    flat = "\n".join(line.strip() for line in whole.split("\n"))
    assert set(map(repr, map(row, reading(flat).facts))) == set(map(repr, map(row, reading(whole).facts)))


def test_a_watchdog_without_on_is_off_whatever_its_action() -> None:
    watchdog = " priority-flow-control watchdog"
    text = f"interface Eth1/1\n{watchdog} action drop\n{watchdog} restore-time 400\n"
    (told,) = [row(fact) for fact in facts(text, "pfc_watchdog")]
    assert (told["enabled"], told["action"], told["restore_ms"]) == (False, None, None)


def test_a_map_that_is_not_shown_is_unknown_and_one_that_is_gone_is_broken() -> None:
    interface = "interface Eth1/1\n qos-map dscp-tc ROCE\n!\n"
    assert facts(interface, "broken_reference") == []
    assert {(m.table, str(m.why)) for m in reading(interface).missing} >= {("dscp_map", "not_collected")}
    (broken,) = facts("qos map dscp-tc OTHER\n dscp 26 traffic-class 3\n!\n" + interface, "broken_reference")
    assert row(broken)["target"] == "DSCP_TO_TC_MAP ROCE"
    assert broken.line == 5


def test_lines_are_those_of_the_configuration() -> None:
    text = (HERE / "running-config" / "broken.txt").read_text("utf-8")
    lines = text.split("\n")
    shown = {
        (fact.TABLE, str(row(fact)["port"])): lines[(fact.line or 0) - 1].strip()
        for fact in reading(text).facts
        if "port" in row(fact) and row(fact).get("queue") in (None, -1)
    }
    assert shown["interface", "Eth1/1"] == "interface Eth1/1"
    assert shown["pfc_port", "Eth1/1"] == "priority-flow-control priority 4"
    assert shown["pfc_watchdog", "Ethernet272"] == "priority-flow-control watchdog on detect-time 100"
    assert shown["pfc_port", "Eth1/2"] == "interface Eth1/2"


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("priority-flow-control priority three", "pfc_port"),
        ("priority-flow-control watchdog off-and-on", "pfc_watchdog"),
        ("queue three wred-policy ROCE", "queue"),
        ("qos-map dscp-tc", "dscp_map"),
    ],
)
def test_what_an_unreadable_line_may_have_said_is_not_told(line: str, table: str) -> None:
    text = f"qos map dscp-tc A\n dscp 26 traffic-class 3\n!\ninterface Eth1/1\n qos-map dscp-tc A\n {line}\n!\n"
    found = reading(text)
    assert found.state == "partial"
    assert not any(table == fact.TABLE for fact in found.facts)
    assert any(fact.TABLE == "interface" for fact in found.facts)


def test_lines_of_a_range_are_those_of_each_port() -> None:
    text = "interface range Eth1/1-1/2,Eth1/9\n mtu 9216\n priority-flow-control priority 3\n!\n"
    enabled = {fact.port: fact.admin_priorities for fact in reading(text).facts if isinstance(fact, PfcPort)}
    assert enabled == {"Eth1/1": "3", "Eth1/2": "3", "Eth1/9": "3"}


def test_a_range_of_other_words_is_told() -> None:
    found = reading("interface range vlans\n mtu 9216\n!\ninterface Eth1/1\n mtu 9216\n!\n")
    assert [skipped.line for skipped in found.skipped] == [1]
