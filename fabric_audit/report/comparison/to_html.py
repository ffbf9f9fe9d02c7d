"""What is different as one page, which loads nothing and sends nothing."""

from fabric_audit.findings import Comparison, Verdict
from fabric_audit.report import words
from fabric_audit.report.comparison import lines
from fabric_audit.report.comparison.words import Course, course, sentence, simulated
from fabric_audit.report.page import content_security_policy, rendered, script

FILE_NAME = "difference.html"
MOST_ROWS = 500
"""Rows of one table: ``difference.csv`` and ``difference.json`` have all."""
_SHAPES = {
    Course.WORSE: Verdict.FAIL,
    Course.LESS_KNOWN: Verdict.UNKNOWN,
    Course.NO_WORSE: Verdict.PASS,
    Course.SAME: Verdict.PASS,
}


def render(comparison: Comparison) -> bytes:
    """The comparison as one HTML page."""
    came_to = course(comparison, comparison.after.fail_on)
    scripts = [script("findings.js")]
    context = {
        "comparison": comparison,
        "audit": comparison.after,
        "before": comparison.before,
        "simulated": simulated(comparison),
        "course": came_to.value,
        "shape": _SHAPES[came_to].value,
        "sentence": sentence(comparison),
        "when": words.when,
        "counted": words.counted,
        "turns": {kind: lines.turns(getattr(comparison, kind)) for kind in ("new", "unsettled", "still", "fixed")},
        "changes": lines.changes(comparison.changes),
        "shifted": lines.shifted(comparison.shifts),
        "lost": lines.told(comparison.lost),
        "gained": lines.told(comparison.gained),
        "amount": lines.amount,
        "pace": lines.pace,
        "most": MOST_ROWS,
        "scripts": scripts,
        "csp": content_security_policy(scripts, blobs=False),
    }
    return rendered("comparison.html.j2", context)
