"""Everything that is different as rows of a spreadsheet."""

from collections.abc import Iterator

from fabric_audit.findings import Comparison
from fabric_audit.report.cells import table

FILE_NAME = "difference.csv"
HEADER = ("kind", "target", "component", "what", "before", "after", "severity", "why")
TURNS = ("new", "fixed", "still", "unsettled")


def render(comparison: Comparison) -> bytes:
    """One row a difference."""
    return table(HEADER, _rows(comparison))


def _rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    for difference in comparison.differences:
        fabric = comparison.after.fabric
        yield "circumstance", fabric, "", difference.what, difference.before, difference.after, "", ""
    yield from _turned(comparison)
    yield from _changed(comparison)
    yield from _measured(comparison)
    for kind, found in (("lost", comparison.lost), ("gained", comparison.gained)):
        for one in found:
            yield kind, *_component(one.subject), one.what, "", "", "", one.why


def _turned(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    for kind in TURNS:
        for turn in getattr(comparison, kind):
            finding = turn.finding
            was = turn.was.value if turn.was else ""
            now = {"fixed": "PASS", "unsettled": ""}.get(kind, "FAIL")
            told = f"{finding.check}: {finding.message}"
            yield kind, *_component(finding.subject), told, was, now, finding.severity.value, turn.why


def _changed(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    for kind, changes in (("renamed", comparison.renamed), ("changed", comparison.changes)):
        for change in changes:
            what = f"{change.table} {change.field}: {change.meaning}"
            yield kind, *_component(change.subject), what, change.before, change.after, "", ""


def _measured(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    for shift in comparison.shifts:
        why = f"beyond {100 * shift.noise:.1f} % of noise"
        yield "measured", *_component(shift.subject), shift.name, shift.before, shift.after, "", why
    for pace in comparison.paces:
        told = f"{pace.name} per second"
        yield "pace", *_component(pace.subject), told, pace.before_per_s, pace.after_per_s, "", pace.counter_class


def _component(subject: tuple[str, ...]) -> tuple[str, str]:
    return subject[0], " ".join(subject[1:])
