"""Every target delivered everything it was asked for.

Why: a host that does not answer is not a healthy host. An audit that passes because half of its questions were never
answered is worse than none: it is signed.

Fix: the finding names the true cause: no route, host key, login, a deadline, a program that hangs. Mend it, then run
again or `--resume`.
"""

from collections.abc import Iterator, Sequence

from fabric_audit.checks.model import Scope
from fabric_audit.findings import CoverageRow, Evidence, Finding, Verdict

ON = Scope.TARGETS


def check(coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding a target and cause."""
    for target in dict.fromkeys(row.target for row in coverage):
        mine = [row for row in coverage if row.target == target]
        causes = {row.reason: row for row in mine if row.state == "not_delivered"}
        for reason, row in causes.items():
            lost = sum(one.reason == reason for one in mine)
            yield Finding(
                verdict=Verdict.UNKNOWN,
                subject=(target, row.cause or row.section),
                message=f"{lost} of {len(mine)} answers are missing: {reason}",
                expected="an answer to every question",
                observed=reason,
                evidence=(Evidence(row.path),) if row.path else (),
            )
        if not causes:
            message = f"all {len(mine)} questions were answered"
            yield Finding(verdict=Verdict.PASS, subject=(target,), message=message)
