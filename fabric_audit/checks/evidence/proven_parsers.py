"""Every answer was read by a parser that has met its format in the field.

Why: a format that was written down from a manual may differ from what a device prints. What was read with such a parser
may be right; nobody has seen that it is.

Fix: compare `fabric-audit parse NAME FILE` with the output it was made from, and send us the output: it proves the
parser.

Source: each parser's provenance: field, document or constructed.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import rows
from fabric_audit.findings import CoverageRow, Evidence, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS
BY_CONFIGURATION = True
CONSTRUCTED = "constructed"


def check(fabric: "pd.DataFrame", coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding a section that an unproven parser has read, whatever the number of targets, or one that none was."""
    read = [row for row in coverage if row.state in ("parsed", "partial")]
    unproven: dict[str, list[CoverageRow]] = {}
    for row in read:
        if row.provenance == CONSTRUCTED:
            unproven.setdefault(row.section, []).append(row)
    for name in (row.name for row in rows(fabric)):
        for section, some in unproven.items():
            yield _unproven((name, section), some)
        if read and not unproven:
            message = "all answers were read by parsers that have met their formats"
            yield Finding(verdict=Verdict.PASS, subject=(name,), message=message)


def _unproven(subject: tuple[str, str], some: list[CoverageRow]) -> Finding:
    targets = len({row.target for row in some})
    path = some[0].path
    return Finding(
        verdict=Verdict.NOT_VERIFIABLE,
        subject=subject,
        message=f"{subject[1]} was read, on {targets} targets, by a parser whose format was never seen in the field",
        reproduce=f"fabric-audit parse {subject[1]} {path}",
        evidence=(Evidence(path),) if path else (),
    )
