"""The verdict on a whole fabric, in words."""

import math
from collections import Counter
from datetime import UTC, datetime
from enum import StrEnum

from fabric_audit.findings import Audit, Origin, Result, Severity, Verdict
from fabric_audit.report.causes import Cause, to_fix
from fabric_audit.report.inert import one_line
from fabric_audit.report.subjects import folded

GENUINE = (Origin.REAL, Origin.FILES)
"""Origins of evidence about a fabric that exists; of any other, every page says that it is simulated."""
_COMPONENT, _MESSAGE = 80, 200  # characters of a component and of a message that fit into one sentence


class Overall(StrEnum):
    """The verdict on the whole; it decides the exit code."""

    FAIL = "FAIL"
    """Something fails at or above the severity asked for."""
    INCOMPLETE = "INCOMPLETE"
    """Nothing does, and evidence that was planned is missing."""
    NOTHING = "NOTHING JUDGED"
    """No check examined anything: neither good nor bad is known."""
    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    """Nothing fails at or above that severity, and the evidence is complete."""


def overall(audit: Audit, fail_on: Severity) -> Overall:
    """The verdict on the whole. No evidence, no pass."""
    if audit.failing(fail_on):
        return Overall.FAIL
    if audit.incomplete:
        return Overall.INCOMPLETE
    judged = any(result.verdict in (Verdict.PASS, Verdict.FAIL) for result in audit.results)
    return Overall.PASS if judged else Overall.NOTHING


def headline(audit: Audit, fail_on: Severity) -> str:
    """The verdict in one sentence, and what to look at first."""
    verdict = overall(audit, fail_on)
    simulated = "" if audit.origin in GENUINE else "SIMULATED "
    return f"{simulated}{verdict.value}: {sentence(audit, fail_on)}"


def sentence(audit: Audit, fail_on: Severity) -> str:
    """What the verdict means, in one sentence."""
    fabric = one_line(audit.fabric, longest=_COMPONENT)
    match overall(audit, fail_on):
        case Overall.FAIL:
            failing = [c for c in to_fix(audit) if c.worst.at_least(fail_on)]
            first = failing[0]
            what = told(first, longest=_MESSAGE).rstrip(".")
            lead = f"{fabric} has {counted(len(failing), 'fault')} to fix"
            return f"{lead}{'; the first is ' if len(failing) > 1 else ': '}{what}{_lacking(audit)}."
        case Overall.INCOMPLETE:
            open_results = _open(audit)
            reason = one_line(open_results[0].reason or open_results[0].title, longest=_MESSAGE).rstrip(".")
            checks = counted(len(open_results), "check")
            lack = "lacks" if len(open_results) == 1 else "lack"
            return f"{fabric} is not known to fail, but {checks} {lack} evidence; first: {reason}."
        case Overall.NOTHING:
            return f"{fabric} was examined by no check: nothing is known of it, good or bad."
        case Overall.PASS:
            return f"{fabric} holds to policy {one_line(audit.policy, longest=_COMPONENT)}: {_passed(audit)}."


def component(cause: Cause) -> str:
    """The component to blame, short."""
    return one_line(str(folded(cause.subjects, most=2)), longest=_COMPONENT)


def told(cause: Cause, *, longest: int) -> str:
    """The component and what is wrong with it, each named once."""
    message = one_line(cause.message, longest=longest)
    where = component(cause)
    return message if message.startswith(where) else f"{where}: {message}"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """``1 check``, ``1,024 checks``."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def when(rfc3339: str) -> str:
    """A moment for people, in UTC; as it is where it cannot be read."""
    try:
        moment = datetime.fromisoformat(rfc3339).astimezone(UTC)
    except ValueError:
        return rfc3339
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def unix_seconds(rfc3339: str) -> float:
    """A moment for programs; NaN where it cannot be read."""
    try:
        return datetime.fromisoformat(rfc3339).timestamp()
    except ValueError:
        return math.nan


def verdict_counts(audit: Audit) -> Counter[Verdict]:
    """How many checks came to each verdict."""
    return Counter(result.verdict for result in audit.results)


def unverified(audit: Audit) -> tuple[str, ...]:
    """Parsers on whose unproven formats a PASS rests."""
    passed = (r for r in audit.results if r.verdict is Verdict.PASS)
    return tuple(sorted({name for result in passed for name in result.unverified_parsers}))


def _open(audit: Audit) -> list[Result]:
    return [result for result in audit.results if result.verdict in (Verdict.UNKNOWN, Verdict.ERROR)]


def _lacking(audit: Audit) -> str:
    lacking = len(_open(audit))
    return f"; {counted(lacking, 'further check')} {'lacks' if lacking == 1 else 'lack'} evidence" if lacking else ""


def _passed(audit: Audit) -> str:
    count = verdict_counts(audit)
    words = f"{counted(count[Verdict.PASS], 'check')} passed"
    below = to_fix(audit)
    if below:
        words += f", {counted(len(below), 'lesser finding')} stand{'s' if len(below) == 1 else ''}"
    for verdict, meaning in ((Verdict.NOT_VERIFIABLE, "cannot be verified"), (Verdict.OUT_OF_SCOPE, "out of scope")):
        if count[verdict]:
            words += f", {count[verdict]} {meaning}"
    names = unverified(audit)
    return words + (f", {counted(len(names), 'unverified parser')} among the evidence" if names else "")
