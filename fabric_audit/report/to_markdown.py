"""The verdict, what to fix first and what was not measured, for a ticket."""

import re
from collections.abc import Iterator

from fabric_audit.findings import Audit
from fabric_audit.report import unmeasured, words
from fabric_audit.report.causes import Cause, to_fix
from fabric_audit.report.inert import one_line
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.subjects import folded

FILE_NAME = "report.md"
MOST_CAUSES, MOST_GAPS = 20, 20
"""What a ticket can hold; the rest is in the report."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!$]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_MENTION = re.compile(r"\\?([@#])(?=\w)")  # a forge makes persons and tickets of these, escaped or not


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit as CommonMark."""
    del evidence
    return ("\n".join(_lines(audit)).rstrip("\n") + "\n").encode("utf-8")


def plain(text: str) -> str:
    """Text that Markdown takes for nothing but text: no markup, no HTML, no link, and nobody is mentioned."""
    return _MENTION.sub(r"`\1`", _SPECIAL.sub(r"\\\1", one_line(text)))


def code(text: str) -> str:
    """Text as a code span, whatever backticks it holds (CommonMark 6.1)."""
    shown = one_line(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}" if shown else ""


def _lines(audit: Audit) -> Iterator[str]:
    verdict = words.overall(audit, audit.fail_on).value
    simulated = "" if audit.origin in words.GENUINE else "SIMULATED "
    yield f"# {simulated}{verdict}: {plain(audit.fabric)}"
    yield ""
    yield f"**{verdict}**: {plain(words.sentence(audit, audit.fail_on))}"
    yield ""
    yield f"Collected {plain(words.when(audit.started))}, judged by policy {code(audit.policy)}."
    for path in audit.custody.damaged[:MOST_GAPS]:
        yield f"Missing or changed in the capture: {code(path)}"
    for override in audit.overrides:
        yield f"Overridden: {plain(override)}"
    yield ""
    yield from _to_fix(audit)
    yield from _gaps(audit)


def _to_fix(audit: Audit) -> Iterator[str]:
    causes = to_fix(audit)
    if not causes:
        return
    yield "## Fix first"
    yield ""
    for number, cause in enumerate(causes[:MOST_CAUSES], 1):
        yield from _cause(number, cause)
    if len(causes) > MOST_CAUSES:
        yield f"And {len(causes) - MOST_CAUSES} more in the report."
        yield ""


def _cause(number: int, cause: Cause) -> Iterator[str]:
    first = cause.first
    yield f"{number}. {code(str(folded(cause.subjects, most=4)))} ({cause.worst.value}): {plain(cause.message)}"
    indent = " " * (len(str(number)) + 2)
    if first.expected or first.observed:
        yield f"{indent}- expected {code(first.expected)}, observed {code(first.observed)}"
    if first.remedy:
        yield f"{indent}- remedy: {plain(first.remedy)}"
    for place in first.evidence[:2]:
        yield f"{indent}- evidence: {code(str(place))}"
    if first.reproduce:
        yield f"{indent}- see it again: {code(first.reproduce)}"
    if cause.consequences:
        yield f"{indent}- explains {words.counted(len(cause.consequences), 'other finding')}"
    yield ""


def _gaps(audit: Audit) -> Iterator[str]:
    gaps = unmeasured.gaps(audit)
    if not gaps:
        return
    yield "## Not measured"
    yield ""
    for gap in gaps[:MOST_GAPS]:
        where = f"{code(gap.targets)}: " if gap.targets else ""
        checks = ", ".join(map(code, gap.checks[:4])) + (" and more" if len(gap.checks) > 4 else "")  # noqa: PLR2004 - a line
        yield f"- {gap.kind.value}: {where}{plain(gap.why)} ({checks})"
    if len(gaps) > MOST_GAPS:
        yield f"- and {len(gaps) - MOST_GAPS} more in the report"
