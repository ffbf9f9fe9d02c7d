import json
import re
from typing import Any

import pytest

from fabric_audit.errors import CaptureError
from fabric_audit.facts.pairs import CAUSES, Slot, pair_result
from fabric_audit.facts.performance import Outcome, PerftestRow


def slot(**changed: Any) -> Slot:
    given: dict[str, Any] = {
        "round": 3,
        "id": "round-0003/a-b/rail0",
        "client": "gpu001",
        "server": "gpu002",
        "rail": 0,
        "tool": "ib_write_bw",
        "memory": "host",
        "size_bytes": 8388608,
        "qps": 4,
        "duration_s": 10.0,
        "traffic_class": 106,
        "client_device": "mlx5_0",
        "server_device": "mlx5_1",
        "client_netdev": "eth2",
        "server_netdev": "eth3",
        "line_rate_bps": 400_000_000_000,
        "block": 1,
    }
    return Slot(**(given | changed))


def test_a_slot_survives_the_journal() -> None:
    bound = slot(tcp_port=18515, client_gid_index=3)
    assert Slot.from_json(json.loads(json.dumps(bound.to_json()))) == bound


def test_whole_seconds_are_a_duration_and_later_fields_are_left_out() -> None:
    assert Slot.from_json(slot().to_json() | {"duration_s": 2, "colour": "red"}) == slot(duration_s=2.0)


@pytest.mark.parametrize(
    ("name", "value"), [("rail", "0"), ("rail", None), ("rail", True), ("client", 7), ("block", 1.5)]
)
def test_a_field_of_another_type_is_named(name: str, value: object) -> None:
    with pytest.raises(CaptureError, match=f"round-0003/a-b/rail0: {name} is {value!r}"):
        Slot.from_json(slot().to_json() | {name: value})


def test_a_missing_field_is_named() -> None:
    stored = slot().to_json()
    del stored["tool"]
    with pytest.raises(CaptureError, match="'tool'"):
        Slot.from_json(stored)


def row(**changed: Any) -> PerftestRow:
    given: dict[str, Any] = {
        "tool": "ib_write_bw",
        "size_bytes": 8388608,
        "iterations": 4000,
        "bandwidth_bps": 391.2e9,
        "mtu_bytes": 4096,
        "device": "mlx5_0",
        "qps": 4,
        "bidirectional": False,
        "outcome": "ok",
    }
    return PerftestRow(**(given | changed))


def failure(outcome: str, message: str = "words", **changed: Any) -> PerftestRow:
    return PerftestRow(tool="ib_write_bw", size_bytes=0, outcome=outcome, message=message, **changed)


def test_a_result_is_the_clients() -> None:
    found = pair_result(slot(), [row()], [row(device="mlx5_1", bandwidth_bps=None, outcome="unit_mismatch")])
    assert (found.outcome, found.bandwidth_bps, found.mtu_bytes) == ("ok", 391.2e9, 4096)
    assert (found.client_port, found.server_port, found.line_rate_bps) == ("eth2", "eth3", 400_000_000_000)
    assert found.message is None


def test_the_smaller_of_two_path_mtus_is_used_and_said() -> None:
    found = pair_result(slot(), [row()], [row(device="mlx5_1", mtu_bytes=1024)])
    assert (found.outcome, found.mtu_bytes) == ("ok", 1024)
    assert found.message == "path MTU 4096 at the client, 1024 at the server"


@pytest.mark.parametrize(
    ("client", "server", "outcome", "words"),
    [
        ("no_server", "port_taken", "port_taken", "server: words"),
        ("no_server", "no_client", "no_server", "client: words"),
        ("link_down", "no_client", "link_down", "client: words"),
        ("peer_died", "killed", "killed", "server: words"),
        ("killed", "peer_died", "killed", "client: words"),
        ("option_mismatch", "peer_died", "option_mismatch", "client: words"),
        ("peer_died", "memory_registration", "memory_registration", "server: words"),
        ("link_cut", "killed", "link_cut", "client: words"),
        ("retry_exceeded", "peer_died", "retry_exceeded", "client: words"),
        ("bad_gid", "bad_gid", "bad_gid", "client: words"),
    ],
)
def test_the_cause_is_told_and_not_what_the_other_end_suffers(
    client: str, server: str, outcome: str, words: str
) -> None:
    found = pair_result(slot(), [failure(client)], [failure(server)])
    assert (found.outcome, found.message, found.bandwidth_bps) == (outcome, words, None)


def test_every_outcome_but_ok_and_contradiction_has_its_place_among_the_causes() -> None:
    assert set(CAUSES) == set(Outcome) - {Outcome.OK, Outcome.CONTRADICTION}
    assert len(CAUSES) == len(set(CAUSES))


def test_a_failure_after_the_row_leaves_no_result() -> None:
    found = pair_result(slot(), [row(), failure("peer_died")], [failure("peer_died")])
    assert (found.outcome, found.bandwidth_bps) == ("peer_died", None)


def test_ends_that_left_each_other_over_an_option_name_it() -> None:
    found = pair_result(slot(), [row(qps=1), failure("peer_died", qps=1)], [failure("peer_died", qps=2)])
    assert (found.outcome, found.bandwidth_bps) == ("option_mismatch", None)
    assert found.message == "queue pairs 1 at the client, 2 at the server"


def test_a_server_that_was_ended_after_the_client_had_its_result_is_only_said() -> None:
    found = pair_result(slot(), [row()], [failure("killed")])
    assert (found.outcome, found.message) == ("ok", "server: words")


@pytest.mark.parametrize(("seconds", "outcome"), [(0.3, "no_server"), (3.4, "host_absent"), (None, "no_server")])
def test_a_refused_connection_is_told_from_an_absent_host_by_its_time(seconds: float | None, outcome: str) -> None:
    silent = pair_result(slot(), [failure("no_server")], [], server_error="not delivered", duration_s=seconds)
    assert silent.outcome == "not_delivered"
    waited = pair_result(slot(), [failure("no_server")], [failure("killed")], duration_s=seconds)
    assert waited.outcome == outcome


@pytest.mark.parametrize(
    ("client", "server", "words"),
    [
        ({"device": "mlx5_3"}, {}, "device mlx5_3 at the client, mlx5_0 in the plan"),
        ({}, {"device": "mlx5_7"}, "device mlx5_7 at the server, mlx5_1 in the plan"),
        ({"qps": 1}, {}, "queue pairs 1 at the client, 4 in the plan"),
        ({"bidirectional": True}, {}, "bidirectional True at the client, False in the plan"),
        ({"tool": "ib_send_bw"}, {}, "tool ib_send_bw at the client, ib_write_bw in the plan"),
        ({}, {"size_bytes": 65536}, "message size 65536 at the server, 8388608 in the plan"),
        ({"size_bytes": 65536}, {}, r"8388608 bytes were asked for, the client printed \[65536\]"),
    ],
)
def test_ends_that_contradict_the_plan_give_no_result(
    client: dict[str, Any], server: dict[str, Any], words: str
) -> None:
    found = pair_result(slot(), [row(**client)], [row(**({"device": "mlx5_1"} | server))])
    assert (found.outcome, found.bandwidth_bps) == ("contradiction", None)
    assert re.search(words, found.message or "")


def test_ends_that_said_nothing_have_no_result() -> None:
    assert pair_result(slot(), [], []).outcome == "no_result"
    silent = pair_result(slot(), [], [], client_error="deadline: silent for 40 s")
    assert (silent.outcome, silent.message) == ("not_delivered", "client: deadline: silent for 40 s")


def test_a_latency_slot_carries_its_percentiles() -> None:
    asked = slot(tool="ib_write_lat", size_bytes=2, qps=1)
    told = row(
        tool="ib_write_lat",
        size_bytes=2,
        qps=1,
        bandwidth_bps=None,
        latency_typical_us=1.9,
        latency_p99_us=2.1,
        latency_p999_us=6.0,
    )
    found = pair_result(asked, [told], [])
    assert (found.latency_typical_us, found.latency_p99_us, found.latency_p999_us) == (1.9, 2.1, 6.0)
