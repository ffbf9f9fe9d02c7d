"""What a comparison comes to, in words."""

from enum import StrEnum

from fabric_audit.findings import Comparison, Origin, Severity
from fabric_audit.report.inert import one_line
from fabric_audit.report.words import counted, when

_MESSAGE = 200


class Course(StrEnum):
    """What became of the fabric; it decides the exit code."""

    WORSE = "WORSE"
    """Something fails at or above the severity asked for that did not."""
    LESS_KNOWN = "LESS KNOWN"
    """Nothing of that kind, but evidence was lost: what it would say is open."""
    NO_WORSE = "NO WORSE"
    """Something is different, and nothing of it is a new failure of that severity."""
    SAME = "NO CHANGE"
    """Both captures tell the same."""


def course(comparison: Comparison, fail_on: Severity) -> Course:
    """The verdict on the change."""
    if comparison.worse(fail_on):
        return Course.WORSE
    if comparison.lost or comparison.unsettled:
        return Course.LESS_KNOWN
    return Course.SAME if comparison.nothing else Course.NO_WORSE


def simulated(comparison: Comparison) -> bool:
    """Whether either capture comes from no real device."""
    return Origin.SIMULATED in (comparison.before.origin, comparison.after.origin)


def headline(comparison: Comparison) -> str:
    """The verdict in one line."""
    came_to = course(comparison, comparison.after.fail_on)
    return f"{'SIMULATED ' if simulated(comparison) else ''}{came_to}: {sentence(comparison)}"


def sentence(comparison: Comparison) -> str:
    """What is different, in one sentence."""
    fabric = one_line(comparison.after.fabric, longest=80)
    since = f"{fabric} since {when(comparison.before.started)}"
    if comparison.nothing:
        still = f"; what failed still does ({len(comparison.still)})" if comparison.still else ""
        return f"{since}: nothing is different{still}."
    parts = [words for words in _parts(comparison) if words]
    roots = [turn for turn in comparison.new if not turn.finding.explained_by] or list(comparison.new)
    first = f"; first: {_first(roots[0].finding.subject, roots[0].finding.message)}" if roots else ""
    return f"{since}: {', '.join(parts)}{first}."


def _first(subject: tuple[str, ...], message: str) -> str:
    shown = one_line(message, longest=_MESSAGE).rstrip(".")
    where = " ".join(subject)
    return shown if shown.startswith(subject[0]) else f"{one_line(where, longest=80)}: {shown}"


def _parts(comparison: Comparison) -> list[str]:
    return [
        f"{len(comparison.new)} new" if comparison.new else "",
        f"{len(comparison.fixed)} fixed" if comparison.fixed else "",
        f"{len(comparison.still)} still failing" if comparison.still else "",
        f"{len(comparison.unsettled)} not known any more" if comparison.unsettled else "",
        counted(len(comparison.changes), "changed setting") if comparison.changes else "",
        counted(len(comparison.renamed), "renamed component") if comparison.renamed else "",
        counted(len(comparison.shifts), "measurement") + " beyond noise" if comparison.shifts else "",
        counted(len(comparison.paces), "counter") + " at another pace" if comparison.paces else "",
        counted(len(comparison.lost), "piece of evidence", "pieces of evidence") + " lost" if comparison.lost else "",
        counted(len(comparison.gained), "piece of evidence", "pieces of evidence") + " gained"
        if comparison.gained
        else "",
        counted(len(comparison.differences), "other circumstance") if comparison.differences else "",
    ]
