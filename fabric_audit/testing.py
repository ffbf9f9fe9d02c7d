"""For authors of platforms and checks, ours and others': run a golden pair, evaluate one check.

A golden pair is ``<case>.txt`` (what a tool printed) beside ``<case>.json``::

    {"rc": 0, "item": "eth1", "state": "parsed", "reason": "",
     "facts": {"gid": [{"device": "mlx5_0", ...}]}, "skipped": [{"line": 4, "expected": "..."}],
     "missing": [{"table": "pfc_port", "why": "not_supported"}]}

in a folder named ``<kind>/<platform>/<section>``. ``<case>.stderr``, where it exists, is what came on stderr.
Columns without a value are left out of the expected rows. A mangled text has ``"state": "parse_error"`` and its
words in ``reason``.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabric_audit.facts.tables import rows_by_table
from fabric_audit.platforms.model import Output, Section
from fabric_audit.platforms.reading import Reading, read
from fabric_audit.platforms.registry import all_sections


@dataclass(frozen=True, slots=True)
class Golden:
    """One golden pair, ready to compare: ``told`` is what the parser says, ``expected`` what it ought to."""

    section: Section
    told: dict[str, Any]
    expected: dict[str, Any]


def golden_output(text: Path) -> tuple[Section, Output]:
    """The section that the folder of ``<case>.txt`` names, and the output that the pair's files describe."""
    name, platform, kind = text.parent.name, text.parent.parent.name, text.parent.parent.parent.name
    section = all_sections()[f"{platform}:{name}" if kind == "switches" else name]
    expected = json.loads(text.with_suffix(".json").read_text("utf-8"))
    stderr = text.with_suffix(".stderr")
    output = Output(
        stdout=text.read_bytes().decode("utf-8", "replace"),
        stderr=stderr.read_text("utf-8") if stderr.exists() else "",
        rc=expected.get("rc", None if kind == "switches" else 0),
        item=expected.get("item", ""),
    )
    return section, output


def parse_golden(text: Path) -> Golden:
    """Read ``<case>.txt`` with the section its folder names."""
    section, output = golden_output(text)
    expected = json.loads(text.with_suffix(".json").read_text("utf-8"))
    told = described(read(section, output))
    told.update({field: expected[field] for field in ("rc", "item") if field in expected})
    return Golden(section, told, expected)


def described(reading: Reading) -> dict[str, Any]:
    """A reading in the form of a golden's JSON."""
    told: dict[str, Any] = {"state": reading.state}
    if reading.reason:
        told["reason"] = reading.reason
    facts = {
        table: [{name: value for name, value in row.items() if value is not None} for row in rows]
        for table, rows in rows_by_table(reading.facts).items()
    }
    told["facts"] = facts
    if reading.skipped:
        told["skipped"] = [{"line": s.line, "expected": s.expected} for s in reading.skipped]
    if reading.missing:
        told["missing"] = [
            {"table": m.table, "why": str(m.why)} | ({"field": m.field} if m.field else {}) for m in reading.missing
        ]
    return told
