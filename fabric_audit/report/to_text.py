"""What is wrong or open as lines that begin with a file and a line, as compilers write them."""

from collections.abc import Iterator

from fabric_audit.findings import Audit, Finding, Verdict
from fabric_audit.report.inert import inert, one_line
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.words import headline

FILE_NAME = "findings.txt"
_TOLD = (Verdict.FAIL, Verdict.ERROR, Verdict.UNKNOWN)
_INDENT = "    "


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """The audit as text in UTF-8, the worst finding first, the verdict last."""
    del evidence
    told = [finding for finding in audit.findings if finding.verdict in _TOLD]
    told.sort(key=lambda f: (_TOLD.index(f.verdict), f.severity.rank, f.evidence, f.id))
    lines = [line for same in _alike(told) for line in _block(*same)]
    lines += [f"error: {r.check}: {one_line(r.reason)}" for r in audit.results if r.verdict is Verdict.ERROR]
    return "\n".join([*lines, headline(audit, audit.fail_on), ""]).encode()


def _alike(findings: list[Finding]) -> list[list[Finding]]:
    """What lacks the same evidence is told once, with all the checks that wait for it."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        open_ = finding.verdict is Verdict.UNKNOWN
        groups.setdefault((finding.message, finding.evidence) if open_ else finding.id, []).append(finding)
    return list(groups.values())


def _block(finding: Finding, *more: Finding) -> Iterator[str]:
    where = f"{one_line(str(finding.evidence[0]))}: " if finding.evidence else ""
    grade = finding.severity.value if finding.verdict is Verdict.FAIL else finding.verdict.value
    checks = ", ".join(dict.fromkeys(one.check for one in (finding, *more)))
    yield f"{where}{grade}: {one_line(' '.join(finding.subject))}: {one_line(finding.message)} [{checks}]"
    also = ", ".join(map(str, finding.evidence[1:]))
    parts = {
        "expected": finding.expected,
        "observed": finding.observed,
        "do": finding.remedy,
        "source": finding.remedy_source,
        "also": also,
        "follows from": finding.explained_by,
    }
    for name, text in parts.items():
        lines = inert(text, keep="\n").splitlines()
        yield from (f"{_INDENT}{name}: {line}" for line in lines[:1])
        yield from (f"{_INDENT}{' ' * len(name)}  {line}" for line in lines[1:])
