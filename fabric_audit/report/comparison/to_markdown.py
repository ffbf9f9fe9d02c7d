"""What is different, for a ticket."""

from collections.abc import Iterator, Sequence

from fabric_audit.findings import Comparison, Pace
from fabric_audit.report.comparison import lines
from fabric_audit.report.comparison.words import course, sentence, simulated
from fabric_audit.report.to_markdown import code, plain
from fabric_audit.report.words import when

FILE_NAME = "difference.md"
MOST = 30
"""Lines of one part that a ticket can hold."""
TITLES = {
    "new": "New: fails now, and did not",
    "unsettled": "Not known any more: failed, and nothing tells whether it does",
    "still": "Still failing",
    "fixed": "Fixed",
}


def render(comparison: Comparison) -> bytes:
    """The comparison as CommonMark."""
    return ("\n".join(_lines(comparison)).rstrip("\n") + "\n").encode("utf-8")


def _lines(comparison: Comparison) -> Iterator[str]:
    before, after = comparison.before, comparison.after
    yield f"# {'SIMULATED ' if simulated(comparison) else ''}{course(comparison, after.fail_on)}: {plain(after.fabric)}"
    yield ""
    yield plain(sentence(comparison))
    yield ""
    yield f"From {plain(when(before.started))} to {plain(when(after.started))}; both judged by {code(after.policy)}."
    yield ""
    circumstances = [f"{plain(d.what)}: {code(d.before)} → {code(d.after)}" for d in comparison.differences]
    yield from _part("Not alike", circumstances)
    for kind, title in TITLES.items():
        yield from _part(title, [_turn(line) for line in lines.turns(getattr(comparison, kind))])
    yield from _part("Renamed", [f"{code(' '.join(c.subject))} was {code(c.before)}" for c in comparison.renamed])
    yield from _part("Changed", [_change(line) for line in lines.changes(comparison.changes)])
    yield from _part("Measured", [_shift(one) for one in lines.shifted(comparison.shifts)])
    yield from _part("Counters", list(map(_pace, comparison.paces)))
    for title, found in (("Evidence lost", comparison.lost), ("Evidence gained", comparison.gained)):
        yield from _part(title, [_told(line) for line in lines.told(found)])


def _part(title: str, found: Sequence[str]) -> Iterator[str]:
    if not found:
        return
    yield f"## {title}"
    yield ""
    yield from (f"- {line}" for line in found[:MOST])
    if len(found) > MOST:
        yield f"- and {len(found) - MOST} more in the report"
    yield ""


def _turn(line: lines.TurnLine) -> str:
    why = f" ({plain(line.why)})" if line.why else ""
    where = code(str(line.subjects))
    return f"{where} ({line.finding.severity.value}, {code(line.finding.check)}): {plain(line.message)}{why}"


def _change(line: lines.ChangeLine) -> str:
    name = f"{line.table} {line.field}".rstrip()
    return f"{code(str(line.subjects))}: {plain(line.what)} ({code(name)}): {code(line.before)} → {code(line.after)}"


def _shift(one: lines.Shifted) -> str:
    return f"{one.count} of {code(one.name)}: {100 * one.median_share:+.1f} % at the median; noise {plain(one.noise)}"


def _pace(pace: Pace) -> str:
    per_s = f"{pace.before_per_s:,.3g} → {pace.after_per_s:,.3g} a second"
    return f"{code(' '.join(pace.subject))} {code(pace.name)} {lines.pace(pace)}: {per_s}"


def _told(line: lines.ToldLine) -> str:
    what = ", ".join(map(code, line.what[:4])) + (f" and {len(line.what) - 4} more" if len(line.what) > 4 else "")  # noqa: PLR2004 - a line
    return f"{code(str(line.subjects))}: {what}{f' ({plain(line.why)})' if line.why else ''}"
