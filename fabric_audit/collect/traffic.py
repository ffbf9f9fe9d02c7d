"""The traffic of a run: wave by wave, with everything read that could forbid the next round."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabric_audit.collect.asking import Answered
from fabric_audit.collect.pairs import run_pair
from fabric_audit.collect.places import groups, leaves
from fabric_audit.collect.results import all_facts, facts_of, results_of
from fabric_audit.collect.safety import Alarms, TrafficEndedError, users
from fabric_audit.facts.performance import PairResult
from fabric_audit.plan.bind import HostFacts, bind
from fabric_audit.plan.model import Question, TrafficPlan
from fabric_audit.plan.modes import schedule
from fabric_audit.plan.rounds import FIRST_PORT, Step, pairs_of, steps, trial
from fabric_audit.plan.schedule import Field
from fabric_audit.platforms.registry import all_sections

if TYPE_CHECKING:
    from fabric_audit.collect.run import Collector

POLL_S = 10.0
"""How often a host that others use is looked at while the run waits for it."""
QUEUE_PAIRS = "rdma-qp"
"""Section that tells who uses a host."""
BLOCK_S = 60.0
"""How often switches are looked at while hosts are loaded: their counters are polled, some once in a minute."""
Baseline = Mapping[str, Sequence[Answered]]


@dataclass(slots=True, kw_only=True)
class TrafficRun:
    """Carries out the traffic of one run."""

    run: "Collector"
    traffic: TrafficPlan
    hosts: dict[str, HostFacts]
    alarms: Alarms
    now: Callable[[], float] = time.monotonic
    _fresh: set[str] = field(default_factory=set)
    """Hosts whose queue pairs were read at the end of the round before."""
    _overridden: set[str] = field(default_factory=set)
    _waited_s: float = 0.0
    _sent_bytes: float = 0.0
    _looked_at: float = 0.0
    _blocks: int = 0

    def carry_out(self, baseline: Baseline) -> None:
        """All waves; one pair on one rail before all others.

        Raises:
            TrafficEndedError: a limit is reached, or something happened that must not.
        """
        for target, answered in baseline.items():
            self.alarms.hear(target, all_facts(answered))
        began = self._looked_at = self.now()
        number = 1
        waves = schedule(self.traffic.mode, self._field(baseline), self.traffic.qps, self.traffic.waves)
        try:
            wave = next(waves)
            for step in trial(wave, self.traffic):
                self._round(step, began)
                self._look_at_switches()
                number += 1
            while True:
                results: list[PairResult] = []
                for step in steps(wave, self.traffic, number):
                    results += self._round(step, began)
                    number += 1
                wave = waves.send(results)
        except StopIteration:
            return

    def _field(self, baseline: Baseline) -> Field:
        where = leaves(self.run.plan.inventory, baseline)
        known = groups(self.hosts, where)
        load = self.traffic
        return Field(hosts=load.hosts, leaves=where, groups=known, share=load.share, seed=load.seed)

    def _round(self, step: Step, began: float) -> list[PairResult]:
        earlier = self.run.earlier.results(step) if self.run.earlier else None
        if earlier is not None:
            return earlier
        self._within_budget(step, began)
        self._wait_for_others({end for slot in step.slots for end in (slot.client, slot.server)})
        self.run.progress.traffic_round(step.number, self.traffic.rounds, f"{step.tool} {step.memory}")
        results, answered = self._sent(step)
        self._leave_out_lost()
        self._fresh = set(answered)
        alarms = []
        for name, mine in answered.items():
            facts = facts_of(mine)
            self._note_users(name, users(facts))
            alarms += self.alarms.hear(name, facts)
        if self.now() - self._looked_at >= BLOCK_S and not alarms:
            self._look_at_switches()
        _must_not(alarms, step.number)
        return results

    def _within_budget(self, step: Step, began: float) -> None:
        limits = self.run.limits
        if limits.most_s is not None and self.now() - began + self.traffic.duration_s > limits.most_s:
            raise TrafficEndedError(f"before round {step.number}: the time allowed, {limits.most_s:g} s, is used up")
        load = sum(self._rate(slot.client) for slot in step.slots) / 8 * self.traffic.duration_s
        if limits.most_bytes is not None and self._sent_bytes + load > limits.most_bytes:
            raise TrafficEndedError(f"before round {step.number}: the {limits.most_bytes} bytes allowed are used up")
        self._sent_bytes += load

    def _rate(self, host: str) -> float:
        return max((nic.speed_bps or 0 for nic in self.hosts[host].host.compute_nics), default=0)

    def _wait_for_others(self, players: set[str]) -> None:
        """Make sure that nobody else uses the players; wait a while for those who do, then leave their hosts out."""
        self._ask_users(players - self._fresh)
        while busy := sorted(name for name in players if self.hosts[name].in_use):
            if self._waited_s >= self.run.limits.patience_s:
                return
            self.run.progress.failed(busy[0], f"waiting: {self.hosts[busy[0]].in_use}")
            self.run.sleep(POLL_S)
            self._waited_s += POLL_S
            self._ask_users(busy)

    def _ask_users(self, names: Iterable[str]) -> None:
        asked = sorted(name for name in names if not self.hosts[name].lost)
        sections = (all_sections()[QUEUE_PAIRS],)
        questions = [Question(target=name, command="users", sections=sections) for name in asked]
        for name, answered in self.run.ask(questions, "users").items():
            self._note_users(name, users(facts_of([answered])))

    def _note_users(self, name: str, words: str) -> None:
        allowed = name in self.run.limits.busy
        if words and allowed and name not in self._overridden:
            self.run.asker.writer.note(f"{name} was loaded although in use by {words}")
            self._overridden.add(name)
        in_use = "" if allowed or not words else f"in use by {words}"
        self.hosts[name] = replace(self.hosts[name], in_use=in_use)

    def _look_at_switches(self) -> None:
        """Read the counters of all switches; a storm, a link that failed or a lossless drop ends the traffic."""
        self._blocks += 1
        self._looked_at = self.now()
        answers = self.run.read_switches(f"block-{self._blocks:04d}")
        _must_not([words for name, mine in answers.items() for words in self.alarms.hear(name, all_facts(mine))], 0)

    def _sent(self, step: Step) -> tuple[list[PairResult], dict[str, list[Answered]]]:
        run = self.run
        bounds = [bind(slot, self.hosts, FIRST_PORT + slot.rail, run.plan.inventory.tools) for slot in step.slots]
        run.asker.writer.add_round(
            {
                "number": step.number,
                "phase": step.phase,
                "slots": [bound.slot.to_json() for bound in bounds],
                "counters": [section.id for section in run.conduct.counters],
                "unbound": {bound.slot.id: bound.reason for bound in bounds if bound.reason},
            }
        )
        ready = pairs_of(bound for bound in bounds if not bound.reason)
        jobs = run.begin_pairs(run_pair, ready, step.phase)
        results: list[PairResult] = []
        answered: dict[str, list[Answered]] = {}
        for (client, server), job in jobs.items():
            sent, served = job.result()
            results += results_of(ready[client, server], sent, served)
            answered.setdefault(client, []).append(sent)
            answered.setdefault(server, []).append(served)
        return results, answered

    def _leave_out_lost(self) -> None:
        for name, known in self.hosts.items():
            failure = self.run.asker.sessions.failure(name)
            if failure is not None and not known.lost:
                self.hosts[name] = replace(known, lost=str(failure))
                self.run.progress.failed(name, str(failure))


def _must_not(alarms: Sequence[str], number: int) -> None:
    if alarms:
        when = f"in round {number}" if number else "while traffic ran"
        raise TrafficEndedError(f"{when}: {'; '.join(alarms[:4])}")
