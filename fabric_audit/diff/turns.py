"""Findings whose verdict turned. What can no longer be told is neither fixed nor failing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabric_audit.diff.names import Names
from fabric_audit.findings import Audit, Finding, Result, Told, Turn, Verdict

_ANSWERS = (Verdict.PASS, Verdict.FAIL)
_SILENT = (Verdict.UNKNOWN, Verdict.ERROR, Verdict.OUT_OF_SCOPE)
_WEIGHT = (Verdict.FAIL, Verdict.ERROR, Verdict.UNKNOWN, Verdict.NOT_VERIFIABLE, Verdict.SKIPPED, Verdict.PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Findings by what became of them, and the checks that have no answer any more."""

    new: tuple[Turn, ...]
    fixed: tuple[Turn, ...]
    still: tuple[Turn, ...]
    unsettled: tuple[Turn, ...]
    silent: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """Findings of one audit by check and subject."""

    exact: Mapping[tuple[str, tuple[str, ...]], Finding]
    below: Mapping[tuple[str, tuple[str, ...]], tuple[Finding, ...]]

    def at_or_above(self, check: str, subject: tuple[str, ...]) -> tuple[Finding, ...]:
        """The finding of a component, or of what it is a part of."""
        parts = (subject[:size] for size in range(len(subject), 0, -1))
        return tuple(self.exact[check, part] for part in parts if (check, part) in self.exact)

    def about(self, check: str, subject: tuple[str, ...]) -> tuple[Finding, ...]:
        """All findings that are of a component, of a part of it, or of what it is a part of."""
        return (*self.at_or_above(check, subject), *self.below.get((check, subject), ()))


def turns(before: Audit, after: Audit, names: Names) -> Turns:
    """Compare what fails; a finding of a whole target and those of its parts are of the same thing."""
    was, now = _found(before, names), _found(after, None)
    new: list[Turn] = []
    still: list[Turn] = []
    for finding in _failing(after):
        old = was.at_or_above(finding.check, finding.subject)
        verdict = _worst(old) or _worst(was.about(finding.check, finding.subject))
        failed = _worst(old) is Verdict.FAIL
        (still if failed else new).append(Turn(finding=finding, was=verdict, why=_why_new(old, failed=failed)))
    fixed, unsettled = [], []
    here = set(after.tables["target"]["target"]) | {after.fabric}
    results = {result.check: result for result in after.results}
    mended: set[str] = set()
    for finding in _failing(before):
        subject = names.subject(finding.subject)
        found = _worst(now.about(finding.check, subject))
        with_cause = found is Verdict.NOT_VERIFIABLE and finding.explained_by in mended
        if found is Verdict.PASS or with_cause:
            mended.add(finding.id)
            why = "its cause is fixed; by itself it cannot be verified" if with_cause else ""
            fixed.append(Turn(finding=finding, was=Verdict.FAIL, why=why))
        elif found is not Verdict.FAIL:
            why = _why_open(finding, now.about(finding.check, subject), results.get(finding.check), here)
            unsettled.append(Turn(finding=finding, was=Verdict.FAIL, why=why))
    return Turns(
        new=tuple(new),
        fixed=tuple(fixed),
        still=tuple(still),
        unsettled=tuple(unsettled),
        silent=tuple(_silent(before, after)),
    )


def _found(audit: Audit, names: Names | None) -> _Found:
    exact: dict[tuple[str, tuple[str, ...]], Finding] = {}
    below: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    for finding in audit.findings:
        subject = names.subject(finding.subject) if names else finding.subject
        key = (finding.check, subject)
        if key not in exact or _WEIGHT.index(finding.verdict) < _WEIGHT.index(exact[key].verdict):
            exact[key] = finding
        for size in range(1, len(subject)):
            below.setdefault((finding.check, subject[:size]), []).append(finding)
    return _Found(exact, {key: tuple(findings) for key, findings in below.items()})


def _failing(audit: Audit) -> list[Finding]:
    """Causes before what they explain, worst first, each once."""
    failing = {f.id: f for f in audit.findings if f.verdict is Verdict.FAIL}
    return sorted(failing.values(), key=lambda f: (f.explained_by != "", f.severity.rank, f.id))


def _worst(findings: Iterable[Finding]) -> Verdict | None:
    verdicts = {finding.verdict for finding in findings}
    return next((verdict for verdict in _WEIGHT if verdict in verdicts), None)


def _why_new(old: tuple[Finding, ...], *, failed: bool) -> str:
    """What it was before it failed."""
    if failed or not old:
        return ""
    return old[0].message if old[0].verdict in (Verdict.SKIPPED, Verdict.UNKNOWN) else ""


def _why_open(finding: Finding, found: tuple[Finding, ...], result: Result | None, here: set[str]) -> str:
    """Why nothing tells any more whether it fails."""
    if finding.subject[0] not in here:
        return f"{finding.subject[0]} is not in the inventory any more"
    if found:
        worst = next(f for verdict in _WEIGHT for f in found if f.verdict is verdict)
        return worst.message
    if result is None:
        return "the check was not evaluated"
    if result.reason:
        return result.reason
    return "the check examines nothing of that name any more"


def _silent(before: Audit, after: Audit) -> Iterator[Told]:
    """Checks that had an answer and have none, for the fabric as a whole."""
    was = {result.check: result for result in before.results}
    for result in after.results:
        old = was.get(result.check)
        if old is not None and old.verdict in _ANSWERS and result.verdict in _SILENT:
            why = result.reason or result.verdict.value.replace("_", " ").lower()
            yield Told(subject=(after.fabric,), what=result.check, why=why)
