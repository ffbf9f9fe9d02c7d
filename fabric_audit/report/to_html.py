"""The page people read and sign: one self-contained file, which loads nothing and sends nothing."""

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric_audit.findings import Audit, Result, Verdict
from fabric_audit.report import (
    compliance,
    coverage,
    directions,
    drawing,
    heatmap,
    host_shapes,
    impact,
    moved,
    pairs,
    software,
    timeline,
    unmeasured,
    words,
)
from fabric_audit.report.cards import cards
from fabric_audit.report.causes import to_fix
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.page import Script, content_security_policy, rendered, script
from fabric_audit.report.subjects import Folded, folded

if TYPE_CHECKING:
    import pandas as pd

FILE_NAME = "report.html"
FIRST = 5
"""Root causes on the first screen."""
MOST_ROWS = 500
"""Rows of one table: what is below is in the capture, and in the other formats."""
MOST_HOSTS = 256
"""Above it each rail's matrix is left to ``pairs.csv``: eight rails of 1,024 hosts are 25 MB, their worst is 2 MB."""
RICH_ROWS = 40
"""From so many rows on a table can be sorted and searched."""
_SHAPES = {
    words.Overall.FAIL: Verdict.FAIL,
    words.Overall.INCOMPLETE: Verdict.UNKNOWN,
    words.Overall.NOTHING: Verdict.OUT_OF_SCOPE,
    words.Overall.PASS: Verdict.PASS,
}


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit as one HTML page."""
    context = _verdict(audit) | _findings(audit, evidence) | _tables(audit) | _pairs(audit)
    context |= _fabric(audit, context["matrix"], context["grown"])
    rich = any(len(context[name]) > RICH_ROWS for name in ("moved", "coverage"))
    scripts = [*context["figure_scripts"], *([script("tables.js")] if rich else []), script("findings.js")]
    more = {
        "scripts": scripts,
        "csp": content_security_policy(scripts, blobs=rich),
        "rich_rows": RICH_ROWS,
        "tables_data": _rich_tables() if rich else None,
    }
    return rendered("report.html.j2", context | more)


@dataclass(frozen=True, slots=True)
class Judged:
    """One check in the table of all checks."""

    result: Result
    counts: tuple[tuple[Verdict, int], ...]
    passed: Folded


def _verdict(audit: Audit) -> dict[str, Any]:
    verdict = words.overall(audit, audit.fail_on)
    causes = to_fix(audit)
    return {
        "audit": audit,
        "simulated": audit.origin not in words.GENUINE,
        "verdict": verdict.value,
        "verdict_shape": _SHAPES[verdict].value,
        "sentence": words.sentence(audit, audit.fail_on),
        "started": words.when(audit.started),
        "first": causes[:FIRST],
        "more_to_fix": len(causes[FIRST:]),
        "component": words.component,
        "counted": words.counted,
        "check_counts": [(v.value, n) for v in Verdict if (n := words.verdict_counts(audit)[v])],
    }


def _findings(audit: Audit, evidence: EvidenceReader) -> dict[str, Any]:
    gaps = unmeasured.gaps(audit)
    return {
        "cards": cards(audit, evidence),
        "gaps": [
            (kind, unmeasured.MEANINGS[kind], list(mine)) for kind, mine in groupby(gaps, key=lambda gap: gap.kind)
        ],
        "checks": [_judged(result) for result in sorted(audit.results, key=_urgency)],
    }


def _urgency(result: Result) -> tuple[int, int, str]:
    return list(Verdict).index(result.verdict), result.severity.rank, result.check


def _judged(result: Result) -> Judged:
    counts = Counter(finding.verdict for finding in result.findings)
    passed = folded(finding.subject for finding in result.findings if finding.verdict is Verdict.PASS)
    return Judged(result, tuple((verdict, counts[verdict]) for verdict in Verdict if counts[verdict]), passed)


def _tables(audit: Audit) -> dict[str, Any]:
    grown = moved.moved(_table(audit, "counter"), _table(audit, "pfc_counter"))
    answers = coverage.folded(audit.coverage)
    return {
        "grown": grown,
        "moved": grown[:MOST_ROWS],
        "more_moved": len(grown[MOST_ROWS:]),
        "classes": list(moved.by_class(grown)),
        "coverage": answers[:MOST_ROWS],
        "more_coverage": len(answers[MOST_ROWS:]),
        "totals": coverage.totals(audit.coverage),
        "states": coverage.STATES,
        "software": software.versions(_table(audit, "system")),
    }


def _pairs(audit: Audit) -> dict[str, Any]:
    matrix = pairs.matrix(_table(audit, "pair_result"))
    if len(matrix.hosts) > MOST_HOSTS:
        matrix = matrix.overview()
    drawn: dict[str, Any] = {
        "matrix": matrix,
        "single_rails": len(matrix.hosts) <= MOST_HOSTS,
        "pairs_data": None,
        "figure_scripts": [],
    }
    if matrix.views:
        drawn["pairs_data"] = heatmap.described(matrix) | {"figure": heatmap.drawing(matrix)}
        drawn["figure_scripts"] = [Script(heatmap.javascript()), script("pairs.js")]
    return drawn


def _fabric(audit: Audit, matrix: pairs.Matrix, grown: tuple[moved.Moved, ...]) -> dict[str, Any]:
    """Views of the fabric as a whole: what faults cost, cables, settings, host shapes."""
    results, paths, link = (_table(audit, name) for name in ("pair_result", "gpu_nic_path", "link"))
    too_many = len(results) > directions.MOST_RESULTS
    results = results[:0] if too_many else results
    return {
        "impact": impact.impact(audit, matrix),
        "drawing": drawing.drawing(audit, _table(audit, "target"), link),
        "pauses": drawing.pauses(grown, link),
        "timeline": timeline.timeline(grown),
        "too_many_results": too_many,
        "by_memory": directions.by_memory(results, paths),
        "asymmetries": directions.asymmetries(results),
        "latencies": directions.latencies(results),
        "compliance": compliance.matrix(lambda name: _table(audit, name)),
        "settings": compliance.SETTINGS,
        "host_shapes": host_shapes.shapes(paths),
        "near": host_shapes.NEAR,
    }


def _table(audit: Audit, name: str) -> "pd.DataFrame":
    """A table of the audit; an audit without it has it empty."""
    from fabric_audit.facts.tables import frame  # noqa: PLC0415 - pandas is loaded when a report is made

    return audit.tables[name] if name in audit.tables else frame(name)


def _rich_tables() -> dict[str, str]:
    """Sorting and searching of tables, from the bundle that itables carries."""
    from itables.options import dt_bundle  # noqa: PLC0415 - loads pandas

    bundle = Path(dt_bundle)
    return {"module": bundle.read_text("utf-8"), "css": bundle.with_suffix(".css").read_text("utf-8")}
