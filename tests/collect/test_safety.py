"""Nobody else's host is loaded, nothing that breaks is loaded further, budgets hold, and an interrupted run goes on."""

from pathlib import Path
from typing import Any

import pytest

from fabric_audit.capture.reader import Capture
from fabric_audit.collect.resume import Earlier
from fabric_audit.collect.safety import Alarms, Limits, users
from fabric_audit.errors import UsageError
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.facts.rdma import QueuePair
from fabric_audit.inventory.model import Traffic
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.transport import Transport
from tests.collect.troubles import Troubled
from tests.simulated import audited, bench, collected, inventory_of, verdicts

SHORT = Traffic(mode="tournament", tools=("ib_write_bw",), memory=("host",), duration_s=5.0)


def loaded(capture: Capture) -> set[str]:
    """Hosts on which a test was started."""
    return {entry.target for entry in capture.entries if entry.command in ("serve", "send")}


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ({"type": "GSI", "process": "ib_core"}, ""),
        ({"type": "RC", "process": "nvme_rdma"}, ""),
        ({"type": "RC", "process": "python3", "pid": 42}, "python3 (pid 42) with 1 queue pairs on mlx5_0"),
        ({"type": "UD", "pid": 7}, "a program (pid 7) with 1 queue pairs on mlx5_0"),
        ({"type": "RC"}, "a program of another user with 1 queue pairs on mlx5_0"),
    ],
)
def test_queue_pairs_of_the_kernel_are_nobodys_and_all_others_somebodys(pair: dict[str, Any], words: str) -> None:
    assert users([QueuePair(device="mlx5_0", port=1, qpn=100, **pair)]) == words


def test_a_host_that_others_use_is_not_loaded_and_says_who(tmp_path: Path) -> None:
    waited: list[float] = []
    capture = collected(tmp_path, "clos-4x1", "foreign-qp@gpu003", traffic=SHORT, sleep=waited.append)
    assert loaded(capture) == {"gpu001", "gpu002", "gpu004"}
    assert sum(waited) == 60.0, "it waits once for them to finish"
    reasons = {reason for record in capture.rounds for reason in record["unbound"].values()}
    assert reasons == {"gpu003: in use by python3 (pid 4242) with 2 queue pairs on mlx5_0"}
    unknown = [f for f in audited(capture).findings if f.check == "performance.line-rate" and f.verdict == "UNKNOWN"]
    assert {host for f in unknown for host in f.subject if host == "gpu003"} == {"gpu003"}
    assert all("in use by python3" in f.message for f in unknown)


def test_a_host_that_is_allowed_to_be_busy_is_loaded_and_the_audit_says_so(tmp_path: Path) -> None:
    limits = Limits(busy=frozenset({"gpu002"}))
    capture = collected(tmp_path, "clos-2x1", "foreign-qp@gpu002", traffic=SHORT, limits=limits)
    assert loaded(capture) == {"gpu001", "gpu002"}
    assert audited(capture).overrides == (
        "gpu002 was loaded although in use by python3 (pid 4242) with 2 queue pairs on mlx5_0",
    )


def test_a_job_that_begins_while_traffic_runs_is_left_alone(tmp_path: Path) -> None:
    pod = SimulatedPod("clos-4x1", scale=0.0)

    def begins(target: str, text: str) -> None:
        if target == "gpu001" and "perftest@0003-" in text:
            pod.fabric.hosts["gpu002"].foreign_qps = 1

    inventory = inventory_of("clos-4x1", tmp_path)
    with bench(tmp_path, pod, inventory, SHORT, around=lambda way: Troubled(way, asked=begins)) as ready:
        capture = ready.collect()
    busy = [record["number"] for record in capture.rounds if "in use" in str(record["unbound"])]
    assert busy == [4, 5, 6, 7]


def readings(*facts: Fact) -> Alarms:
    alarms = Alarms(frozenset({3}), {"gpu001": frozenset({"mlx5_0", "rail0"})})
    assert alarms.hear("leaf01", facts) == []
    assert alarms.hear("gpu001", facts) == []
    return alarms


def flap(port: str, value: int) -> Counter:
    return Counter(port=port, name="link_downed", value=value, counter_class="flap")


def drops(queue: int, value: int) -> QueueCounter:
    return QueueCounter(port="Ethernet0", queue=queue, group=False, drop_packets=value)


def storms(value: int) -> PfcWatchdog:
    return PfcWatchdog(port="Ethernet0", queue=3, storms_detected=value)


def test_what_grows_under_load_and_must_not_is_an_alarm() -> None:
    alarms = readings(flap("Ethernet0", 4), drops(3, 10), drops(0, 10))
    assert alarms.hear("leaf01", [flap("Ethernet0", 5)]) == ["leaf01 Ethernet0: link_downed grew by 1"]
    assert alarms.hear("leaf01", [drops(3, 12), drops(0, 99)]) == [
        "leaf01 Ethernet0: lossless queue 3 dropped packets: 2"
    ]
    assert alarms.hear("leaf01", [storms(1)]) == ["leaf01 Ethernet0: PFC watchdog of queue 3 fired, times: 1"]
    assert alarms.hear("leaf01", [storms(1), flap("Ethernet0", 5), drops(3, 12)]) == []


def test_of_a_host_only_its_fabric_ports_matter() -> None:
    alarms = readings(flap("eno1", 1), flap("mlx5_0/1", 1))
    assert alarms.hear("gpu001", [flap("eno1", 9), flap("mlx5_0/1", 1)]) == []
    assert alarms.hear("gpu001", [flap("mlx5_0/1", 2)]) == ["gpu001 mlx5_0/1: link_downed grew by 1"]


def test_a_drop_in_the_lossless_queue_ends_the_traffic_after_the_first_pair(tmp_path: Path) -> None:
    pod = SimulatedPod("clos-4x1", scale=0.0)
    port = next(p for p in pod.fabric.switches["leaf01"].ports.values())

    def breaks(target: str, text: str) -> None:
        if target == "gpu002" and "perftest@0001-" in text:
            port.counters["queue3_drop_packets"] += 7
            pod.traffic._published.clear()

    inventory = inventory_of("clos-4x1", tmp_path)
    limits = Limits(lossless=frozenset({3}))
    with bench(tmp_path, pod, inventory, SHORT, around=lambda way: Troubled(way, asked=breaks), limits=limits) as ready:
        capture = ready.collect()
    assert len(capture.rounds) == 1
    assert capture.manifest.traffic["ended"].endswith("Ethernet0: lossless queue 3 dropped packets: 7")
    assert {entry.phase for entry in capture.entries} >= {"baseline", "final"}
    assert verdicts(audited(capture))["evidence.traffic-complete"] == "UNKNOWN"


@pytest.mark.parametrize(
    ("limits", "rounds", "words"),
    [
        (Limits(most_bytes=8 * 10**11), 2, "before round 3: the 800000000000 bytes allowed are used up"),
        (Limits(most_s=1.0), 0, "before round 1: the time allowed, 1 s, is used up"),
    ],
)
def test_a_budget_ends_the_traffic_and_the_audit_says_so(
    tmp_path: Path, limits: Limits, rounds: int, words: str
) -> None:
    capture = collected(tmp_path, "clos-2x2", traffic=SHORT, limits=limits)
    assert len(capture.rounds) == rounds
    assert capture.manifest.traffic["ended"] == words


class Interrupted(BaseException):
    """Ctrl-C."""


def interrupted(folder: Path, word: str, pod: str = "clos-4x1") -> Capture:
    """A run that is interrupted when some host is asked something."""

    def cut(_target: str, text: str) -> None:
        if word in text:
            raise Interrupted

    def around(way: Transport) -> Transport:
        return Troubled(way, asked=cut)

    with bench(folder, SimulatedPod(pod, scale=0.0), inventory_of(pod, folder), SHORT, around=around) as ready:
        with pytest.raises(Interrupted):
            ready.collector.collect()
        ready.writer.close()
    return Capture.open(folder)


@pytest.mark.parametrize("word", [": fabric-audit linux", "perftest@0001-", "perftest@0004-"])
def test_an_interrupted_run_is_completed_without_doing_again_what_was_done(tmp_path: Path, word: str) -> None:
    begun = interrupted(tmp_path, word)
    assert not begun.manifest.sealed
    done = {record["number"] for record in begun.rounds[:-1]}
    asked: list[str] = []
    completed = collected(
        tmp_path,
        "clos-4x1",
        traffic=SHORT,
        earlier=Earlier(begun),
        around=lambda way: Troubled(way, asked=lambda _target, text: asked.append(text)),
    )
    assert completed.manifest.sealed
    assert [record["number"] for record in completed.rounds] == list(range(1, 8))
    assert not any(f"perftest@{number:04d}-" in text for number in done for text in asked)
    audit = audited(completed)
    assert verdicts(audit)["evidence.delivered"] == "PASS"
    assert verdicts(audit)["performance.line-rate"] == "PASS"
    assert audit.tables["pair_result"]["outcome"].tolist() == ["ok"] * 13


def test_what_cannot_be_resumed_says_why(tmp_path: Path) -> None:
    capture = collected(tmp_path, "clos-2x1", traffic=Traffic(mode="none"))
    with pytest.raises(UsageError, match="this capture is complete"):
        Earlier(capture).must_fit(inventory_of("clos-2x1", tmp_path))
    (tmp_path / "more").mkdir()
    begun = interrupted(tmp_path / "more", "perftest@0002-")
    with pytest.raises(UsageError, match="is of fabric 'clos-4x1', not of 'clos-2x1'"):
        Earlier(begun).must_fit(inventory_of("clos-2x1", tmp_path))
