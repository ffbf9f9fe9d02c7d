"""Causes as they stand on a page: bounded, with the raw lines they rest on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fabric_audit.findings import Audit, Evidence, Finding
from fabric_audit.report.causes import Cause, causes
from fabric_audit.report.model import EvidenceReader, Excerpt
from fabric_audit.report.subjects import Folded, folded, rails

MOST_CARDS = 250
"""Causes shown in full; a person who has so many has one cause that no check knows, and ``findings.json``."""
MOST_CONSEQUENCES = 40
EXCERPTS_EACH, MOST_EXCERPTS = 2, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """Findings of one check that a cause explains."""

    check: str
    verdict: str
    severity: str
    subjects: Folded
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One cause with everything shown of it."""

    cause: Cause
    subjects: Folded
    targets: tuple[str, ...]
    rails: tuple[str, ...]
    excerpts: tuple[Excerpt, ...]
    other_evidence: tuple[Evidence, ...]
    more_evidence: int
    consequences: tuple[Consequence, ...]
    more_consequences: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """All that is shown, and how much is not."""

    shown: tuple[Card, ...]
    more: int

    def values(self, name: str) -> tuple[str, ...]:
        """What a filter offers, in the order of the cards."""
        return tuple(dict.fromkeys(value for card in self.shown for value in _FILTERS[name](card)))


_FILTERS: Mapping[str, Callable[[Card], Sequence[str]]] = {
    "verdict": lambda card: [card.cause.verdict.value],
    "severity": lambda card: [card.cause.first.severity.value],
    "family": lambda card: card.cause.families,
    "target": lambda card: card.targets,
    "rail": lambda card: card.rails,
}


def cards(audit: Audit, evidence: EvidenceReader) -> Cards:
    """Every cause, worst first, as far as a page can hold them."""
    found = causes(audit)
    left = MOST_EXCERPTS
    shown = []
    for cause in found[:MOST_CARDS]:
        card = _card(cause, evidence, min(left, EXCERPTS_EACH))
        left -= len(card.excerpts)
        shown.append(card)
    return Cards(shown=tuple(shown), more=len(found) - len(shown))


def _card(cause: Cause, evidence: EvidenceReader, excerpts: int) -> Card:
    places = tuple(dict.fromkeys(place for finding in cause.findings for place in finding.evidence))
    everything = [*cause.findings, *cause.consequences]
    consequences = _consequences(cause.consequences)
    other = places[excerpts:]
    return Card(
        cause=cause,
        subjects=folded(cause.subjects),
        targets=tuple(dict.fromkeys(finding.subject[0] for finding in everything)),
        rails=rails(finding.subject for finding in everything),
        excerpts=tuple(evidence.excerpt(place) for place in places[:excerpts]),
        other_evidence=other[:_PLACES],
        more_evidence=max(0, len(other) - _PLACES),
        consequences=consequences[:MOST_CONSEQUENCES],
        more_consequences=max(0, len(consequences) - MOST_CONSEQUENCES),
    )


_PLACES = 8  # further evidence that is named by its path alone


def _consequences(findings: Iterable[Finding]) -> tuple[Consequence, ...]:
    groups: dict[tuple[str, str, str, str], list[Finding]] = {}
    for one in findings:
        groups.setdefault((one.check, one.verdict.value, one.severity.value, one.message), []).append(one)
    return tuple(_consequence(group) for group in groups.values())


def _consequence(group: Sequence[Finding]) -> Consequence:
    first = group[0]
    return Consequence(
        check=first.check,
        verdict=first.verdict.value,
        severity=first.severity.value,
        subjects=folded(finding.subject for finding in group),
        message=first.message,
    )
