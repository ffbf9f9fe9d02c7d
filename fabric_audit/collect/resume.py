"""What an interrupted run had done already, so that another one need not do it again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from fabric_audit.capture.model import Entry
from fabric_audit.capture.reader import Capture
from fabric_audit.collect.asking import Answered
from fabric_audit.collect.results import results_of
from fabric_audit.errors import UsageError
from fabric_audit.facts.pairs import Slot
from fabric_audit.facts.performance import PairResult
from fabric_audit.inventory.model import Inventory
from fabric_audit.plan.bind import Bound
from fabric_audit.plan.model import Question
from fabric_audit.plan.rounds import Step, pairs_of
from fabric_audit.transport import Answer

CUT = frozenset({75, 143})
"""Exit status of a script that was sent home, or lost its lifeline."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A capture that was not finished. Nothing of it is believed but whole answers."""

    capture: Capture
    _entries: dict[tuple[str, str, str], Entry] = field(default_factory=dict)
    """(phase, target, command) → the last answer that was whole."""

    def __post_init__(self) -> None:
        for entry in self.capture.entries:
            if not entry.error and entry.rc not in CUT:
                self._entries[entry.phase, entry.target, entry.command] = entry

    def must_fit(self, inventory: Inventory) -> None:
        """Make sure that it is of the same fabric and the same targets.

        Raises:
            UsageError: it is complete, or of others.
        """
        if self.capture.manifest.sealed:
            raise UsageError(f"{self.capture.folder}: this capture is complete, there is nothing to resume; use check")
        if self.capture.manifest.fabric != inventory.fabric:
            theirs = self.capture.manifest.fabric
            raise UsageError(f"{self.capture.folder} is of fabric {theirs!r}, not of {inventory.fabric!r}")
        strangers = {entry.target for entry in self.capture.entries} - {target.name for target in inventory.targets}
        if strangers:
            raise UsageError(f"{self.capture.folder} asked {', '.join(sorted(strangers))}, which the inventory has not")

    def answers(self, phase: str, target: str, questions: Sequence[Question]) -> tuple[Answered, ...] | None:
        """The answers to all questions, None where one is missing."""
        found = [self._answered(phase, target, question.command) for question in questions]
        return tuple(one for one in found if one) if all(found) else None

    def results(self, step: Step) -> list[PairResult] | None:
        """What became of a round, None where it was not run, not whole, or is not the same round."""
        record = next((r for r in self.capture.rounds if r["number"] == step.number), None)
        if record is None or [slot["id"] for slot in record["slots"]] != [slot.id for slot in step.slots]:
            return None
        unbound = record["unbound"]
        bounds = [Bound(slot=Slot.from_json(slot), reason=unbound.get(slot["id"], "")) for slot in record["slots"]]
        if any(bound.reason for bound in bounds):
            return None
        found: list[PairResult] = []
        for (client, server), mine in pairs_of(bounds).items():
            sent = self._answered(step.phase, client, "send")
            served = self._answered(step.phase, server, "serve")
            if sent is None or served is None:
                return None
            found += results_of(mine, sent, served)
        return found

    def _answered(self, phase: str, target: str, command: str) -> Answered | None:
        entry = self._entries.get((phase, target, command))
        data = self.capture.output(entry) if entry else None
        if entry is None or data is None:
            return None
        return entry, Answer(stdout=data[0], stderr=data[1], rc=entry.rc, duration_s=entry.duration_s)
