from typing import Any

import pytest

from fabric_audit.facts.tables import row
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections
from tests.platforms.switches.sonic.test_config_db import facts

WATCHDOG = {"action": "drop", "detection_time": "200", "restoration_time": "200"}


def watchdogs(qos: dict[str, Any], ports: int = 1, watchdog: dict[str, str] = WATCHDOG) -> list[dict[str, object]]:
    names = [f"Ethernet{number}" for number in range(ports)]
    database = {
        "PORT": {name: {} for name in names},
        "PORT_QOS_MAP": dict.fromkeys(names, qos),
        "PFC_WD": dict.fromkeys(names, watchdog),
    }
    return [row(fact) for fact in facts(database, "pfc_watchdog")]


@pytest.mark.parametrize(("ports", "milliseconds"), [(32, 200), (512, 3200)])
def test_times_are_told_as_they_are_on_boxes_of_any_size(ports: int, milliseconds: int) -> None:
    times = {"detection_time": str(milliseconds), "restoration_time": str(milliseconds)}
    found = watchdogs({"pfc_enable": "3"}, ports, times)
    assert len(found) == ports
    assert {(one["detect_ms"], one["restore_ms"]) for one in found} == {(milliseconds, milliseconds)}


def test_without_the_software_mask_the_whole_port_is_watched() -> None:
    (port,) = watchdogs({"pfc_enable": "3,4"})
    assert (port["queue"], port["enabled"]) == (-1, True)


def test_a_lossless_priority_that_the_software_mask_leaves_out_is_not_watched() -> None:
    port, queue = watchdogs({"pfc_enable": "3,4", "pfcwd_sw_enable": "3"})
    assert (port["queue"], port["enabled"]) == (-1, True)
    assert (queue["queue"], queue["enabled"]) == (4, False)


def test_a_storm_that_goes_on_counts_more_detected_than_restored() -> None:
    text = (
        "      QUEUE    STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP\n"
        "-----------  --------  -------------------------  ------------  ------------\n"
        "Ethernet0:3   stormed                        2/1      100/4120          0/18\n"
    )
    (storm,) = [row(fact) for fact in read(all_sections()["sonic:show-pfcwd-stats"], Output(text, rc=None)).facts]
    assert (storm["storms_detected"], storm["storms_restored"]) == (2, 1)
    assert storm["dropped_packets"] == 4138
