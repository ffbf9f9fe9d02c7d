"""Writes ``docs/checks.md`` from the checks' own manuals.

python -m tests.docs.write_checks
"""

from collections.abc import Iterator
from pathlib import Path

from fabric_audit.checks.model import Check, all_checks
from fabric_audit.policy.load import load_policy

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"
HEAD = """# Checks

{number} checks in {families} families. Each is one file below `fabric_audit/checks/`; `fabric-audit explain NAME`
prints its manual, `fabric-audit run --select FAMILY|NAME` evaluates it alone. Severities are those of the policy
`roce-lossless`; any policy may change them, and waive findings.

A check that finds its evidence missing says UNKNOWN; where the platform documents that it cannot tell, NOT_VERIFIABLE;
where none of it was planned, OUT_OF_SCOPE. Nothing passes without evidence. A finding that another one explains is a
symptom: it names its cause, and only causes are counted.

This page is made by `make docs` from the checks themselves.
"""


def page() -> str:
    """The whole page."""
    checks = all_checks()
    families = sorted({check.family for check in checks})
    parts = [HEAD.format(number=len(checks), families=len(families))]
    for family in families:
        members = [check for check in checks if check.family == family]
        parts.append(f"## {family}\n")
        parts.append("\n".join(f"- [`{one.id}`](#{_anchor(one)}) {one.title}" for one in members) + "\n")
        parts += ["\n".join(_section(one)) for one in members]
    return "\n".join(parts)


def _anchor(check: Check) -> str:
    return check.id.replace(".", "")


def _section(check: Check) -> Iterator[str]:
    severity = load_policy("roce-lossless").severity(check.id)
    reads = ", ".join(f"`{table}`" for table in sorted(check.evidence)) or "what became of every question"
    yield f"### {check.id}\n"
    yield f"**{check.title}.** Examines {check.scope.value}; {severity}. Reads {reads}.\n"
    yield check.manual.partition("\n")[2].strip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
