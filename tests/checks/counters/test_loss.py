"""Drops of the lossless class, losses of jobs, receivers that were not ready, marks nobody answered."""

import pytest

from fabric_audit.checks.counters import lossless_drops, receivers_ready, retransmission
from fabric_audit.checks.ecn import answers_marks
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.performance import PairResult
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.qos import DscpMap, TrafficClassMap
from fabric_audit.facts.tables import Stamped
from tests.checks.judging import findings, verdicts
from tests.checks.readings import at, still, twice

PORT = still("leaf1", FabricPort(port="p1", side="host"))
NIC = still("h1", FabricPort(port="rdma0", side="nic", rail=0))


def drops(queue: int, after: int, *, group: bool = False, wred: int = 0) -> list[Stamped]:
    def counted(packets: int, early: int) -> QueueCounter:
        return QueueCounter(port="p1", queue=queue, group=group, drop_packets=packets, wred_drop_packets=early)

    return [*still("leaf1", counted(5, 0)), *at("final", "leaf1", counted(after, wred), seconds=10)]


@pytest.mark.parametrize(
    ("counted", "verdict"),
    [
        (drops(3, 5), "PASS"),
        (drops(3, 6), "FAIL"),
        (drops(3, 6, group=True), "FAIL"),
        ([*drops(3, 5), *drops(0, 99)], "PASS"),
        (drops(0, 99), "SKIPPED"),
    ],
)
def test_the_lossless_class_drops_nothing(counted: list[Stamped], verdict: str) -> None:
    assert verdicts(lossless_drops, [*PORT, *counted]) == {"leaf1/p1": verdict}


def test_the_queue_is_that_of_the_dscp() -> None:
    maps = still(
        "leaf1",
        DscpMap(port="p1", dscp=26, traffic_class=4),
        TrafficClassMap(port="p1", traffic_class=4, queue=5, pg=6),
    )
    assert verdicts(lossless_drops, [*PORT, *maps, *drops(5, 6)]) == {"leaf1/p1": "FAIL"}
    assert verdicts(lossless_drops, [*PORT, *maps, *drops(6, 6, group=True)]) == {"leaf1/p1": "FAIL"}
    assert verdicts(lossless_drops, [*PORT, *maps, *drops(3, 6)]) == {"leaf1/p1": "SKIPPED"}


def why(*more: Stamped, wred: int = 0) -> str:
    (found,) = findings(lossless_drops, [*PORT, *drops(3, 9, wred=wred), *more])
    return found.message


def test_the_finding_tells_kinds_of_drops_apart() -> None:
    sent = [
        *still("leaf1", PfcCounter(port="p1", priority=3, tx_frames=0)),
        *at("final", "leaf1", PfcCounter(port="p1", priority=3, tx_frames=8), seconds=10),
    ]
    assert "no pause was sent" in why()
    assert "headroom is too small" in why(*sent)
    assert "WRED drops" in why(*sent, wred=4)


def grown(name: str, by: int, counter_class: str, seconds: float = 60) -> list[Stamped]:
    return [
        *NIC,
        *twice("h1", {name: 100}, {name: 100 + by}, port="rdma0", counter_class=counter_class, seconds=seconds),
    ]


@pytest.mark.parametrize(
    ("by", "seconds", "verdict"),
    [(0, 60, "PASS"), (10, 60, "PASS"), (11, 60, "FAIL"), (11, 120, "PASS"), (11, 5, "FAIL")],
)
def test_losses_of_running_jobs(by: int, seconds: float, verdict: str) -> None:
    assert verdicts(retransmission, grown("packet_seq_err", by, "loss", seconds)) == {"h1/rdma0": verdict}


def test_gaps_at_a_receiver_are_no_loss_by_themselves() -> None:
    assert verdicts(retransmission, grown("out_of_sequence", 999, "reorder")) == {"h1/rdma0": "SKIPPED"}


def test_with_traffic_losses_are_judged_pair_by_pair() -> None:
    pair = PairResult(round=1, client="h1", server="h2", rail=0, tool="ib_write_bw", memory="host")
    seen = [*grown("packet_seq_err", 999, "loss"), *at("round-0001", "h1", pair)]
    assert verdicts(retransmission, seen) == {"h1/rdma0": "SKIPPED"}


@pytest.mark.parametrize(("by", "verdict"), [(0, "PASS"), (1000, "PASS"), (1001, "FAIL")])
def test_receivers_that_were_not_ready(by: int, verdict: str) -> None:
    assert verdicts(receivers_ready, grown("out_of_buffer", by, "slow_receiver")) == {"h1/rdma0": verdict}
    assert verdicts(receivers_ready, NIC) == {"h1/rdma0": "SKIPPED"}


def test_a_sender_is_not_blamed_for_peers_that_were_not_ready() -> None:
    assert verdicts(receivers_ready, grown("rnr_nak_retry_err", 9999, "slow_receiver")) == {"h1/rdma0": "PASS"}


def marks(**by: int) -> list[Stamped]:
    return [
        *NIC,
        *twice("h1", dict.fromkeys(by, 7), {n: 7 + g for n, g in by.items()}, port="rdma0", counter_class="congestion"),
    ]


@pytest.mark.parametrize(
    ("by", "verdict"),
    [
        ({"np_ecn_marked_roce_packets": 0, "np_cnp_sent": 0, "rp_cnp_ignored": 0}, "PASS"),
        ({"np_ecn_marked_roce_packets": 9, "np_cnp_sent": 2, "rp_cnp_ignored": 0}, "PASS"),
        ({"np_ecn_marked_roce_packets": 9, "np_cnp_sent": 0}, "FAIL"),
        ({"np_ecn_marked_roce_packets": 0, "np_cnp_sent": 0, "rp_cnp_ignored": 1}, "FAIL"),
        ({"RxECNMrkd": 5, "cnpSent": 0}, "FAIL"),
    ],
)
def test_marks_are_answered(by: dict[str, int], verdict: str) -> None:
    assert verdicts(answers_marks, marks(**by)) == {"h1/rdma0": verdict}


def test_a_nic_that_counts_no_marks() -> None:
    assert verdicts(answers_marks, NIC) == {"h1/rdma0": "SKIPPED"}
    assert verdicts(answers_marks, marks(np_cnp_sent=0), congestion_control="none") == {"h1/rdma0": "SKIPPED"}
