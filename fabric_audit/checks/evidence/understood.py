"""Every answer was understood to its last line.

Why: a line that a parser skips may be the one port that is misconfigured. Text that is not understood is evidence
that was not read, and no verdict may rest on what is left.

Fix: `fabric-audit parse NAME FILE` on the evidence shows the line. Please report it with the tool's version.
"""

from collections.abc import Iterator, Sequence

from fabric_audit.checks.model import Scope
from fabric_audit.findings import CoverageRow, Evidence, Finding, Verdict

ON = Scope.TARGETS
BY_CONFIGURATION = True
STATES = ("parsed", "not_supported")


def check(coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding a target, and one for each section of it that was not understood."""
    for target in dict.fromkeys(row.target for row in coverage):
        delivered = [row for row in coverage if row.target == target and row.state != "not_delivered"]
        strange = [row for row in delivered if row.state not in STATES]
        for row in strange:
            yield Finding(
                verdict=Verdict.UNKNOWN,
                subject=(target, row.section, row.phase),
                message=f"{row.section} was not understood: {row.reason}",
                expected="a format that the parser knows",
                observed=row.reason,
                reproduce=f"fabric-audit parse {row.section} {row.path}",
                evidence=(Evidence(row.path),) if row.path else (),
            )
        if delivered and not strange:
            message = f"all {len(delivered)} answers were understood"
            yield Finding(verdict=Verdict.PASS, subject=(target,), message=message)
