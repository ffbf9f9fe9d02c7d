"""Findings by what is to be done: what says the same is one cause, and what follows from it stands under it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from fabric_audit.findings import Audit, Finding, Severity, Verdict
from fabric_audit.report.subjects import without_name

ORDER = (Verdict.FAIL, Verdict.ERROR, Verdict.UNKNOWN, Verdict.NOT_VERIFIABLE, Verdict.SKIPPED)
"""Verdicts that ask for attention, the most urgent first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Findings that say the same, and the findings they explain.

    They are of one check, but for missing evidence: one silent host leaves many checks without an answer.
    """

    findings: tuple[Finding, ...]
    consequences: tuple[Finding, ...] = ()

    @property
    def first(self) -> Finding:
        """The one whose words are shown; the others' are the same."""
        return self.findings[0]

    @property
    def message(self) -> str:
        """What is said of all of them."""
        first = self.first
        alone = all(finding.message == first.message for finding in self.findings)
        return first.message if alone else without_name(first.message, first.subject[0])

    @property
    def verdict(self) -> Verdict:
        """Their common verdict."""
        return self.first.verdict

    @property
    def fails(self) -> bool:
        """Whether anything fails by it."""
        return any(finding.verdict is Verdict.FAIL for finding in (*self.findings, *self.consequences))

    @property
    def checks(self) -> tuple[str, ...]:
        """Checks that found it."""
        return tuple(dict.fromkeys(finding.check for finding in self.findings))

    @property
    def families(self) -> tuple[str, ...]:
        """First parts of the ids of the checks."""
        return tuple(dict.fromkeys(check.split(".", maxsplit=1)[0] for check in self.checks))

    @property
    def worst(self) -> Severity:
        """Severity of the worst finding that goes away with this cause."""
        failing = [f.severity for f in (*self.findings, *self.consequences) if f.verdict is Verdict.FAIL]
        return min(failing or [self.first.severity], key=lambda severity: severity.rank)

    @property
    def subjects(self) -> tuple[tuple[str, ...], ...]:
        """Components that have it."""
        return tuple(finding.subject for finding in self.findings)

    @property
    def anchor(self) -> str:
        """Stable name within a page."""
        return f"f-{sha256(self.first.id.encode('utf-8', 'replace')).hexdigest()[:10]}"


def causes(audit: Audit) -> tuple[Cause, ...]:
    """Everything that does not simply pass, worst first.

    Order: verdict, worst severity among cause and consequences, number of findings that go with it, check, component.
    """
    findings = sorted((f for f in audit.findings if f.verdict in ORDER), key=lambda f: (f.check, f.subject, f.message))
    known = {finding.id: finding for finding in reversed(findings)}
    groups: dict[Finding, list[Finding]] = {}
    following: dict[str, list[Finding]] = {}
    for finding in findings:
        root = _root(finding, known)
        if root is finding:
            groups.setdefault(_words(finding), []).append(finding)
        else:
            following.setdefault(root.id, []).append(finding)
    found = [
        Cause(findings=tuple(group), consequences=tuple(c for id_ in _ids(group) for c in following.get(id_, ())))
        for group in groups.values()
    ]
    return tuple(sorted(found, key=_urgency))


def to_fix(audit: Audit) -> tuple[Cause, ...]:
    """The root causes of what fails, the one to fix first in front."""
    return tuple(cause for cause in causes(audit) if cause.fails)


def _urgency(cause: Cause) -> tuple[object, ...]:
    size = len(cause.findings) + len(cause.consequences)
    return not cause.fails, ORDER.index(cause.verdict), cause.worst.rank, -size, cause.first.check, cause.first.subject


def _words(finding: Finding) -> Finding:
    """What must be equal for findings to be one cause: everything but where it is."""
    message, expected, observed = (
        without_name(text, finding.subject[0]) for text in (finding.message, finding.expected, finding.observed)
    )
    words = replace(
        finding, subject=(), evidence=(), reproduce="", message=message, expected=expected, observed=observed
    )
    if finding.verdict is not Verdict.UNKNOWN:
        return words
    return replace(words, check="", severity=Severity.MAJOR, expected="", observed="")


def _ids(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.id for finding in findings))


def _root(finding: Finding, known: Mapping[str, Finding]) -> Finding:
    """The finding at the end of the chain of explanations; itself where the chain leads nowhere, or in a circle."""
    seen = {finding.id}
    at = finding
    while at.explained_by in known:
        at = known[at.explained_by]
        if at.id in seen:
            return finding
        seen.add(at.id)
    return at
