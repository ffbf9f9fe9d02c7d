import json
from typing import Any

import pytest

from fabric_audit.errors import CaptureError
from fabric_audit.facts.pairs import Slot


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
