"""The pods of the fault benchmark: what is planted where, drawn from seeds.

Seeds 1 to 100 are healthy pods, 1001 and up have one to three faults. The faults go round, each in every size, so that
all are planted about as often; everything else is drawn from the pod's own seed. What healthy pods show too (stale
counters, moderate pause, corrected bit errors, somebody else's job and so on) is strewn over both kinds alike.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from fabric_audit.simulator.cabling import build
from fabric_audit.simulator.fabric import Fabric
from fabric_audit.simulator.faults import FAULTS, HARMLESS, Fault, places

HEALTHY = range(1, 101)
FAULTY = range(1001, 1301)
ORDER_SEED = 5
"""Decides in which order the faults go round."""
LEFT_OUT = frozenset({"down", "silent", "refuses-login", "changed-host-key", "perftest-missing", "foreign-qp"})
"""Faults that are gaps in the evidence, and UNKNOWN in every check that needs it: tests/audit/test_faults.py."""
SHAPES = {
    "clos-8x2": 50,
    "clos-8x2-rack": 12,
    "clos-8x4": 6,
    "clos-12x2": 12,
    "clos-16x2": 12,
    "clos-32x2": 6,
    "clos-64x2": 2,
}
"""Pod → how often it is drawn, out of 100."""
SYSTEMS = ("sonic", "nvidia_cumulus", "arista_eos", "cisco_nxos")
REORDERING = 0.15
"""Share of pods whose fabric reorders packets, with a policy that says so."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault of a pod."""

    name: str
    size: str
    target: str

    @property
    def written(self) -> str:
        """As the simulator takes it."""
        return f"{self.name}{f':{self.size}' if self.size else ''}@{self.target}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One pod of the benchmark."""

    seed: int
    pod: str
    platforms: Mapping[str, str]
    faults: tuple[Planted, ...]
    harmless: tuple[str, ...]
    reordering: bool
    mode: str
    """Traffic mode."""


def draw(seed: int) -> Drawn:
    """The pod of a seed."""
    dice = random.Random(seed)
    pod = dice.choices(list(SHAPES), list(SHAPES.values()))[0]
    platforms = {"leaf": dice.choice(SYSTEMS), "spine": dice.choice(SYSTEMS)}
    fabric = build(pod, platforms)
    reordering = dice.random() < REORDERING
    faults = () if seed in HEALTHY else tuple(_faults(seed, fabric, dice))
    harmless = tuple(_harmless(fabric, dice, reordering=reordering))
    mode = "adaptive" if fabric.wiring == "rack" else "sample:3"
    return Drawn(seed, pod, platforms, faults, harmless, reordering, mode)


def sized() -> list[tuple[Fault, str]]:
    """Every fault in every size, in the order in which they go round."""
    found = [(fault, str(size)) for fault in FAULTS.values() for size in fault.sizes or ("",)]
    wanted = [one for one in found if one[0].name not in LEFT_OUT]
    random.Random(ORDER_SEED).shuffle(wanted)
    return wanted


def _faults(seed: int, fabric: Fabric, dice: random.Random) -> list[Planted]:
    """One to three: the next of the round that this pod can have, each at another component."""
    round_ = sized()
    at = seed % len(round_)
    count = dice.choice((1, 2, 2, 3))
    fitting = ((fault, size) for fault, size in (*round_[at:], *round_[:at]) if places(fabric, fault))
    found: list[Planted] = []
    for fault, size in islice(fitting, count):
        taken = {planted.target.partition("/")[0] for planted in found}
        free = [place for place in places(fabric, fault) if place.partition("/")[0] not in taken]
        found.append(Planted(fault.name, size, dice.choice(free or places(fabric, fault))))
    return found


def _harmless(fabric: Fabric, dice: random.Random, *, reordering: bool) -> list[str]:
    usual = [fault for fault in HARMLESS.values() if fault.name != "reordered"]
    kinds = dice.sample(usual, dice.randrange(4)) + ([HARMLESS["reordered"]] if reordering else [])
    found = []
    for fault in kinds:
        there = places(fabric, fault)
        targets = dice.sample(there, min(len(there), dice.choice((1, 3, 8))))
        found += [f"{fault.name}@{target}" for target in targets]
    return found
