"""The page for the hand-over: decision, scope, method, results, exceptions and digests, on one sheet of paper."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from fabric_audit.findings import Audit, Verdict
from fabric_audit.report import words
from fabric_audit.report.acceptance import Decision, acceptance, required, soaked
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.page import content_security_policy, rendered
from fabric_audit.report.subjects import targets

if TYPE_CHECKING:
    import pandas as pd

FILE_NAME = "certificate.html"
MOST = 8
"""Lines of one list that fit on the sheet; the report has all."""
_SHAPES = {
    Decision.ACCEPTED: Verdict.PASS,
    Decision.CONDITIONAL: Verdict.UNKNOWN,
    Decision.REJECTED: Verdict.FAIL,
}


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The certificate as one HTML page."""
    del evidence
    decided = acceptance(audit)
    context = {
        "audit": audit,
        "custody": audit.custody,
        "simulated": audit.origin not in words.GENUINE,
        "decision": decided.decision.value,
        "shape": _SHAPES[decided.decision].value,
        "acceptance": decided,
        "scope": _scope(audit),
        "method": _method(audit),
        "families": _families(audit),
        "named": bool(audit.required),
        "started": words.when(audit.started),
        "ended": words.when(audit.custody.ended) if audit.custody.ended else "not ended",
        "counted": words.counted,
        "most": MOST,
        "csp": content_security_policy([], blobs=False),
    }
    return rendered("certificate.html.j2", context)


def _scope(audit: Audit) -> list[tuple[str, str]]:
    """What was examined, by kind."""
    target = audit.tables.get("target")
    if target is None or target.empty:
        return [("Targets", "none")]
    return [(name, _named(target, kind)) for name, kind in (("Hosts", "host"), ("Switches", "switch"))]


def _named(target: "pd.DataFrame", kind: str) -> str:
    names = [str(name) for name in target[target["kind"] == kind]["target"]]
    return f"{len(names):,}: {targets(names)}" if names else "none"


def _method(audit: Audit) -> list[str]:
    custody = audit.custody
    planned, parsed = len(audit.coverage), sum(row.state == "parsed" for row in audit.coverage)
    told = [f"{parsed:,} of {planned:,} planned answers delivered and parsed"]
    pairs = audit.tables.get("pair_result")
    if pairs is not None and len(pairs):
        ok = int((pairs["outcome"] == "ok").fillna(value=False).sum())
        tools = ", ".join(sorted({str(tool) for tool in pairs["tool"]}))
        told.append(f"traffic {custody.traffic}: {ok:,} of {len(pairs):,} tests with a result ({tools})")
    else:
        told.append(f"traffic {custody.traffic}: no test between hosts")
    told.append(soaked(audit) or f"soak of {custody.loaded_s:,.0f} seconds completed")
    return told


def _families(audit: Audit) -> list[dict[str, Any]]:
    """Verdicts of the required checks by family."""
    counts: dict[str, Counter[Verdict]] = {}
    for result in required(audit):
        counts.setdefault(result.check.partition(".")[0], Counter())[result.verdict] += 1
    shown = (Verdict.PASS, Verdict.FAIL)
    return [
        {
            "name": family,
            "passed": count[Verdict.PASS],
            "failed": count[Verdict.FAIL],
            "open": sum(count.values()) - sum(count[verdict] for verdict in shown) - count[Verdict.OUT_OF_SCOPE],
            "outside": count[Verdict.OUT_OF_SCOPE],
        }
        for family, count in counts.items()
    ]
