"""The run: log in everywhere, read the baseline, send traffic round by round, read the counters again."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from fabric_audit.capture.model import Planned
from fabric_audit.collect.asking import Answered, Asker, ask_all
from fabric_audit.collect.progress import Progress
from fabric_audit.collect.results import facts_of
from fabric_audit.collect.resume import Earlier
from fabric_audit.collect.safety import Alarms, Limits, TrafficEndedError
from fabric_audit.collect.traffic import TrafficRun
from fabric_audit.errors import CaptureError
from fabric_audit.inventory.model import Host, Target
from fabric_audit.plan.bind import KINDS, Bound, HostFacts
from fabric_audit.plan.model import Plan, Question, TargetPlan, TrafficPlan
from fabric_audit.plan.rounds import Conduct
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
    limits: Limits = field(default_factory=Limits)
    earlier: Earlier | None = None
    """What an interrupted run had done, where this one completes it."""
    sleep: Callable[[float], None] = time.sleep
    _begun: list[Future[Any]] = field(default_factory=list)
    """Jobs of this phase or round, for :meth:`stop`."""

    def collect(self) -> None:
        """Everything: baseline, then traffic or a pause, then the counters again."""
        if self.limits.busy_reason:
            self.asker.writer.note(self.limits.busy_reason)
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
        answers = {t.name: known for t, _, wanted in asked if (known := self._known_already(phase, t.name, wanted))}
        jobs = {
            t.name: self._begin(self.executor, ask_all, self.asker, t, wanted, phase)
            for t, _, wanted in asked
            if t.name not in answers
        }
        for name, job in jobs.items():
            answers[name] = job.result()
            failures = [entry.error for entry, _ in answers[name] if entry.error]
            if failures:
                self.progress.failed(name, failures[0])
            else:
                self.progress.done(name)
        return answers

    def _known_already(self, phase: str, target: str, wanted: Sequence[Question]) -> tuple[Answered, ...] | None:
        return self.earlier.answers(phase, target, wanted) if self.earlier and phase == BASELINE else None

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
        alarms = Alarms(self.limits.lossless, {name: _ports(known.host) for name, known in hosts.items()})
        try:
            TrafficRun(run=self, traffic=traffic, hosts=hosts, alarms=alarms).carry_out(baseline)
        except TrafficEndedError as reason:
            self.asker.writer.end_traffic(str(reason))
            self.progress.failed("traffic was ended", str(reason))

    def ask(self, questions: Iterable[Question], phase: str) -> dict[str, Answered]:
        """Ask several targets one question each, at once."""
        self._begun.clear()
        jobs = {
            one.target: self._begin(self.executor, self.asker.ask, self._target(one.target), one, phase)
            for one in questions
        }
        return {name: job.result() for name, job in jobs.items()}

    def read_switches(self, phase: str) -> dict[str, tuple[Answered, ...]]:
        """The counters of all switches, in a phase of their own."""
        switches = [(t, t.counters) for t in self.plan.targets if t.kind == "switch"]
        return self._phase(phase, switches) if switches else {}

    def begin_pairs(
        self, work: Callable[..., ResultT], pairs: Mapping[tuple[str, str], Sequence[Bound]], phase: str
    ) -> dict[tuple[str, str], Future[ResultT]]:
        """Start one unit of work a pair, all at once."""
        self._begun.clear()
        return {
            pair: self._begin(self.pair_executor, work, self.asker, self.conduct, self._hosts(pair), slots, phase)
            for pair, slots in pairs.items()
        }

    def _known(self, name: str, answered: Sequence[Answered]) -> HostFacts:
        errors = [entry.error for entry, _ in answered if entry.error] or ([] if answered else ["gave no baseline"])
        facts = tuple(fact for fact in facts_of(answered) if isinstance(fact, KINDS))
        return HostFacts(host=self.plan.inventory.host(name), facts=facts, lost=next(iter(errors), ""))

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

    def _hosts(self, pair: tuple[str, str]) -> tuple[Host, Host]:
        return self.plan.inventory.host(pair[0]), self.plan.inventory.host(pair[1])


def _ports(host: Host) -> frozenset[str]:
    """Names by which the counters of a host's compute NICs are known."""
    return frozenset(name for nic in host.compute_nics for name in (nic.device, nic.netdev) if name)


def _planned(phase: str, asked: Iterable[tuple[TargetPlan, tuple[Question, ...]]]) -> Iterable[Planned]:
    """Targets with the same sections stand in one record."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for plan, questions in asked:
        sections = tuple(section.id for question in questions for section in question.sections)
        groups.setdefault(sections, []).append(plan.target)
    for sections, targets in groups.items():
        yield Planned(phase=phase, targets=tuple(targets), sections=sections)
