"""Metrics, as Prometheus' own parser reads them."""

from dataclasses import replace

from prometheus_client.parser import text_string_to_metric_families

from fabric_audit.findings import Audit
from fabric_audit.report import RENDERERS
from tests.report.audits import Lines, faulty, healthy, unknown
from tests.report.frames import LINE_RATE, USUAL


def metrics(audit: Audit) -> dict[str, dict[tuple[str, ...], float]]:
    """Metric → label values without the fabric's, sorted by label → value."""
    text = RENDERERS["prometheus"].render(audit, Lines()).decode("utf-8")
    return {
        family.name.removeprefix("fabric_audit_"): {
            tuple(v for k, v in sorted(sample.labels.items()) if k != "fabric"): sample.value
            for sample in family.samples
        }
        for family in text_string_to_metric_families(text)
    }


def test_one_verdict_is_one() -> None:
    for told, verdict in ((healthy(), "PASS"), (faulty(), "FAIL"), (unknown(), "INCOMPLETE")):
        verdicts = metrics(told)["verdict"]
        assert [name for name, value in verdicts.items() if value] == [(verdict,)]


def test_checks_findings_and_causes_are_counted() -> None:
    found = metrics(faulty())
    assert found["checks"]["FAIL",] == 3
    assert found["checks"]["SKIPPED",] == 0
    assert found["check_findings"]["performance.line-rate", "major", "FAIL"] == 3
    assert found["root_causes"] == {("critical",): 1, ("major",): 1, ("minor",): 0, ("info",): 0}


def test_bandwidth_of_every_rail() -> None:
    found = metrics(faulty())
    where = ("1", "ib_write_bw, host memory")
    assert abs(found["pair_bandwidth_median_bits_per_second"][where] / (USUAL * LINE_RATE) - 1) < 0.01
    assert abs(found["pair_bandwidth_lowest_bits_per_second"][where] / (0.453 * LINE_RATE) - 1) < 0.01
    assert found["pairs_without_result"][where] == 0


def test_labels_hold_any_text() -> None:
    told = replace(faulty(), fabric='a"b\\c\nd')
    (info,) = metrics(told)["info"]
    assert info == ("real", "roce-lossless", "9.8.7")


def test_a_moment_that_cannot_be_read_is_not_a_number() -> None:
    (value,) = metrics(replace(faulty(), started="soon"))["started_timestamp_seconds"].values()
    assert value != value  # noqa: PLR0124 - NaN is not equal to itself
