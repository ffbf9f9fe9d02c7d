"""Headroom for speed, cable and MTU, by the arithmetic of 802.1Qbb."""

import pytest

from fabric_audit.analysis.headroom import headroom
from fabric_audit.checks.buffers import headroom as module
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.intent import Cable
from fabric_audit.facts.ports import Interface
from tests.checks.judging import findings, verdicts
from tests.checks.places import PORT, lossless_group, switch_port


def port(xoff: int | None, length: float | None = 5.0, speed: int = 400) -> list[Fact]:
    told = Interface(port=PORT, speed_bps=speed * 10**9, mtu_bytes=9216, cable_length_m=length)
    return [*switch_port(), told, lossless_group(xoff=xoff)]


def test_the_arithmetic() -> None:
    found = headroom(speed_bps=400 * 10**9, cable_m=5, mtu_bytes=9216, lossless_bytes=4174)
    assert found is not None
    assert (found.own_frame, found.cable, found.response, found.peer_frame) == (9254, 2525, 57920, 4212)
    assert found.total == 9254 + 84 + 2525 + 57920 + 4212


def test_longer_cables_and_faster_ports_need_more() -> None:
    def total(speed: int, metres: float) -> int:
        found = headroom(speed_bps=speed * 10**9, cable_m=metres, mtu_bytes=9216, lossless_bytes=4174)
        assert found is not None
        return found.total

    assert total(400, 300) - total(400, 5) == pytest.approx(2 * 295 / 1.98e8 * 400e9 / 8, abs=1)
    assert total(100, 40) < total(400, 40)


def test_a_rate_that_no_standard_knows() -> None:
    assert headroom(speed_bps=10**9, cable_m=5, mtu_bytes=9216, lossless_bytes=4174) is None
    assert verdicts(module, {"leaf1": port(200_000, speed=1)}) == {"leaf1/Ethernet1": "UNKNOWN"}


@pytest.mark.parametrize(
    ("xoff", "length", "verdict"),
    [(200_000, 5.0, "PASS"), (73_995, 5.0, "PASS"), (73_994, 5.0, "FAIL"), (100_000, 300.0, "FAIL")],
)
def test_headroom_of_a_port(xoff: int, length: float, verdict: str) -> None:
    assert verdicts(module, {"leaf1": port(xoff, length)}) == {"leaf1/Ethernet1": verdict}


def test_the_finding_shows_its_arithmetic() -> None:
    (found,) = findings(module, {"leaf1": port(10_000)})
    assert found.expected == (
        "at least 9254 own frame + 84 pause frame + 2525 cable, both ways + 57920 peer's response"
        " + 4212 peer's frame = 73995 bytes"
    )


def test_the_cable_plan_is_believed_before_the_configuration() -> None:
    plan = Cable(a_target="leaf1", a_port=PORT, b_target="h1", b_port="rdma0", length_m=300.0)
    assert verdicts(module, {"leaf1": [*port(100_000), plan]}) == {"leaf1/Ethernet1": "FAIL"}


def test_without_any_length_the_policy_has_one() -> None:
    (found,) = findings(module, {"leaf1": port(200_000, None)})
    assert "40 m" in found.message


def test_shared_headroom_counts() -> None:
    pool = BufferPool(pool="ingress", shared_headroom_bytes=10_000_000)
    assert verdicts(module, {"leaf1": [*port(0), pool]}) == {"leaf1/Ethernet1": "PASS"}


def test_headroom_that_is_not_told() -> None:
    assert verdicts(module, {"leaf1": port(None)}) == {"leaf1/Ethernet1": "UNKNOWN"}
    cannot = {("leaf1", "priority_group"): "it prints none"}
    assert verdicts(module, {"leaf1": switch_port()}, cannot=cannot) == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}
