"""Every profile and map that a switch's configuration names exists.

Why: a port that is bound to a map which nobody defined has no map. The switch takes the line without a word, and the
class it was meant for is treated by default: lossy, unmarked, without headroom.

Fix: define what is named, or correct the name; the finding says where it stands.

Source: the switch's own configuration: CONFIG_DB references, service profiles, policy maps, classifiers.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.told import told
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("broken_reference",)


def check(broken_reference: "pd.DataFrame", coverage: Sequence[CoverageRow]) -> Iterator[Finding]:
    """One finding for each name that leads nowhere, or one for the switch."""
    broken: dict[tuple[str, str], list[Any]] = {}
    for row in rows(broken_reference):
        broken.setdefault((row.target, f"{row.field} {row.target_}" if row.target_ else row.field), []).append(row)
    for subject, some in broken.items():
        yield _nowhere(subject, some)
    faulty = {switch for switch, _ in broken}
    for switch in sorted(told(coverage, "broken_reference") - faulty):
        yield Finding(
            verdict=Verdict.PASS, subject=(switch,), message="every name in its configuration leads somewhere"
        )


def _nowhere(subject: tuple[str, str], some: list[Any]) -> Finding:
    owners = ", ".join(dict.fromkeys(row.owner for row in some[:3])) + (" and others" if len(some) > 3 else "")  # noqa: PLR2004 - shown are three
    named = some[0].target_ or some[0].field
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject,
        message=f"{owners} name {named}, which does not exist: what it asks for is not in force",
        expected=f"{named} is defined",
        observed="not defined",
        remedy=f"define {named}, or correct the name",
        evidence=evidence(*some[:4]),
    )
