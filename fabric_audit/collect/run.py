"""The run: log in everywhere, read the baseline, send traffic round by round, read the counters again."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ParamSpec, TypeVar

from fabric_audit.capture.model import Planned
from fabric_audit.collect.asking import Answered, Asker, ask_all
from fabric_audit.collect.pairs import run_pair
from fabric_audit.collect.places import groups, leaves
from fabric_audit.collect.progress import Progress
from fabric_audit.collect.results import facts_of, results_of
from fabric_audit.errors import CaptureError
from fabric_audit.facts.performance import PairResult
from fabric_audit.inventory.model import Host, Target
from fabric_audit.plan.bind import HostFacts, bind
from fabric_audit.plan.model import Plan, Question, TargetPlan, TrafficPlan
from fabric_audit.plan.modes import schedule
from fabric_audit.plan.rounds import FIRST_PORT, Conduct, Step, pairs_of, steps
from fabric_audit.plan.schedule import Field
from fabric_audit.plan.script import Script

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

BASELINE = "baseline"
FINAL = "final"
SWEEP = Script(command="sweep", body=("begin sweep", "sweep", "end"), run="sweep", traffic=True)
"""Ends what an earlier run of this tool left on a host: processes tagged with a run whose shell is gone."""
SWEEP_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Collector:
    """Carries a plan out."""

    plan: Plan
    asker: Asker
    conduct: Conduct
    executor: Executor
    """Runs questions, as many at once as the user allows."""
    pair_executor: Executor
    """Runs pairs: all of a round at once, so it has a worker for each."""
    progress: Progress
    sleep: Callable[[float], None] = time.sleep
    _begun: list[Future[Any]] = field(default_factory=list)
    """Jobs of this phase or round, for :meth:`stop`."""

    def collect(self) -> None:
        """Everything: baseline, then traffic or a pause, then the counters again."""
        baseline = self._phase(BASELINE, [(t, (*t.baseline, *t.counters)) for t in self.plan.targets])
        if self.plan.traffic is not None:
            self._traffic(self.plan.traffic, baseline)
        elif self.plan.observe_s:
            self.sleep(self.plan.observe_s)
        if self.plan.traffic is not None or self.plan.observe_s:
            self._phase(FINAL, [(t, t.counters) for t in self.plan.targets])

    def _phase(
        self, phase: str, questions: Sequence[tuple[TargetPlan, tuple[Question, ...]]]
    ) -> dict[str, tuple[Answered, ...]]:
        asked = [(self._target(plan.target), plan, wanted) for plan, wanted in questions if wanted]
        for planned in _planned(phase, ((plan, wanted) for _, plan, wanted in asked)):
            self.asker.writer.plan_more(planned)
        self.progress.phase(phase, len(asked))
        self._begun.clear()
        jobs = {t.name: self._begin(self.executor, ask_all, self.asker, t, wanted, phase) for t, _, wanted in asked}
        answers = {}
        for name, job in jobs.items():
            answers[name] = job.result()
            failures = [entry.error for entry, _ in answers[name] if entry.error]
            if failures:
                self.progress.failed(name, failures[0])
            else:
                self.progress.done(name)
        return answers

    def _begin(
        self, executor: Executor, work: Callable[P, ResultT], *arguments: P.args, **more: P.kwargs
    ) -> Future[ResultT]:
        job = executor.submit(work, *arguments, **more)
        self._begun.append(job)
        return job

    def _target(self, name: str) -> Target:
        return next(target for target in self.plan.inventory.targets if target.name == name)

    def _traffic(self, traffic: TrafficPlan, baseline: dict[str, tuple[Answered, ...]]) -> None:
        hosts = {name: self._known(name, baseline.get(name, ())) for name in traffic.hosts}
        self.sweep(name for name, known in hosts.items() if not known.lost)
        waves = schedule(traffic.mode, self._field(traffic, hosts, baseline), traffic.qps)
        results: list[PairResult] = []
        number = 1
        try:
            wave = next(waves)
            while True:
                results = []
                for step in steps(wave, traffic, number):
                    self.progress.traffic_round(step.number, traffic.rounds, f"{step.tool} {step.memory}")
                    results += self._round(step, hosts)
                    self._leave_out_lost(hosts)
                    number += 1
                wave = waves.send(results)
        except StopIteration:
            return

    def _field(
        self, traffic: TrafficPlan, hosts: dict[str, HostFacts], baseline: dict[str, tuple[Answered, ...]]
    ) -> Field:
        where = leaves(self.plan.inventory, baseline)
        known = groups(hosts, where)
        return Field(hosts=traffic.hosts, leaves=where, groups=known, share=traffic.share, seed=traffic.seed)

    def _known(self, name: str, answered: Sequence[Answered]) -> HostFacts:
        errors = [entry.error for entry, _ in answered if entry.error] or ([] if answered else ["gave no baseline"])
        return HostFacts(host=self.plan.inventory.host(name), facts=facts_of(answered), lost=next(iter(errors), ""))

    def _leave_out_lost(self, hosts: dict[str, HostFacts]) -> None:
        for name, known in hosts.items():
            failure = self.asker.sessions.failure(name)
            if failure is not None and not known.lost:
                hosts[name] = replace(known, lost=str(failure))
                self.progress.failed(name, str(failure))

    def sweep(self, hosts: Iterable[str]) -> None:
        """End what an ended run left on these hosts; what it found is in the capture."""
        self._begun.clear()
        for name in hosts:
            host = self.plan.inventory.host(name)
            self._begin(self.executor, self.asker.run_script, host, SWEEP, BASELINE, SWEEP_S)
        for job in self._begun:
            job.result()

    def stop(self) -> None:
        """After an interrupt: cut every lifeline, then look on every host of the traffic that nothing is left."""
        for job in self._begun:
            job.cancel()
        self.asker.sessions.hang_up()
        wait(self._begun)
        self.asker.sessions.allow()
        if self.plan.traffic is not None:
            self.progress.phase("clean-up", len(self.plan.traffic.hosts))
            with suppress(CaptureError):  # a disk that is full must not keep a host from being swept
                self.sweep(self.plan.traffic.hosts)

    def _round(self, step: Step, hosts: dict[str, HostFacts]) -> list[PairResult]:
        bounds = [bind(slot, hosts, FIRST_PORT + slot.rail, self.plan.inventory.tools) for slot in step.slots]
        self.asker.writer.add_round(
            {
                "number": step.number,
                "phase": step.phase,
                "slots": [bound.slot.to_json() for bound in bounds],
                "counters": [section.id for section in self.conduct.counters],
                "unbound": {bound.slot.id: bound.reason for bound in bounds if bound.reason},
            }
        )
        ready = pairs_of(bound for bound in bounds if not bound.reason)
        self._begun.clear()
        jobs = {
            pair: self._begin(
                self.pair_executor, run_pair, self.asker, self.conduct, self._hosts(pair), slots, step.phase
            )
            for pair, slots in ready.items()
        }
        return [result for pair, job in jobs.items() for result in results_of(ready[pair], *job.result())]

    def _hosts(self, pair: tuple[str, str]) -> tuple[Host, Host]:
        return self.plan.inventory.host(pair[0]), self.plan.inventory.host(pair[1])


def _planned(phase: str, asked: Iterable[tuple[TargetPlan, tuple[Question, ...]]]) -> Iterable[Planned]:
    """Targets with the same sections stand in one record."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for plan, questions in asked:
        sections = tuple(section.id for question in questions for section in question.sections)
        groups.setdefault(sections, []).append(plan.target)
    for sections, targets in groups.items():
        yield Planned(phase=phase, targets=tuple(targets), sections=sections)
