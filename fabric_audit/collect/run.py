"""The run: log in everywhere, read the baseline, send traffic round by round, read the counters again."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from fabric_audit.capture.model import Entry, Planned
from fabric_audit.collect.asking import Answered, Asker, ask_all
from fabric_audit.collect.pairs import died, run_pair
from fabric_audit.collect.progress import Progress
from fabric_audit.facts import Fact
from fabric_audit.facts.pairs import pair_result
from fabric_audit.facts.performance import PairResult, PerftestRow
from fabric_audit.inventory.model import Host, Target
from fabric_audit.plan.bind import Bound, HostFacts, bind
from fabric_audit.plan.model import Plan, Question, TargetPlan, TrafficPlan
from fabric_audit.plan.rounds import FIRST_PORT, Conduct, Step, pairs_of, steps
from fabric_audit.plan.schedule import schedule
from fabric_audit.plan.script import Script
from fabric_audit.platforms.reading import Reading, read_span
from fabric_audit.platforms.registry import all_sections

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
        jobs = {t.name: self.executor.submit(ask_all, self.asker, t, wanted, phase) for t, _, wanted in asked}
        answers = {}
        for name, job in jobs.items():
            answers[name] = job.result()
            failures = [entry.error for entry, _ in answers[name] if entry.error]
            if failures:
                self.progress.failed(name, failures[0])
            else:
                self.progress.done(name)
        return answers

    def _target(self, name: str) -> Target:
        return next(target for target in self.plan.inventory.targets if target.name == name)

    def _traffic(self, traffic: TrafficPlan, baseline: dict[str, tuple[Answered, ...]]) -> None:
        hosts = {
            name: HostFacts(host=self.plan.inventory.host(name), facts=_facts(baseline.get(name, ())))
            for name in traffic.hosts
            if baseline.get(name) and not any(died(entry) for entry, _ in baseline[name])
        }
        self.sweep(hosts)
        matchings = schedule(traffic.mode, traffic.hosts)
        results: list[PairResult] = []
        number = 1
        try:
            matching = next(matchings)
            while True:
                results = []
                for step in steps(matching, traffic, number):
                    self.progress.traffic_round(step.number, traffic.rounds, f"{step.tool} {step.memory}")
                    results += self._round(step, hosts)
                    number += 1
                matching = matchings.send(results)
        except StopIteration:
            return

    def sweep(self, hosts: Iterable[str]) -> None:
        """End what an ended run left on these hosts; what it found is in the capture."""
        jobs = [
            self.executor.submit(self.asker.run_script, self.plan.inventory.host(name), SWEEP, BASELINE, SWEEP_S)
            for name in hosts
        ]
        for job in jobs:
            job.result()

    def stop(self) -> None:
        """After an interrupt: cut every lifeline, then look on every host of the traffic that nothing is left."""
        self.asker.sessions.hang_up()
        self.pair_executor.shutdown(wait=True, cancel_futures=True)
        if self.plan.traffic is not None:
            self.sweep(self.plan.traffic.hosts)

    def _round(self, step: Step, hosts: dict[str, HostFacts]) -> list[PairResult]:
        bounds = [bind(slot, hosts, FIRST_PORT + slot.rail, self.plan.inventory.tools) for slot in step.slots]
        self.asker.writer.add_round(
            {
                "number": step.number,
                "phase": step.phase,
                "slots": [bound.slot.to_json() for bound in bounds],
                "unbound": {bound.slot.id: bound.reason for bound in bounds if bound.reason},
            }
        )
        ready = pairs_of(bound for bound in bounds if not bound.reason)
        jobs = {
            pair: self.pair_executor.submit(run_pair, self.asker, self.conduct, self._hosts(pair), slots, step.phase)
            for pair, slots in ready.items()
        }
        results = []
        for pair, job in jobs.items():
            results += _results(ready[pair], *job.result())
        return results

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


def _readings(answered: Iterable[Answered]) -> Iterable[tuple[str, Reading]]:
    """(item, reading) of every section of host execs."""
    sections = all_sections()
    for entry, answer in answered:
        for frame in entry.frames:
            if frame.section in sections:
                section = sections[frame.section]
                yield frame.item, read_span(section, frame, answer.stdout, answer.stderr, error=entry.error)


def _facts(answered: Iterable[Answered]) -> tuple[Fact, ...]:
    return tuple(fact for _, reading in _readings(answered) for fact in reading.facts)


def _results(bounds: Sequence[Bound], sent: Answered, served: Answered) -> list[PairResult]:
    rows: list[dict[str, Reading]] = [dict(_readings([answered])) for answered in (sent, served)]
    found = []
    for bound in bounds:
        client, server = (side.get(bound.slot.id) for side in rows)
        found.append(
            pair_result(
                bound.slot,
                _rows(client),
                _rows(server),
                client_error=sent[0].error,
                server_error=served[0].error,
                started=sent[0].started,
                duration_s=_took(sent[0], bound.slot.id),
            )
        )
    return found


def _took(entry: Entry, slot: str) -> float | None:
    return next((frame.took_s for frame in entry.frames if frame.item == slot), None)


def _rows(reading: Reading | None) -> tuple[PerftestRow, ...]:
    return tuple(fact for fact in (reading.facts if reading else ()) if isinstance(fact, PerftestRow))
