"""What is different, on a terminal: worth reading on its own, and safe to print whatever devices said."""

from collections.abc import Iterator, Sequence

from fabric_audit.findings import Comparison
from fabric_audit.report.comparison import lines
from fabric_audit.report.inert import one_line

_LONGEST = 160
_WIDE = 12


def summary(comparison: Comparison, *, most: int) -> Iterator[str]:
    """At most so many lines of each kind."""
    alike = [f"{d.what}: {d.before} → {d.after}" for d in comparison.differences]
    yield from _part("not alike", alike, most)
    for kind, word in (("new", "new"), ("unsettled", "not known"), ("fixed", "fixed"), ("still", "still")):
        turned = lines.turns(getattr(comparison, kind))
        yield from _part(word, [_told(line) for line in turned], most)
    yield from _part("renamed", [f"{' '.join(c.subject)}, was {c.before}" for c in comparison.renamed], most)
    changes = lines.changes(comparison.changes)
    changed = [f"{line.subjects}: {line.what}: {line.before} → {line.after}" for line in changes]
    yield from _part("changed", changed, most)
    shifts = [
        f"{one.count} of {one.name} {100 * one.median_share:+.1f} % at the median, noise {one.noise}"
        for one in lines.shifted(comparison.shifts)
    ]
    yield from _part("measured", shifts, most)
    yield from _part("counter", [f"{' '.join(p.subject)} {p.name} {lines.pace(p)}" for p in comparison.paces], most)
    for kind, word in (("lost", "lost"), ("gained", "gained")):
        told = [
            f"{line.subjects}: {', '.join(line.what)} ({line.why})" for line in lines.told(getattr(comparison, kind))
        ]
        yield from _part(word, told, most)


def _told(line: lines.TurnLine) -> str:
    where = str(line.subjects)
    words = line.message if line.message.startswith(where) else f"{where}: {line.message}"
    return f"{words} ({line.why})" if line.why else words


def _part(word: str, found: Sequence[str], most: int) -> Iterator[str]:
    for line in found[:most]:
        yield f"{word:{_WIDE}}{one_line(line, longest=_LONGEST)}"
    if len(found) > most:
        yield f"{'':{_WIDE}}and {len(found) - most} more in the report"
