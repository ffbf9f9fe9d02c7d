"""From a matching to rounds of slots, and from a pair's slots to the two scripts that run them."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from fabric_audit.facts.pairs import Slot
from fabric_audit.plan.bind import Bound
from fabric_audit.plan.model import TrafficPlan
from fabric_audit.plan.schedule import Matching, Wave
from fabric_audit.plan.script import Script, verbs
from fabric_audit.platforms.model import Section

FIRST_PORT = 18515
"""perftest's own default port; slots of a pair count up from it."""
SETUP_S = 15.0
"""Longest time perftest may take besides its test: exchange of addresses, memory registration, clock check."""
GRACE_S = 2.0
"""How long a server may go on after its client has ended."""


@dataclass(frozen=True, slots=True)
class Step:
    """One round: every pair of a matching, one tool, one memory, one direction; all rails unless they take turns."""

    number: int
    tool: str
    memory: str
    slots: tuple[Slot, ...]

    @property
    def phase(self) -> str:
        """Name of its folder in the capture."""
        return f"round-{self.number:04d}"


def steps(wave: Wave, traffic: TrafficPlan, first: int) -> Iterator[Step]:
    """The rounds of one wave, numbered from ``first``."""
    number = first
    turns = [(rail,) for rail in traffic.rails] if traffic.serial_rails else [traffic.rails]
    load = replace(traffic, qps=wave.qps or traffic.qps)
    for tool, memory in kinds(traffic):
        for pairs, rails in product(_directions(wave.pairs, traffic), turns):
            slots = tuple(
                _slot(number, client, server, rail, tool, memory, load) for client, server in pairs for rail in rails
            )
            yield Step(number, tool, memory, slots)
            number += 1


def trial(wave: Wave, traffic: TrafficPlan) -> Iterator[Step]:
    """The first round of all: one pair on one rail, so that what load does to a fabric shows on one cable first.

    Nothing where the wave's own rounds are no larger.
    """
    if len(wave.pairs) * len(traffic.rails) > 1:
        least = replace(
            traffic,
            rails=traffic.rails[:1],
            tools=traffic.tools[:1],
            memory=traffic.memory[:1],
            both_directions=False,
        )
        yield from steps(Wave(wave.pairs[:1], wave.qps), least, 1)


def steps_per_wave(traffic: TrafficPlan) -> int:
    """How many rounds one wave makes."""
    turns = len(traffic.rails) if traffic.serial_rails else 1
    return len(kinds(traffic)) * (2 if traffic.both_directions else 1) * turns


def kinds(traffic: TrafficPlan) -> list[tuple[str, str]]:
    """(tool, memory) of each test of a pair; ``ib_write_lat`` polls the buffer by CPU, which GPU memory forbids."""
    every = product(traffic.tools, traffic.memory)
    return [(tool, memory) for tool, memory in every if tool != "ib_write_lat" or memory == "host"]


def _directions(matching: Matching, traffic: TrafficPlan) -> Iterator[Matching]:
    yield matching
    if traffic.both_directions:
        yield tuple((server, client) for client, server in matching)


def _slot(number: int, client: str, server: str, rail: int, tool: str, memory: str, traffic: TrafficPlan) -> Slot:
    return Slot(
        round=number,
        id=f"{number:04d}-{client}-{server}-r{rail}-{tool}-{memory}",
        client=client,
        server=server,
        rail=rail,
        tool=tool,
        memory=memory,
        size_bytes=traffic.size_bytes,
        qps=1 if tool.endswith("_lat") else traffic.qps,
        duration_s=traffic.duration_s,
        traffic_class=traffic.traffic_class or 0,
    )


def pairs_of(bounds: Iterable[Bound]) -> dict[tuple[str, str], list[Bound]]:
    """Bound slots by (client, server); each pair is one unit of work."""
    pairs: dict[tuple[str, str], list[Bound]] = {}
    for bound in bounds:
        pairs.setdefault((bound.slot.client, bound.slot.server), []).append(bound)
    return pairs


def deadline_s(bounds: Sequence[Bound]) -> float:
    """Longest time a pair may hold its round."""
    return max(bound.slot.duration_s for bound in bounds) + 2 * SETUP_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """What all scripts of a run share: its id, and the counters that are read after the tests."""

    run: str
    counters: tuple[Section, ...]

    def server(self, bounds: Sequence[Bound], become: str) -> Script:
        """Listen on every slot's port, say when all do, wait for the clients, read the counters."""
        jobs = [_job(f"listen perftest@{b.slot.id} {b.slot.tcp_port}", b, b.server, GRACE_S) for b in bounds]
        return self._script("serve", [*jobs, "lifeline", "ready", "finish"], become)

    def client(self, bounds: Sequence[Bound], become: str) -> Script:
        """Wait for the word, run every slot's client at once, read the counters."""
        jobs = [_job(f"background {_name(b)}", b, b.client, 0.0) for b in bounds]
        return self._script("send", ["go", *jobs, "lifeline", "finish"], become)

    def _script(self, command: str, body: list[str], become: str) -> Script:
        lines = (*body, *verbs(self.counters))
        return Script(command=command, body=lines, run=self.run, become=become, traffic=True)


def _name(bound: Bound) -> str:
    return f"perftest@{bound.slot.id}"


def _job(words: str, bound: Bound, argv: tuple[str, ...], grace_s: float) -> str:
    return f"{words} {bound.slot.duration_s + SETUP_S + grace_s:g} {shlex.join(argv)}"
