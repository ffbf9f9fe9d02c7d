"""What this audit does not say anything about, and why."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fabric_audit.findings import Audit, Result, Verdict
from fabric_audit.report.subjects import targets, without_name
from fabric_audit.report.words import unverified


class Kind(StrEnum):
    """Why there is no answer; the word is what the report says."""

    UNKNOWN = "unknown"
    NOT_VERIFIABLE = "not verifiable"
    OUT_OF_SCOPE = "out of scope"
    SKIPPED = "skipped"
    UNVERIFIED = "unverified parser"


MEANINGS = {
    Kind.UNKNOWN: "planned, and the evidence is missing or was not understood",
    Kind.NOT_VERIFIABLE: "the platform documents that it cannot tell",
    Kind.OUT_OF_SCOPE: "not planned",
    Kind.SKIPPED: "left out on purpose, for the reason given",
    Kind.UNVERIFIED: "passed on a format that was never seen in the field",
}
_VERDICTS = {
    Verdict.UNKNOWN: Kind.UNKNOWN,
    Verdict.ERROR: Kind.UNKNOWN,
    Verdict.NOT_VERIFIABLE: Kind.NOT_VERIFIABLE,
    Verdict.OUT_OF_SCOPE: Kind.OUT_OF_SCOPE,
    Verdict.SKIPPED: Kind.SKIPPED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One reason, and everything that has no answer for it."""

    kind: Kind
    why: str
    targets: str
    """Targets it concerns as a node set; empty for all."""
    checks: tuple[str, ...]


def gaps(audit: Audit) -> tuple[Gap, ...]:
    """Everything that was not measured, by kind; those that touch most checks first."""
    found: dict[tuple[Kind, str], list[_Silence]] = {}
    for silence in _silences(audit.results):
        found.setdefault((silence.kind, without_name(silence.why, silence.target)), []).append(silence)
    order = list(Kind)
    both = [*(_gap(words, group) for (_, words), group in found.items()), *_unverified(audit)]
    return tuple(sorted(both, key=lambda gap: (order.index(gap.kind), -len(gap.checks), gap.why)))


@dataclass(frozen=True, slots=True)
class _Silence:
    kind: Kind
    why: str
    target: str
    check: str


def _silences(results: Iterable[Result]) -> Iterator[_Silence]:
    for result in results:
        mine = [finding for finding in result.findings if finding.verdict in _VERDICTS]
        for finding in mine:
            why = finding.message or result.reason or result.title
            yield _Silence(_VERDICTS[finding.verdict], why, finding.subject[0], result.check)
        if not mine and result.verdict in _VERDICTS:
            yield _Silence(_VERDICTS[result.verdict], result.reason or result.title, "", result.check)


def _gap(words: str, group: Sequence[_Silence]) -> Gap:
    """Targets with the same trouble have the same words, but for their names."""
    names = dict.fromkeys(silence.target for silence in group if silence.target)
    return Gap(
        kind=group[0].kind,
        why=group[0].why if len(names) == 1 else words,
        targets=targets(names),
        checks=tuple(dict.fromkeys(silence.check for silence in group)),
    )


def _unverified(audit: Audit) -> Iterator[Gap]:
    for name in unverified(audit):
        resting = (r.check for r in audit.results if r.verdict is Verdict.PASS and name in r.unverified_parsers)
        yield Gap(kind=Kind.UNVERIFIED, why=name, targets="", checks=tuple(resting))
