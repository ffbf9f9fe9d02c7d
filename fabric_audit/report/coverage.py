"""What was asked and what came of it, with equal answers folded."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric_audit.findings import CoverageRow
from fabric_audit.report.subjects import targets

STATES = {
    "not_delivered": "not delivered",
    "parse_error": "not understood",
    "partial": "partly understood",
    "not_supported": "not supported",
    "parsed": "delivered and parsed",
}
"""States in the order in which they are looked at, in words."""
_ROUND = "round-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """One question and all targets and phases that gave the same answer to it."""

    section: str
    state: str
    reason: str
    provenance: str
    targets: str
    phases: str
    count: int


def folded(rows: Iterable[CoverageRow]) -> tuple[Answers, ...]:
    """Coverage with targets and phases folded, what is lacking first."""
    groups: dict[tuple[str, str, str, str], list[CoverageRow]] = {}
    for row in rows:
        groups.setdefault((row.section, row.state, row.reason, row.provenance), []).append(row)
    order = list(STATES)
    found = (
        Answers(
            section=section,
            state=state,
            reason=reason,
            provenance=provenance,
            targets=targets(row.target for row in group),
            phases=phases(row.phase for row in group),
            count=len(group),
        )
        for (section, state, reason, provenance), group in groups.items()
    )
    return tuple(sorted(found, key=lambda a: (order.index(a.state) if a.state in order else -1, a.section, a.targets)))


def totals(rows: Iterable[CoverageRow]) -> Mapping[str, int]:
    """How many answers are in each state, in words; states that do not occur are left out."""
    count = Counter(row.state for row in rows)
    return {words: count[state] for state, words in STATES.items() if count[state]}


def phases(names: Iterable[str]) -> str:
    """Phases in the order they came, rounds together."""
    seen = list(dict.fromkeys(names))
    rounds = [name for name in seen if name.startswith(_ROUND)]
    words = f"{len(rounds)} rounds" if len(rounds) > 1 else "".join(rounds)
    told = [words if name in rounds else name for name in seen if name not in rounds[1:]]
    return ", ".join(told)
