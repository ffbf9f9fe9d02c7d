"""Planned, delivered, parsed: what became of every section on every target in every phase."""

from collections.abc import Iterable, Iterator

from fabric_audit.audit.reading import Read
from fabric_audit.capture.model import Planned
from fabric_audit.capture.reader import Capture
from fabric_audit.findings import CoverageRow
from fabric_audit.platforms.registry import all_sections

SENT_HOME = 75
"""Exit status of a client whose server never listened: it had nothing to read counters for (EX_TEMPFAIL)."""
PERFTEST = "perftest"
"""Section in which either end of a test tells what came of it."""
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
        path=worst.entry.out,
        provenance=str(worst.section.proven),
    )


def _planned(capture: Capture) -> Iterator[Planned]:
    """What was asked in each phase; in each round both ends of a pair were to tell of their test and their counters."""
    yield from capture.manifest.planned
    sent_home = {(e.target, e.phase) for e in capture.entries if e.rc == SENT_HOME}
    for record in capture.rounds:
        phase = str(record["phase"])
        bound = [slot for slot in record["slots"] if slot["id"] not in record["unbound"]]
        ends = dict.fromkeys(slot[end] for slot in bound for end in ("client", "server"))
        targets = tuple(name for name in ends if (name, phase) not in sent_home)
        yield Planned(phase=phase, targets=targets, sections=(PERFTEST, *record.get("counters", ())))


def _undelivered(capture: Capture, delivered: Iterable[tuple[str, str, str]]) -> Iterator[CoverageRow]:
    there = set(delivered)
    failed = {(e.target, e.phase): e for e in reversed(capture.entries) if e.error}
    sections = all_sections()
    for planned in _planned(capture):
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
