"""RoCE arrives in a lossless buffer with room."""

from dataclasses import replace

import pytest

from fabric_audit.checks.buffers import lossless_group as module
from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.pfc import PfcPort
from tests.checks.judging import verdicts
from tests.checks.places import NIC, PORT, lossless_group, nic, switch_port


@pytest.mark.parametrize(
    ("group", "verdict"),
    [
        (lossless_group(), "PASS"),
        (lossless_group(xoff=None), "PASS"),
        (lossless_group(xoff=0), "FAIL"),
        (replace(lossless_group(), lossless=False), "FAIL"),
        (lossless_group(pg=4), "FAIL"),
        (PriorityGroup(port=PORT, pg=3), "UNKNOWN"),
    ],
)
def test_the_group_of_a_switch_port(group: PriorityGroup, verdict: str) -> None:
    assert verdicts(module, {"leaf1": [*switch_port(), group]}) == {"leaf1/Ethernet1": verdict}


def test_headroom_may_be_shared() -> None:
    shared = BufferPool(pool="ingress", shared_headroom_bytes=10_000_000)
    assert verdicts(module, {"leaf1": [*switch_port(), lossless_group(xoff=0), shared]}) == {"leaf1/Ethernet1": "PASS"}


@pytest.mark.parametrize(
    ("lossless", "size", "verdict"), [(True, 150_000, "PASS"), (False, 150_000, "FAIL"), (True, 0, "FAIL")]
)
def test_the_receive_buffer_of_a_nic(lossless: bool, size: int, verdict: str) -> None:
    buffer = PriorityGroup(port=NIC, pg=1, lossless=lossless, size_bytes=size)
    assert verdicts(module, {"h1": [*nic(), buffer]}) == {"h1/rdma0": verdict}


def test_no_buffers_are_told() -> None:
    assert verdicts(module, {"leaf1": switch_port()}) == {"leaf1/Ethernet1": "UNKNOWN"}
    cannot = {("leaf1", "traffic_class_map.pg"): "it prints no groups"}
    assert verdicts(module, {"leaf1": switch_port()}, cannot=cannot) == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}


@pytest.mark.parametrize(
    ("mode", "priorities", "verdict"), [("on", "3", "PASS"), ("on", "4", "FAIL"), (None, None, "UNKNOWN")]
)
def test_pfc_reserves_the_buffer_where_the_platform_says_so(
    mode: str | None, priorities: str | None, verdict: str
) -> None:
    seen = {"leaf1": [*switch_port(), PfcPort(port=PORT, mode=mode, admin_priorities=priorities)]}
    cannot = {("leaf1", "priority_group"): "it prints no groups"}
    reserves = {"leaf1": "PFC on a priority makes its group"}
    assert verdicts(module, seen, cannot=cannot, reserves=reserves) == {"leaf1/Ethernet1": verdict}
    assert verdicts(module, seen, cannot=cannot) == {"leaf1/Ethernet1": "NOT_VERIFIABLE"}


def test_a_group_that_is_told_counts_more_than_what_pfc_reserves() -> None:
    told = replace(lossless_group(), lossless=False)
    seen = {"leaf1": [*switch_port(), told, PfcPort(port=PORT, mode="on", admin_priorities="3")]}
    assert verdicts(module, seen, reserves={"leaf1": "so it says"}) == {"leaf1/Ethernet1": "FAIL"}
