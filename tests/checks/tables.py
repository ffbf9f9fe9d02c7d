"""Facts of a small fabric as the frames that checks are given."""

from typing import TYPE_CHECKING, Any

from fabric_audit.facts import Fact
from fabric_audit.facts.tables import Stamped, frame

if TYPE_CHECKING:
    import pandas as pd


def seen(table: type[Fact], *facts: Fact, target: str = "leaf1") -> "pd.DataFrame":
    """The frame of one table with these facts of one target, read at the start."""
    assert all(isinstance(fact, table) for fact in facts)
    return frame(table.TABLE, [Stamped(target, "baseline", "show.out", fact, fact.line or 0) for fact in facts])


def verdicts(findings: Any) -> dict[str, str]:
    """Subject → verdict."""
    return {"/".join(finding.subject): finding.verdict.name for finding in findings}
