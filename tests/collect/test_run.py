"""The run as a whole, against a pod in this process: rounds, results, and what becomes of targets that fail."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from fabric_audit.capture.reader import Capture
from fabric_audit.collect import traffic
from fabric_audit.errors import CaptureError, DeadlineError, DisconnectedError, TransportError, UnreachableError
from fabric_audit.facts.performance import PairResult
from fabric_audit.inventory.model import Traffic
from fabric_audit.plan.schedule import Field, Schedule, Wave
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.transport import Transport
from tests.collect.troubles import Once, Troubled
from tests.simulated import NO_TRAFFIC, SMOKE, audited, bench, collected, inventory_of, verdicts

SWITCHES = ("leaf01", "leaf02", "spine01", "spine02")
TOURNAMENT = Traffic(mode="tournament", tools=("ib_write_bw",), memory=("host",), duration_s=5.0)


@dataclass
class Told:
    """What a progress was told."""

    phases: list[tuple[str, int]] = field(default_factory=list)
    ok: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[str, str]] = field(default_factory=list)
    rounds: list[tuple[int, int, str]] = field(default_factory=list)

    def phase(self, name: str, targets: int) -> None:
        self.phases.append((name, targets))

    def done(self, target: str) -> None:
        self.ok[target] += 1

    def failed(self, target: str, words: str) -> None:
        self.failures.append((target, words))

    def traffic_round(self, number: int, of: int, words: str) -> None:
        self.rounds.append((number, of, words))


def troubled(folder: Path, once: Once, traffic: Traffic = TOURNAMENT, **parts: Any) -> tuple[Capture, Troubled]:
    """A run in which one target fails."""
    ways: list[Troubled] = []

    def around(transport: Transport) -> Transport:
        ways.append(Troubled(transport, once.login, once.asked))
        return ways[0]

    return collected(folder, "clos-4x2", traffic=traffic, around=around, **parts), ways[0]


def pairs(record: Any) -> list[tuple[str, str]]:
    return list(dict.fromkeys((slot["client"], slot["server"]) for slot in record["slots"]))


def test_phases_rounds_and_progress(tmp_path: Path) -> None:
    told = Told()
    capture = collected(tmp_path, traffic=TOURNAMENT, progress=told)
    assert told.phases == [("baseline", 8), ("block-0001", 4), ("final", 8)]
    assert told.rounds == [(n, 7, "ib_write_bw host") for n in range(1, 8)]
    assert (told.failures, told.ok) == ([], {f"gpu{n:03d}": 2 for n in range(1, 5)} | dict.fromkeys(SWITCHES, 3))
    phases = ["baseline", "block-0001", *(f"round-{n:04d}" for n in range(1, 8)), "final", "users"]
    assert list(dict.fromkeys(sorted(e.phase for e in capture.entries))) == sorted(phases)
    assert capture.manifest.sealed


def test_a_tournament_tests_every_pair_both_ways_and_no_host_twice_a_round(tmp_path: Path) -> None:
    capture = collected(tmp_path, traffic=TOURNAMENT)
    trial, *rest = capture.rounds
    assert [(slot["client"], slot["server"], slot["rail"]) for slot in trial["slots"]] == [("gpu002", "gpu003", 0)]
    seen = [pair for record in rest for pair in pairs(record)]
    hosts = [f"gpu{n:03d}" for n in range(1, 5)]
    assert sorted(seen) == sorted((a, b) for a in hosts for b in hosts if a != b)
    for record in rest:
        assert len({host for pair in pairs(record) for host in pair}) == 4
        assert {slot["rail"] for slot in record["slots"]} == {0, 1}
        assert all(slot["client_netdev"] and slot["server_netdev"] for slot in record["slots"])
        assert record["unbound"] == {}
    found = verdicts(audited(capture))
    assert (found["gdr.works"], found["performance.line-rate"]) == ("OUT_OF_SCOPE", "PASS"), "host memory only"


def test_both_ends_read_their_counters_after_each_round(tmp_path: Path) -> None:
    capture = collected(tmp_path)
    for entry in capture.entries:
        if entry.phase.startswith("round-"):
            sections = {frame.section for frame in entry.frames}
            assert entry.command in ("serve", "send")
            assert sections.issuperset({"perftest", "ethtool-S"}), entry.target
    assert audited(capture).tables["pair_result"]["outcome"].unique().tolist() == ["ok"]


def test_a_schedule_receives_the_results_of_each_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[Sequence[PairResult]] = []

    def adaptive(_mode: str, known: Field, _qps: int, _waves: int) -> Schedule:
        hosts = known.hosts
        received.append((yield Wave(((hosts[0], hosts[1]),))))
        received.append((yield Wave(((hosts[3], hosts[2]),), qps=8)))

    monkeypatch.setattr(traffic, "schedule", adaptive)
    capture = collected(tmp_path, traffic=TOURNAMENT)
    assert [[(r.client, r.server, r.rail, r.outcome) for r in results] for results in received] == [
        [(a, b, rail, "ok") for a, b in pair for rail in (0, 1)]
        for pair in (
            (("gpu001", "gpu002"), ("gpu002", "gpu001")),
            (("gpu004", "gpu003"), ("gpu003", "gpu004")),
        )
    ]
    assert all(result.bandwidth_bps for results in received for result in results)
    assert [{slot["qps"] for slot in record["slots"]} for record in capture.rounds] == [{4}, {4}, {4}, {8}, {8}]


def test_a_slot_that_cannot_be_bound_says_why_and_is_not_run(tmp_path: Path) -> None:
    inventory = inventory_of("clos-4x2", tmp_path)
    strange = replace(inventory.hosts[1].nics[1], device="mlx5_9", netdev=None)
    hosts = list(inventory.hosts)
    hosts[1] = replace(hosts[1], nics=(hosts[1].nics[0], strange))
    with bench(tmp_path, SimulatedPod("clos-4x2", scale=0.0), replace(inventory, hosts=tuple(hosts))) as ready:
        capture = ready.collect()
    audit = audited(capture)
    unbound = {reason for record in capture.rounds for reason in record["unbound"].values()}
    assert unbound == {"gpu002: no RDMA device mlx5_9 there"}
    results = audit.tables["pair_result"]
    failed = results[results["outcome"] != "ok"]
    assert set(failed["rail"]) == {1}
    assert all("gpu002" in (row.client, row.server) for row in failed.itertuples())
    assert set(failed["message"]) == {"client: gpu002: no RDMA device mlx5_9 there"}
    assert verdicts(audit)["performance.line-rate"] == "UNKNOWN"
    assert verdicts(audit)["links.nic-active"] == "FAIL"


def test_a_host_lost_in_a_round_takes_part_in_no_more_and_the_rest_goes_on(tmp_path: Path) -> None:
    told = Told()
    once = Once("gpu002", "perftest@0003-", DisconnectedError("connection lost"), UnreachableError("no answer"))
    capture, ways = troubled(tmp_path, once, progress=told)
    assert ways.logins.count("gpu002") == 2, "one more attempt after the loss"
    reasons = [sorted(set(record["unbound"].values())) for record in capture.rounds]
    assert reasons[:3] == [[], [], []]
    assert reasons[4:] == [["gpu002: no answer"]] * 3
    assert ("gpu002", "no answer") in told.failures
    audit = audited(capture)
    results = audit.tables["pair_result"]
    others = results[(results["client"] != "gpu002") & (results["server"] != "gpu002")]
    assert set(others["outcome"]) == {"ok"}
    delivered = [f for f in audit.findings if f.check == "evidence.delivered" and f.verdict == "UNKNOWN"]
    assert {f.subject[0] for f in delivered} == {"gpu002"}


def test_a_host_that_comes_back_goes_on_in_the_next_round(tmp_path: Path) -> None:
    once = Once("gpu002", "perftest@0003-", DisconnectedError("connection lost"))
    capture, ways = troubled(tmp_path, once)
    assert ways.logins.count("gpu002") == 2
    assert [record["unbound"] for record in capture.rounds] == [{}] * 7
    results = audited(capture).tables["pair_result"]
    mine = results[(results["client"] == "gpu002") | (results["server"] == "gpu002")]
    assert set(mine[mine["round"] == 3]["outcome"]) == {"not_delivered"}
    assert set(mine[mine["round"] != 3]["outcome"]) == {"ok"}


def test_a_partner_that_is_sent_home_lacks_no_evidence(tmp_path: Path) -> None:
    """The client of a server that was lost is not to blame for counters it had no reason to read."""
    once = Once("gpu002", "listen perftest@", DisconnectedError("connection lost"))
    capture, _ = troubled(tmp_path, once)
    home = [entry.target for entry in capture.entries if entry.rc == 75]
    assert len(home) == 1
    unknown = [f for f in audited(capture).findings if f.check == "evidence.delivered" and f.verdict == "UNKNOWN"]
    assert {finding.subject[0] for finding in unknown} == {"gpu002"}


@pytest.mark.parametrize(
    "error", [DeadlineError("no end of its answer within 60 s"), DisconnectedError("connection lost")]
)
def test_a_host_that_fails_in_the_baseline_gets_no_traffic_and_says_why(tmp_path: Path, error: TransportError) -> None:
    once = Once("gpu003", ": fabric-audit linux", error, UnreachableError("no answer within 10 s"))
    capture, ways = troubled(tmp_path, once, SMOKE)
    assert ways.logins.count("gpu003") == 2
    reasons = {reason for record in capture.rounds for reason in record["unbound"].values()}
    assert reasons == {f"gpu003: {error}"}
    asked = [entry for entry in capture.entries if entry.target == "gpu003" and entry.phase == "baseline"]
    assert asked[-1].error.startswith("no answer within 10 s"), "nothing is asked after a login that fails"


def test_a_target_that_cannot_be_opened_is_asked_once_a_phase(tmp_path: Path) -> None:
    told = Told()
    capture = collected(tmp_path, "clos-4x2", "down@leaf02", traffic=NO_TRAFFIC, progress=told)
    mine = [entry for entry in capture.entries if entry.target == "leaf02"]
    assert [(entry.cause, entry.phase) for entry in mine] == [("unreachable", "baseline")]
    assert [name for name, _ in told.failures] == ["leaf02"]


def test_observing_reads_counters_twice_without_traffic(tmp_path: Path) -> None:
    slept: list[float] = []
    capture = collected(tmp_path, traffic=NO_TRAFFIC, observe_s=30.0, sleep=slept.append)
    assert slept == [30.0]
    assert {entry.phase for entry in capture.entries} == {"baseline", "final"}
    assert capture.rounds == ()


def test_without_traffic_and_observation_counters_are_read_once(tmp_path: Path) -> None:
    capture = collected(tmp_path, traffic=NO_TRAFFIC)
    assert {entry.phase for entry in capture.entries} == {"baseline"}


def test_a_full_disk_ends_the_run_and_sweeps_the_hosts(tmp_path: Path) -> None:
    asked: list[str] = []

    def around(transport: Transport) -> Transport:
        return Troubled(transport, asked=lambda target, text: asked.append(f"{target} {text.splitlines()[0]}"))

    pod = SimulatedPod("clos-4x2", scale=0.0)
    with bench(tmp_path, pod, inventory_of("clos-4x2", tmp_path), TOURNAMENT, around=around) as ready:
        add = ready.writer.add

        def full(entry: Any, stdout: bytes, stderr: bytes) -> Any:
            if entry.phase == "round-0002":
                raise CaptureError("outputs.jsonl: No space left on device")
            return add(entry, stdout, stderr)

        ready.writer.add = full  # type: ignore[method-assign]  # the disk fills
        with pytest.raises(CaptureError, match="No space left"):
            ready.collector.collect()
        asked.clear()
        ready.collector.stop()
        ready.writer.close()
    assert sorted(asked) == [f"gpu{n:03d} : fabric-audit sweep" for n in range(1, 5)]
    assert not Capture.open(tmp_path).manifest.sealed


def test_an_interrupt_ends_what_runs_and_sweeps_every_host(tmp_path: Path) -> None:
    """Round 2 is under way on a pod where a test takes a minute; the user presses Ctrl-C."""

    class Interrupted(Told):
        def traffic_round(self, number: int, of: int, words: str) -> None:
            super().traffic_round(number, of, words)
            if number == 2:
                raise KeyboardInterrupt

    told = Interrupted()
    pod = SimulatedPod("clos-4x2", scale=0.0)
    with bench(tmp_path, pod, inventory_of("clos-4x2", tmp_path), TOURNAMENT, progress=told) as ready:
        with pytest.raises(KeyboardInterrupt):
            ready.collector.collect()
        ready.collector.stop()
        ready.writer.close()
    capture = Capture.open(tmp_path)
    swept = [entry.target for entry in capture.entries if entry.command == "sweep"]
    assert Counter(swept) == {f"gpu{n:03d}": 2 for n in range(1, 5)}, "before traffic, and after the interrupt"
    assert told.phases[-1] == ("clean-up", 4)
    assert not capture.manifest.sealed
    assert verdicts(audited(capture))["evidence.delivered"] in ("PASS", "UNKNOWN")
