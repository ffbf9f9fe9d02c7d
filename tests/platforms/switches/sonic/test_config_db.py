import json
from typing import Any

import pytest

from fabric_audit.facts import Fact
from fabric_audit.facts.tables import row
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import Reading, read
from fabric_audit.platforms.registry import all_sections
from fabric_audit.platforms.switches.sonic import PLATFORM

PORTS = {"Ethernet0": {"admin_status": "up", "mtu": "9216"}, "Ethernet4": {"admin_status": "up"}}


def reading(database: dict[str, Any], section: str = "config-db") -> Reading:
    return read(all_sections()[f"sonic:{section}"], Output(json.dumps(database, indent=4), rc=None))


def facts(database: dict[str, Any], table: str) -> list[Fact]:
    return [fact for fact in reading(database).facts if table == fact.TABLE]


def test_a_port_without_pfc_is_a_row_and_the_show_command_has_none() -> None:
    database = {"PORT": PORTS, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}}
    told = {row(fact)["port"]: row(fact)["admin_priorities"] for fact in facts(database, "pfc_port")}
    assert told == {"Ethernet0": "34", "Ethernet4": ""}
    shown = "\nInterface    Lossless priorities\n-----------  ---------------------\nEthernet0    3,4\n\n"
    answer = read(all_sections()["sonic:show-pfc-priority"], Output(shown, rc=None))
    assert [row(fact)["port"] for fact in answer.facts] == ["Ethernet0"]


@pytest.mark.parametrize("written", ["[WRED_PROFILE|LOSSLESS]", "[WRED_PROFILE:LOSSLESS]", "LOSSLESS"])
def test_references_of_every_database_version_lead_to_the_profile(written: str) -> None:
    database = {
        "PORT": PORTS,
        "QUEUE": {"Ethernet0|3-4": {"wred_profile": written}},
        "WRED_PROFILE": {"LOSSLESS": {"ecn": "ecn_all", "green_min_threshold": "150000"}},
    }
    marking = [row(fact)["queue"] for fact in facts(database, "queue") if row(fact)["ecn"]]
    assert marking == [3, 4]
    assert facts(database, "broken_reference") == []


def test_a_reference_that_leads_nowhere_is_told_with_its_line() -> None:
    database = {"PORT": PORTS, "QUEUE": {"Ethernet0|3": {"wred_profile": "GONE"}}, "WRED_PROFILE": {}}
    (broken,) = facts(database, "broken_reference")
    assert row(broken) == {"owner": "Ethernet0|3", "field": "wred_profile", "target": "WRED_PROFILE GONE"}
    text = json.dumps(database, indent=4).split("\n")
    assert broken.line is not None
    assert '"wred_profile"' in text[broken.line - 1]
    (queue,) = [
        row(fact) for fact in facts(database, "queue") if (row(fact)["port"], row(fact)["queue"]) == ("Ethernet0", 3)
    ]
    assert queue["ecn"] is None


def test_a_profile_that_drops_instead_of_marking() -> None:
    database = {
        "PORT": PORTS,
        "QUEUE": {"Ethernet0|3": {"wred_profile": "W"}, "Ethernet0|4": {"wred_profile": "M"}},
        "WRED_PROFILE": {
            "W": {"ecn": "ecn_none", "wred_green_enable": "true", "green_min_threshold": "1048576"},
            "M": {"ecn": "ecn_green", "wred_green_enable": "true", "green_min_threshold": "1048576"},
        },
    }
    told = {
        row(fact)["queue"]: (row(fact)["ecn"], row(fact)["wred_drops"], row(fact)["ecn_drops_non_ect"])
        for fact in facts(database, "queue")
        if row(fact)["port"] == "Ethernet0"
    }
    assert told[3] == (False, True, None)
    assert told[4] == (True, False, True)
    assert told[5] == (False, False, None)


def test_xoff_is_headroom_and_no_level_of_pause() -> None:
    database = {
        "PORT": PORTS,
        "BUFFER_PG": {"Ethernet0|3": {"profile": "lossless"}},
        "BUFFER_PROFILE": {"lossless": {"xon": "18432", "xoff": "32768", "size": "51200", "dynamic_th": "-3"}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}},
    }
    (group,) = [row(fact) for fact in facts(database, "priority_group")]
    assert group["xoff_bytes"] == 32768
    assert group["pause_at_bytes"] is None
    assert group["alpha_exp"] == -3
    assert group["cable_length_m"] == 40.0
    assert group["lossless"] is True


@pytest.mark.parametrize(("model", "lossless"), [("dynamic", False), ("traditional", None)])
def test_a_lossless_priority_without_a_group_is_no_headroom_only_where_nobody_makes_one(
    model: str, lossless: bool | None
) -> None:
    database = {
        "PORT": PORTS,
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-a7", "buffer_model": model}},
    }
    (group,) = [row(fact) for fact in facts(database, "priority_group")]
    assert group["pg"] == 3
    assert group["lossless"] is lossless


def test_the_global_dscp_map_holds_for_ports_that_bind_none() -> None:
    database = {
        "PORT": PORTS,
        "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "A"}, "Ethernet4": {"dscp_to_tc_map": "B"}},
        "DSCP_TO_TC_MAP": {"A": {"26": "3"}, "B": {"26": "1"}},
    }
    told = {row(fact)["port"]: row(fact)["traffic_class"] for fact in facts(database, "dscp_map")}
    assert told == {"Ethernet0": 3, "Ethernet4": 1}
    assert {row(fact)["trust_mode"] for fact in facts(database, "interface")} == {"dscp"}


def test_every_spelling_of_a_database_gives_the_same_facts() -> None:
    nested = {
        "PORT": PORTS,
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}, "Ethernet4": {"pfc_enable": "3"}},
        "QUEUE": {f"{port}|{queue}": {"scheduler": "s"} for port in PORTS for queue in (3, 4)},
        "SCHEDULER": {"s": {"type": "STRICT"}},
    }
    flat = {f"{table}|{key}": {"value": entry} for table, entries in nested.items() for key, entry in entries.items()}
    listed = nested | {
        "PORT_QOS_MAP": {"Ethernet0,Ethernet4": {"pfc_enable": "3"}},
        "QUEUE": {"Ethernet0,Ethernet4|3-4": {"scheduler": "[SCHEDULER|s]"}},
    }
    expected = set(map(repr, map(row, reading(nested).facts)))
    assert set(map(repr, map(row, reading(listed).facts))) == expected
    assert set(map(repr, map(row, reading(flat, "config-db-dump").facts))) == expected


def test_lines_lead_to_the_key_that_is_meant() -> None:
    database = {
        "PORT": {"Ethernet0": {"description": '"mtu": {', "mtu": "9216"}},
        "PORT_QOS_MAP": {"Ethernet0": {"tc_to_queue_map": "A", "dscp_to_tc_map": "A", "pfc_enable": "3"}},
        "DSCP_TO_TC_MAP": {"A": {"24": "3", "26": "3"}},
        "TC_TO_QUEUE_MAP": {"A": {"3": "3"}},
        "PFC_WD": {"Ethernet0": {"detection_time": "200"}},
    }
    text = json.dumps(database, indent=4).split("\n")
    shown = {fact.TABLE: text[(fact.line or 0) - 1].strip() for fact in reading(database).facts}
    assert shown["interface"] == '"Ethernet0": {'
    assert shown["pfc_port"].startswith('"pfc_enable"')
    assert shown["dscp_map"] == '"26": "3"'
    assert shown["traffic_class_map"] == '"3": "3"'
    assert shown["pfc_watchdog"] == '"Ethernet0": {'


def test_a_line_is_that_of_the_text_as_it_came() -> None:
    text = "admin@leaf-a7:~$ sudo show runningconfiguration all\n\n" + json.dumps({"PORT": PORTS}, indent=4)
    answer = read(all_sections()["sonic:config-db"], Output(text, rc=None))
    (line,) = [fact.line for fact in answer.facts if fact.TABLE == "interface" and row(fact)["port"] == "Ethernet4"]
    assert text.split("\n")[(line or 0) - 1].strip() == '"Ethernet4": {'


def test_defaults_of_absent_lines_are_documented() -> None:
    database = {"PORT": {"Ethernet0": {"speed": "400000"}}}
    (interface,) = [row(fact) for fact in facts(database, "interface")]
    assert (interface["admin_up"], interface["mtu_bytes"], interface["trust_mode"]) == (False, 9100, "none")
    (watchdog,) = [row(fact) for fact in facts(database, "pfc_watchdog")]
    assert (watchdog["enabled"], watchdog["poll_ms"], watchdog["big_red_switch"]) == (False, 100, False)
    assert all(row(fact)["ecn"] is False for fact in facts(database, "queue"))
    for field in ("interface.admin_up", "interface.mtu_bytes", "queue.ecn", "pfc_watchdog.poll_ms"):
        assert field in PLATFORM.absent_means


def test_odd_json_is_refused_or_listed_and_never_an_exception() -> None:
    odd: list[dict[str, Any]] = [
        {"PORT": []},
        {"PORT": {"Ethernet0": None, "Ethernet4": "x", "Ethernet8": {"mtu": {"a": 1}, "alias": True}}},
        {"PORT": PORTS, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": ["3", "4"]}, "": {"pfc_enable": 3}}},
        {"PORT": PORTS, "QUEUE": {"": {}, "|": {}, "Ethernet0|": {}, "Ethernet0|9-1": {}, "a|b|c|d|3": {}}},
        {"PORT": PORTS, "BUFFER_PG": {"Ethernet0|3": {"profile": ["NULL"]}}, "CABLE_LENGTH": {"A": {"Ethernet0": 5}}},
        {"PORT": PORTS, "PFC_WD": {"Ethernet0": {"action": 5}, "GLOBAL": {"POLL_INTERVAL": "soon"}}},
        {"localhost": {}, "asic0": []},
    ]
    for database in odd:
        assert reading(database).state in ("parsed", "partial", "parse_error")


def test_priorities_may_come_as_a_list() -> None:
    database = {"PORT": PORTS, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": ["3", "4"]}}}
    assert row(facts(database, "pfc_port")[0])["admin_priorities"] == "34"
