"""Differences as lines for people: what is the same for many components stands once."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from fabric_audit.findings import Change, Evidence, Finding, Pace, Shift, Told, Turn
from fabric_audit.report.subjects import Folded, folded, without_name

_UNITS = {"_bps": (1e9, "Gb/s"), "_us": (1.0, "µs"), "_c": (1.0, "°C"), "_bytes": (1.0, "bytes")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One change of all components that have it alike."""

    subjects: Folded
    what: str
    table: str
    field: str
    before: str
    after: str
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """Findings of one check that say the same."""

    subjects: Folded
    finding: Finding
    message: str
    was: str
    why: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLine:
    """Evidence lost or gained for one reason."""

    subjects: Folded
    what: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shifted:
    """All shifts of one measurement in one direction, in a sentence."""

    name: str
    count: int
    median_share: float
    noise: str


def changes(found: Iterable[Change]) -> tuple[ChangeLine, ...]:
    """Equal changes together, in their order."""
    groups: dict[tuple[str, ...], list[Change]] = {}
    for one in found:
        groups.setdefault((one.table, one.field, one.meaning, one.before, one.after), []).append(one)
    return tuple(
        ChangeLine(
            subjects=folded(change.subject for change in group),
            what=group[0].meaning,
            table=group[0].table,
            field=group[0].field,
            before=group[0].before,
            after=group[0].after,
            evidence=group[0].evidence,
        )
        for group in groups.values()
    )


def turns(found: Iterable[Turn]) -> tuple[TurnLine, ...]:
    """Findings that say the same together, root causes first."""
    groups: dict[tuple[str, ...], list[Turn]] = {}
    for one in sorted(found, key=lambda turn: bool(turn.finding.explained_by)):
        finding = one.finding
        words = without_name(finding.message, finding.subject[0])
        key = (finding.check, words, one.was.value if one.was else "", without_name(one.why, finding.subject[0]))
        groups.setdefault(key, []).append(one)
    return tuple(_turn(group, words) for (_, words, _, _), group in groups.items())


def _turn(group: list[Turn], words: str) -> TurnLine:
    first = group[0]
    return TurnLine(
        subjects=folded(turn.finding.subject for turn in group),
        finding=first.finding,
        message=first.finding.message if len(group) == 1 else words,
        was=first.was.value.replace("_", " ") if first.was else "not examined",
        why=first.why,
        count=len(group),
    )


def told(found: Iterable[Told]) -> tuple[ToldLine, ...]:
    """Evidence by the reason that it is lost for, its targets folded."""
    groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for one in found:
        groups.setdefault((one.subject, one.why), []).append(one.what)
    alike: dict[tuple[tuple[str, ...], str], list[tuple[str, ...]]] = {}
    for (subject, why), what in groups.items():
        alike.setdefault((tuple(what), without_name(why, subject[0])), []).append(subject)
    return tuple(ToldLine(subjects=folded(subjects), what=what, why=why) for (what, why), subjects in alike.items())


def shifted(found: Iterable[Shift]) -> tuple[Shifted, ...]:
    """How many measurements of each kind went up, and how many down."""
    groups: dict[tuple[str, bool, float, int], list[Shift]] = {}
    for one in found:
        groups.setdefault((one.name, one.share > 0, one.noise, one.repeats), []).append(one)
    return tuple(
        Shifted(
            name=name,
            count=len(group),
            median_share=median(shift.share for shift in group),
            noise=f"±{100 * noise:.1f} %, {f'from {repeats} repeats' if repeats else 'the tolerance of its kind'}",
        )
        for (name, _, noise, repeats), group in groups.items()
    )


def amount(name: str, value: float) -> str:
    """A measured value with its unit."""
    divisor, unit = next((unit for suffix, unit in _UNITS.items() if name.endswith(suffix)), (1.0, ""))
    return f"{value / divisor:,.4g} {unit}".rstrip()


def pace(found: Pace) -> str:
    """What became of a counter."""
    if not found.before_per_s:
        return "began to run"
    return "stands still" if not found.after_per_s else "runs at another pace"
