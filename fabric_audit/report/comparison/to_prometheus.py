"""How much is different as metrics, for the textfile collector of a node exporter."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.findings import Comparison, Severity
from fabric_audit.report.comparison.words import Course, course
from fabric_audit.report.inert import one_line
from fabric_audit.report.to_prometheus import gauge
from fabric_audit.report.words import unix_seconds

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily

FILE_NAME = "fabric_audit_difference.prom"
_TURNS = ("new", "fixed", "still", "unsettled")
_COUNTED = ("changes", "renamed", "shifts", "paces", "lost", "gained", "differences")


class _Collector:
    """What the client library asks for metrics."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def collect(self) -> "Iterator[GaugeMetricFamily]":
        """All metrics of one comparison."""
        found = self._comparison
        fabric = one_line(found.after.fabric)
        verdict = gauge("difference_course", "1 for what the change came to, 0 for the others.", ("course",))
        for one in Course:
            verdict.add_metric((fabric, one.value), int(one is course(found, found.after.fail_on)))
        yield verdict
        turned = gauge("difference_findings", "Findings by what became of them.", ("turn", "severity"))
        for kind in _TURNS:
            for severity in Severity:
                number = sum(turn.finding.severity is severity for turn in getattr(found, kind))
                turned.add_metric((fabric, kind, severity.value), number)
        yield turned
        counted = gauge("difference_count", "Differences of each kind.", ("kind",))
        for kind in _COUNTED:
            counted.add_metric((fabric, kind), len(getattr(found, kind)))
        yield counted
        times = gauge("difference_timestamp_seconds", "When each capture began.", ("capture",))
        times.add_metric((fabric, "before"), unix_seconds(found.before.started))
        times.add_metric((fabric, "after"), unix_seconds(found.after.started))
        yield times


def render(comparison: Comparison) -> bytes:
    """The comparison in the Prometheus text format."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - only for this format

    registry = CollectorRegistry()
    registry.register(_Collector(comparison))
    return generate_latest(registry)
