"""What turned as SARIF 2.1.0: every result says by its baseline state whether it is new (clause 3.27.24)."""

from fabric_audit.findings import Comparison
from fabric_audit.report.to_sarif import log

FILE_NAME = "difference.sarif"
_STATES = {"new": "new", "still": "unchanged", "fixed": "absent", "unsettled": "absent"}
"""What nothing tells of any more is no result of the later capture."""


def render(comparison: Comparison) -> bytes:
    """The comparison as a SARIF log; rules are those of the later audit."""
    states = {turn.finding: state for kind, state in _STATES.items() for turn in getattr(comparison, kind)}
    return log(comparison.after, states)
