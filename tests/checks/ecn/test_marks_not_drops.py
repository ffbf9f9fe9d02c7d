"""The lossless queue marks; it never drops early."""

from dataclasses import replace

from fabric_audit.checks.ecn import marks_not_drops
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.qos import Queue
from tests.checks.judging import verdicts
from tests.checks.places import PORT, marking, switch_port


def of(queue: Queue, **given: object) -> str:
    return verdicts(marks_not_drops, {"leaf1": [*switch_port(), queue]}, **given)["leaf1/Ethernet1"]


def test_marking() -> None:
    assert of(marking()) == "PASS"


def test_random_drops() -> None:
    assert of(Queue(port=PORT, queue=3, ecn=False, wred_drops=True)) == "FAIL"


def test_neither() -> None:
    assert of(Queue(port=PORT, queue=3, ecn=False, wred_drops=False)) == "PASS"


def test_what_is_not_ecn_capable_is_dropped_where_others_are_marked() -> None:
    drops = replace(marking(), ecn_drops_non_ect=True)
    assert of(drops) == "PASS"
    assert of(drops, roce_traffic_class=104) == "FAIL"
    assert of(marking(), roce_traffic_class=104) == "PASS"


def test_the_queue_is_not_known() -> None:
    assert verdicts(marks_not_drops, {"leaf1": [FabricPort(port=PORT, side="host")]}) == {"leaf1/Ethernet1": "UNKNOWN"}
    assert of(Queue(port=PORT, queue=3)) == "UNKNOWN"
