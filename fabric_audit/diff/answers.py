"""Which tables a capture has of a target, so that what was not told is never taken for what is gone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fabric_audit.checks.model import DERIVED, GIVEN
from fabric_audit.findings import Audit, CoverageRow

ROUND = "round-"
"""How phases begin that hold traffic; how many there are depends on the load, not on the fabric."""
_TOLD = frozenset({"parsed", "partial", "not_supported"})
_WHOLE = frozenset({"parsed", "not_supported"})


@dataclass(frozen=True, slots=True)
class Answers:
    """States of everything that was asked of each target for each table."""

    targets: frozenset[str]
    states: Mapping[tuple[str, str], frozenset[str]]

    def told(self, target: str, table: str) -> bool:
        """Something of the table is there."""
        return self._states(target, table) is None or bool((self._states(target, table) or frozenset()) & _TOLD)

    def whole(self, target: str, table: str) -> bool:
        """All of it is there: a row that is not in the table is not on the target."""
        states = self._states(target, table)
        return states is None or (bool(states) and states <= _WHOLE)

    def _states(self, target: str, table: str) -> frozenset[str] | None:
        """None for tables that the inventory gives."""
        if table in GIVEN:
            return None
        parts = DERIVED.get(table, (table,))
        return frozenset().union(*(self.states.get((target, part), frozenset()) for part in parts))


def answers(audit: Audit) -> Answers:
    """What the coverage says of each target and table outside of rounds."""
    targets = frozenset(str(name) for name in audit.tables["target"]["target"].unique())
    return Answers(targets, MappingProxyType(_states(audit.coverage)))


def _states(coverage: Iterable[CoverageRow]) -> dict[tuple[str, str], frozenset[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for row in coverage:
        if not row.phase.startswith(ROUND):
            for table in row.tables:
                found.setdefault((row.target, table), set()).add(row.state)
    return {key: frozenset(states) for key, states in found.items()}
