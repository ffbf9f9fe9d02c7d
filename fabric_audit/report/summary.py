"""The verdict on a terminal: worth reading on its own, and safe to print whatever devices said."""

from collections.abc import Iterator

from fabric_audit.findings import Audit
from fabric_audit.report import unmeasured, words
from fabric_audit.report.causes import to_fix
from fabric_audit.report.inert import one_line

FIRST = 5
"""Root causes, and reasons for missing evidence: what fits on a screen."""
_LONGEST = 160


def summary(audit: Audit) -> Iterator[str]:
    """Lines under the headline: what to fix first, and what is unknown for want of evidence."""
    causes = to_fix(audit)
    for cause in causes[:FIRST]:
        yield f"{cause.worst.value:10}{words.told(cause, longest=_LONGEST)}"
    if len(causes) > FIRST:
        yield f"{'':10}and {len(causes) - FIRST} more in the report"
    unknown = [gap for gap in unmeasured.gaps(audit) if gap.kind is unmeasured.Kind.UNKNOWN]
    for gap in unknown[:FIRST]:
        where = f"{gap.targets}: " if gap.targets and gap.targets not in gap.why else ""
        checks = words.counted(len(gap.checks), "check")
        yield f"{gap.kind.value:10}{one_line(where + gap.why, longest=_LONGEST)} ({checks})"
    if len(unknown) > FIRST:
        yield f"{'':10}and {len(unknown) - FIRST} more in the report"
