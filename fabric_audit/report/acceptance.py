"""Whether a fabric may be handed over, and what stands against it.

ACCEPTED needs a proof for everything: every check that the policy requires passed, on evidence that is complete,
genuine and read by proven parsers, and a soak that lasted as long as it was meant to.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fabric_audit.documents.quantities import QuantityError, duration_s
from fabric_audit.findings import Audit, Origin, Result, Verdict
from fabric_audit.report.causes import to_fix
from fabric_audit.report.words import counted, told, unverified

SOAK = "soak:"
"""How the mode of traffic begins that is meant to prove endurance."""
_LONGEST = 200
_OPEN = {
    Verdict.UNKNOWN: "evidence is missing",
    Verdict.ERROR: "the check could not be evaluated",
    Verdict.NOT_VERIFIABLE: "cannot be verified",
    Verdict.OUT_OF_SCOPE: "is out of scope",
    Verdict.SKIPPED: "was left out",
}
_ALWAYS = (Verdict.UNKNOWN, Verdict.ERROR, Verdict.NOT_VERIFIABLE, Verdict.SKIPPED)
"""Verdicts that leave a question open even where the policy requires no check by name."""


class Decision(StrEnum):
    """What a certificate says."""

    ACCEPTED = "ACCEPTED"
    CONDITIONAL = "CONDITIONAL"
    REJECTED = "REJECTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The decision, why it is no better, and what it was decided on."""

    decision: Decision
    faults: tuple[str, ...]
    """What fails and must not: each alone rejects."""
    conditions: tuple[str, ...]
    """What is open, or rests on less than proof."""


def acceptance(audit: Audit) -> Acceptance:
    """Decide by the whole of an audit."""
    faults = tuple(told(cause, longest=_LONGEST) for cause in to_fix(audit) if cause.worst.at_least(audit.fail_on))
    conditions = tuple(_conditions(audit))
    decision = Decision.REJECTED if faults else Decision.CONDITIONAL if conditions else Decision.ACCEPTED
    return Acceptance(decision=decision, faults=faults, conditions=conditions)


def required(audit: Audit) -> tuple[Result, ...]:
    """Checks that the policy requires by name or family; every check where it names none."""
    names = set(audit.required)
    mine = (r for r in audit.results if not names or {r.check, r.check.partition(".")[0]} & names)
    return tuple(sorted(mine, key=lambda result: result.check))


def soaked(audit: Audit) -> str:
    """What is wrong with the soak; empty where it lasted as long as it was meant to."""
    mode = audit.custody.traffic
    if not mode.startswith(SOAK):
        return f"no soak was run; traffic was {mode}"
    try:
        meant_s = duration_s(mode.removeprefix(SOAK))
    except QuantityError:
        return f"the soak's duration cannot be read: {mode}"
    if audit.custody.loaded_s < meant_s:
        return f"the soak ended after {audit.custody.loaded_s:,.0f} of {meant_s:,.0f} seconds"
    return ""


def _conditions(audit: Audit) -> Iterator[str]:
    origins = {Origin.SIMULATED: "the evidence is simulated", Origin.FILES: "no device was asked, only saved files"}
    if audit.origin in origins:
        yield origins[Origin(audit.origin)]
    custody = audit.custody
    if not custody.sealed:
        yield "the collection did not come to its end"
    if custody.damaged:
        names = ", ".join(custody.damaged[:3])
        yield f"{counted(len(custody.damaged), 'file')} of the capture missing or changed: {names}"
    if words := soaked(audit):
        yield words
    yield from _open_checks(audit)
    for cause in to_fix(audit):
        if not cause.worst.at_least(audit.fail_on):
            yield f"{cause.worst.value}: {told(cause, longest=_LONGEST)}"
    parsers = unverified(audit)
    if parsers:
        yield f"{counted(len(parsers), 'parser')} never proven in the field: {', '.join(parsers)}"
    yield from (f"safeguard overridden: {override}" for override in audit.overrides)


def _open_checks(audit: Audit) -> Iterator[str]:
    """Checks without an answer, those with the same reason together."""
    groups: dict[tuple[Verdict, str], list[str]] = {}
    by_name = {result.check for result in required(audit)} if audit.required else set()
    judged = False
    for result in audit.results:
        judged |= result.verdict in (Verdict.PASS, Verdict.FAIL)
        waived = any(finding.waiver for finding in result.findings)
        if result.verdict in _ALWAYS or (result.check in by_name and result.verdict in _OPEN):
            groups.setdefault((result.verdict, result.reason or result.title), []).append(result.check)
        elif waived:
            groups.setdefault((Verdict.SKIPPED, "failures are waived"), []).append(result.check)
    for (verdict, reason), checks in groups.items():
        yield f"{', '.join(checks)} {_OPEN[verdict]}: {reason}"
    if not judged:
        yield "no check examined anything"
