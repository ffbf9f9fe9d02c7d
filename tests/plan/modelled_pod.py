"""A pod as a schedule sees it: leaves with uplinks that flows share by a hash, noise, and planted faults.

Not the simulator: no packets, no time, a thousand hosts in a blink. Rates are shares of a NIC's line rate.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.facts.performance import PairResult
from fabric_audit.plan.schedule import Field, Schedule, Wave

LINE_BPS = 400e9
PORT = "rail0"


@dataclass(frozen=True)
class Fault:
    """Something that lets through only ``factor``: a NIC in a role, a leaf, or the uplinks of a leaf one way."""

    kind: str
    place: str
    role: str = "both"
    factor: float = 0.6

    def hits(self, place: str, role: str) -> bool:
        return self.place == place and self.role in (role, "both")


@dataclass
class ModelledPod:
    """Hosts below leaves, as many uplinks a leaf as hosts, one to each spine."""

    hosts: int
    below: int = 16
    faults: Sequence[Fault] = ()
    seed: int = 1
    noise: float = 0.01
    qps: int = 4
    waves: int = 0
    tests: int = 0
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)  # noqa: S311 - repeatable pods
        self.names = tuple(f"gpu{n:04d}" for n in range(self.hosts))
        self.leaf_of = {name: f"leaf{n // self.below:02d}" for n, name in enumerate(self.names)}
        self.leaves = sorted(set(self.leaf_of.values()))

    def known(self, *, leaves: bool = True) -> Field:
        """What a schedule is told of it."""
        where = {(name, PORT): leaf for name, leaf in self.leaf_of.items()} if leaves else {}
        return Field(hosts=self.names, leaves=where, groups=self.leaf_of if leaves else {}, seed=self.seed)

    def sent(self, wave: Wave) -> list[PairResult]:
        """What a wave gives, both directions of every pair."""
        self.waves += 1
        back = tuple((b, a) for a, b in wave.pairs)
        return [result for pairs in (wave.pairs, back) for result in self._round(pairs, wave.qps or self.qps)]

    def all_results(self, schedule: Schedule) -> list[PairResult]:
        """Let a schedule run to its end."""
        seen: list[PairResult] = []
        try:
            wave = next(schedule)
            while True:
                results = self.sent(wave)
                seen += results
                wave = schedule.send(results)
        except StopIteration:
            return seen

    def _round(self, pairs: Sequence[tuple[str, str]], qps: int) -> Iterator[PairResult]:
        crossed: list[list[tuple[tuple[str, int, str], tuple[str, int, str]]]] = []
        load: Counter[tuple[str, int, str]] = Counter()
        for client, server in pairs:
            up, down = self.leaf_of[client], self.leaf_of[server]
            ways = []
            if up != down:
                for _ in range(qps):
                    spine = self.dice.randrange(self.below)
                    ways.append(((up, spine, "sends"), (down, spine, "receives")))
            for way in ways:
                load.update(way)
            crossed.append(ways)
        for (client, server), ways in zip(pairs, crossed, strict=True):
            self.tests += 1
            yield self._result(client, server, self._through(ways, load, qps), qps)

    def _through(
        self,
        ways: Sequence[tuple[tuple[str, int, str], tuple[str, int, str]]],
        load: Counter[tuple[str, int, str]],
        qps: int,
    ) -> float:
        """Share of the line rate that the fabric lets through: each queue pair has its part of its fullest uplink."""
        if not ways:
            return 1.0
        return sum(min(1.0, *(self._room(*link) * qps / load[link] for link in way)) for way in ways) / qps

    def _room(self, leaf: str, _spine: int, role: str) -> float:
        return self._factor("uplinks", leaf, role)

    def _factor(self, kind: str, place: str, role: str) -> float:
        found = 1.0
        for fault in self.faults:
            if fault.kind == kind and fault.hits(place, role):
                found *= fault.factor
        return found

    def _result(self, client: str, server: str, share: float, qps: int) -> PairResult:
        for place, role in ((client, "sends"), (server, "receives")):
            share = min(share, self._factor("nic", place, role))
            share = min(share, self._factor("leaf", self.leaf_of[place], role))
        return PairResult(
            round=self.waves,
            client=client,
            server=server,
            rail=0,
            tool="ib_write_bw",
            memory="host",
            client_port=PORT,
            server_port=PORT,
            qps=qps,
            line_rate_bps=int(LINE_BPS),
            bandwidth_bps=LINE_BPS * share * (1 - abs(self.dice.gauss(0, self.noise))),
            outcome="ok",
        )
