"""Everything that is different, for programs: its schema is ``difference.schema.json`` beside this file.

The same comparison always gives the same bytes. Text is kept whole and escaped to ASCII, as in ``findings.json``.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fabric_audit.findings import Audit, Change, Comparison, Pace, Shift, Told, Turn
from fabric_audit.report.comparison.words import course, sentence
from fabric_audit.report.inert import encodable
from fabric_audit.report.to_json import of_finding

FILE_NAME = "difference.json"
SCHEMA = 1
"""Raised when a reader of the old form would misread the new one; fields are added without."""


def render(comparison: Comparison) -> bytes:
    """The comparison as JSON."""
    return (json.dumps(document(comparison), indent=1, sort_keys=True) + "\n").encode("ascii")


def schema() -> dict[str, Any]:
    """The published JSON schema of what :func:`render` writes."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("difference.schema.json").read_text("utf-8"))
    return found


def document(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain values."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "fabric-audit", "version": comparison.after.tool_version},
        "course": course(comparison, comparison.after.fail_on).value,
        "summary": encodable(sentence(comparison)),
        "fail_on": comparison.after.fail_on.value,
        "before": _capture(comparison.before),
        "after": _capture(comparison.after),
        "circumstances": [
            {"what": encodable(d.what), "before": encodable(d.before), "after": encodable(d.after)}
            for d in comparison.differences
        ],
        **{kind: _turns(getattr(comparison, kind)) for kind in ("new", "fixed", "still", "unsettled")},
        "renamed": list(map(_change, comparison.renamed)),
        "changes": list(map(_change, comparison.changes)),
        "measurements": list(map(_shift, comparison.shifts)),
        "paces": list(map(_pace, comparison.paces)),
        "lost": list(map(_told, comparison.lost)),
        "gained": list(map(_told, comparison.gained)),
    }


def _capture(audit: Audit) -> dict[str, str]:
    return {
        "fabric": encodable(audit.fabric),
        "policy": encodable(audit.policy),
        "origin": audit.origin,
        "started": audit.started,
        "run": encodable(audit.custody.run),
        "collected_with": encodable(audit.custody.collected_with),
        "digest": audit.custody.digest,
    }


def _turns(found: Iterable[Turn]) -> list[dict[str, Any]]:
    return [
        {"finding": of_finding(t.finding), "was": t.was.value if t.was else None, "why": encodable(t.why)}
        for t in found
    ]


def _change(change: Change) -> dict[str, Any]:
    place = change.evidence
    return {
        "subject": list(map(encodable, change.subject)),
        "table": change.table,
        "field": change.field,
        "meaning": change.meaning,
        "before": encodable(change.before),
        "after": encodable(change.after),
        "evidence": {"path": encodable(place.path), "line": place.line} if place else None,
    }


def _shift(shift: Shift) -> dict[str, Any]:
    return {
        "subject": list(map(encodable, shift.subject)),
        "name": shift.name,
        "before": shift.before,
        "after": shift.after,
        "noise": shift.noise,
        "repeats": shift.repeats,
    }


def _pace(pace: Pace) -> dict[str, Any]:
    return {
        "subject": list(map(encodable, pace.subject)),
        "name": encodable(pace.name),
        "class": pace.counter_class,
        "before_per_s": pace.before_per_s,
        "after_per_s": pace.after_per_s,
    }


def _told(told: Told) -> dict[str, Any]:
    return {"subject": list(map(encodable, told.subject)), "what": encodable(told.what), "why": encodable(told.why)}
