"""Verdict and counts as metrics, for the textfile collector of a node exporter."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.findings import Audit, Severity, Verdict
from fabric_audit.report.causes import to_fix
from fabric_audit.report.inert import one_line
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.pairs import matrix
from fabric_audit.report.words import Overall, overall, unix_seconds, verdict_counts

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily

FILE_NAME = "fabric_audit.prom"
_PREFIX = "fabric_audit"


class _Collector:
    """What the client library asks for metrics."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit

    def collect(self) -> "Iterator[GaugeMetricFamily]":
        """All metrics of one audit."""
        yield from _whole(self._audit)
        yield from _counts(self._audit)
        yield from _pairs(self._audit)


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit in the Prometheus text format; gauges only, and no time stamps, which the collector refuses."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - only for this format

    del evidence
    registry = CollectorRegistry()
    registry.register(_Collector(audit))
    return generate_latest(registry)


def gauge(name: str, meaning: str, labels: tuple[str, ...]) -> "GaugeMetricFamily":
    """A metric without samples; its first label is the fabric."""
    from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - as above

    return GaugeMetricFamily(f"{_PREFIX}_{name}", meaning, labels=("fabric", *labels))


def _whole(audit: Audit) -> "Iterator[GaugeMetricFamily]":
    fabric = one_line(audit.fabric)
    info = gauge("info", "What was audited by what; always 1.", ("policy", "origin", "version"))
    info.add_metric((fabric, one_line(audit.policy), one_line(audit.origin), one_line(audit.tool_version)), 1)
    yield info
    started = gauge("started_timestamp_seconds", "When the capture began.", ())
    started.add_metric((fabric,), unix_seconds(audit.started))
    yield started
    verdict = gauge("verdict", "1 for the verdict on the whole, 0 for the others.", ("verdict",))
    for one in Overall:
        verdict.add_metric((fabric, one.value), int(one is overall(audit, audit.fail_on)))
    yield verdict
    causes = gauge("root_causes", "Root causes of what fails, by their worst severity.", ("severity",))
    found = to_fix(audit)
    for severity in Severity:
        causes.add_metric((fabric, severity.value), sum(cause.worst is severity for cause in found))
    yield causes


def _counts(audit: Audit) -> "Iterator[GaugeMetricFamily]":
    fabric = one_line(audit.fabric)
    checks = gauge("checks", "Checks by verdict.", ("verdict",))
    count = verdict_counts(audit)
    for verdict in Verdict:
        checks.add_metric((fabric, verdict.value), count[verdict])
    yield checks
    each = gauge("check_findings", "Findings of a check by verdict.", ("check", "severity", "verdict"))
    for result in sorted(audit.results, key=lambda r: r.check):
        for verdict in Verdict:
            number = sum(finding.verdict is verdict for finding in result.findings)
            if number:
                each.add_metric((fabric, result.check, result.severity.value, verdict.value), number)
    yield each


def _pairs(audit: Audit) -> "Iterator[GaugeMetricFamily]":
    table = audit.tables.get("pair_result")
    if table is None:
        return
    labels = ("test", "rail")
    fabric = one_line(audit.fabric)
    median = gauge("pair_bandwidth_median_bits_per_second", "Median bandwidth of the pairs of a rail.", labels)
    lowest = gauge("pair_bandwidth_lowest_bits_per_second", "Lowest bandwidth of the pairs of a rail.", labels)
    lacking = gauge("pairs_without_result", "Pairs of a rail whose test gave no result.", labels)
    for view in matrix(table).views:
        if view.rail is None:
            continue
        where = (fabric, view.test, str(view.rail))
        lacking.add_metric(where, view.without_result)
        told = [pair.bandwidth_bps for pair in view.worst if pair.bandwidth_bps is not None]
        if told:
            median.add_metric(where, view.median_bps)
            lowest.add_metric(where, min(told))
    yield from (median, lowest, lacking)
