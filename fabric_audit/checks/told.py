"""Which targets delivered an answer, so that what is not in it is not there."""

from collections.abc import Iterable

from fabric_audit.findings import CoverageRow

_READ = ("parsed", "partial")


def told(coverage: Iterable[CoverageRow], table: str) -> frozenset[str]:
    """Targets that were asked for a table and whose answer was read."""
    return frozenset(row.target for row in coverage if table in row.tables and row.state in _READ)
