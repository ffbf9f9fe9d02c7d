"""Planned, delivered, parsed: what became of every section on every target in every phase."""

from collections.abc import Iterable, Iterator

from fabric_audit.audit.reading import Read
from fabric_audit.capture.reader import Capture
from fabric_audit.findings import CoverageRow
from fabric_audit.platforms.registry import all_sections

_WORST = ("not_delivered", "parse_error", "partial", "not_supported", "parsed")


def coverage_of(capture: Capture, reads: Iterable[Read]) -> tuple[CoverageRow, ...]:
    """One row for each planned or delivered section of a target in a phase; walks over devices are folded."""
    groups: dict[tuple[str, str, str], list[Read]] = {}
    for one in reads:
        groups.setdefault((one.entry.target, one.entry.phase, one.section.id), []).append(one)
    rows = [_row(key, group) for key, group in groups.items()]
    rows.extend(_undelivered(capture, groups.keys()))
    return tuple(sorted(rows, key=lambda row: (row.target, row.phase, row.section)))


def _row(key: tuple[str, str, str], group: list[Read]) -> CoverageRow:
    target, phase, section_id = key
    worst = min(group, key=lambda one: _WORST.index(one.reading.state))
    item = f"{worst.frame.item}: " if worst.frame and worst.frame.item and worst.reading.reason else ""
    return CoverageRow(
        target=target,
        phase=phase,
        section=section_id,
        tables=worst.section.tables,
        state=worst.reading.state,
        reason=f"{item}{worst.reading.reason}",
        cause=worst.entry.cause,
        path=f"{worst.entry.path}.out",
        provenance=str(worst.section.proven),
    )


def _undelivered(capture: Capture, delivered: Iterable[tuple[str, str, str]]) -> Iterator[CoverageRow]:
    there = set(delivered)
    failed = {(e.target, e.phase): e for e in reversed(capture.entries) if e.error}
    sections = all_sections()
    for planned in capture.manifest.planned:
        for target in planned.targets:
            failure = failed.get((target, planned.phase))
            for name in planned.sections:
                if (target, planned.phase, name) in there or name not in sections:
                    continue
                yield CoverageRow(
                    target=target,
                    phase=planned.phase,
                    section=name,
                    tables=sections[name].tables,
                    state="not_delivered",
                    reason=failure.error if failure else "the run ended before it was collected",
                    cause=failure.cause if failure else "interrupted",
                    provenance=str(sections[name].proven),
                )
