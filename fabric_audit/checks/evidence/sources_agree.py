"""Two answers of one target about the same thing do not contradict each other.

Why: a switch whose configuration says one FEC and whose port runs another was changed and not saved, or not applied. An
audit that believes one of two answers in silence is right by luck.

Fix: see which answer is true now; apply or save the configuration; report it to us if both mean the same.

Source: every fact that two sections of a target tell; the first in the order of the capture is used.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS


def check(disagreement: "pd.DataFrame", coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding a target, and one for each field of it that is told in two ways."""
    found: dict[tuple[str, str, str], list[Any]] = {}
    for row in rows(disagreement):
        found.setdefault((row.target, row.of_table, row.of_field), []).append(row)
    for (target, table, field), some in found.items():
        yield _differs((target, table, field), some)
    torn = {target for target, _, _ in found}
    delivered = dict.fromkeys(row.target for row in coverage if row.state == "parsed")
    for target in delivered:
        if target not in torn:
            message = "its answers agree with each other"
            yield Finding(verdict=Verdict.PASS, subject=(target,), message=message)


def _differs(subject: tuple[str, str, str], some: list[Any]) -> Finding:
    first = some[0]
    more = f", and so for {len(some) - 1} others" if len(some) > 1 else ""
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject,
        message=f"{subject[2]} of {first.of_key} is told in two ways: {first.first} and {first.second}{more}",
        expected="one value",
        observed=f"{first.first} and {first.second}",
        remedy="see which of the two is true now; apply or save the configuration",
        evidence=evidence(*some[:4]),
    )
