"""Captures of simulated pods that differ in one thing, judged."""

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from fabric_audit.findings import Audit
from fabric_audit.inventory.model import Traffic
from fabric_audit.simulator.fabric import Fabric
from fabric_audit.simulator.pod import SimulatedPod
from tests.simulated import NO_TRAFFIC, audited, bench, inventory_of

POD = "clos-2x2"
BRIEF = Traffic(mode="smoke", tools=("ib_write_bw",), memory=("host", "gpu"), duration_s=5.0)


class Edited(SimulatedPod):
    """A pod whose switches print other words."""

    edits: Sequence[tuple[str, str, str]] = ()
    """(switches as a glob, words as a regular expression, other words)."""

    def cli(self, target: str, command: str) -> str:
        text = super().cli(target, command)
        for switches, words, others in self.edits:
            text = re.sub(words, others, text) if fnmatchcase(target, switches) else text
        return text


def judged(
    folder: Path,
    *faults: str,
    pod: str = POD,
    edits: Sequence[tuple[str, str, str]] = (),
    change: Callable[[Fabric], None] = lambda _fabric: None,
    limit: str = "",
    traffic: Traffic = NO_TRAFFIC,
) -> Audit:
    """The audit of a pod: with faults, with other words of its switches, changed, or without some targets."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Edited(pod, faults=faults, scale=0.0)
    made.edits = edits
    change(made.fabric)
    inventory = inventory_of(pod, folder)
    with bench(folder, made, inventory.limited_to(limit) if limit else inventory, traffic) as ready:
        return audited(ready.collect())
