"""Many findings of one cause as one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabric_audit.findings import Finding, Verdict

_CITED = 4
"""Places of evidence that a folded finding cites."""


def by_target(findings: Iterable[Finding], ports: str = "fabric ports") -> Iterator[Finding]:
    """A fault that all ports of a target have alike is a fault of the target: one finding, not one a port.

    Args:
        findings: of one check; each subject begins with the target and names one of its ports.
        ports: the word for what was examined, in the plural.
    """
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.subject[0], []).append(finding)
    for target, group in groups.items():
        yield from _folded(target, group, ports)


def _folded(target: str, group: list[Finding], ports: str) -> Iterator[Finding]:
    judged = [f for f in group if f.verdict is not Verdict.SKIPPED]
    alike = len({(f.verdict, f.message, f.explained_by) for f in judged}) == 1
    if len(judged) < 2 or not alike or judged[0].verdict is Verdict.PASS:  # noqa: PLR2004 - one port is its own finding
        yield from group
        return
    yield from (f for f in group if f.verdict is Verdict.SKIPPED)
    places = dict.fromkeys(place for f in judged for place in f.evidence)
    message = f"{judged[0].message}, on all its {len(judged)} {ports}"
    yield replace(judged[0], subject=(target,), message=message, evidence=tuple(places)[:_CITED])
