"""Evidence that one capture has and the other lacks."""

from collections.abc import Iterator

from fabric_audit.diff.answers import ROUND
from fabric_audit.findings import Audit, CoverageRow, Told

_HAS = frozenset({"parsed", "partial", "not_supported"})
_RESULT = "result of a traffic test"


def lost(before: Audit, after: Audit) -> Iterator[Told]:
    """What ``before`` has of targets that both have, and ``after`` lacks."""
    targets = set(after.tables["target"]["target"])
    was, now = _sections(before), _sections(after)
    for (target, section), row in was.items():
        if row.state not in _HAS or target not in targets:
            continue
        there = now.get((target, section))
        if there is None or there.state not in _HAS:
            why = (there.reason or there.state.replace("_", " ")) if there else "not asked"
            yield Told(subject=(target,), what=section, why=why)
    yield from _results(before, after)


def _sections(audit: Audit) -> dict[tuple[str, str], CoverageRow]:
    """What became of each section of a target outside of rounds, in the phase where it came to least."""
    found: dict[tuple[str, str], CoverageRow] = {}
    for row in audit.coverage:
        key = (row.target, row.section)
        if not row.phase.startswith(ROUND) and (key not in found or row.state not in _HAS):
            found[key] = row
    return found


def _results(before: Audit, after: Audit) -> Iterator[Told]:
    """Tests that were made in both captures and have a result in one only."""
    was, now = _outcomes(before), _outcomes(after)
    for test, outcomes in was.items():
        failed = now.get(test, [])
        if "ok" in outcomes and failed and "ok" not in failed:
            client, server, rail, tool, memory = test
            subject = (client, server, f"rail {rail}")
            yield Told(subject=subject, what=f"{_RESULT}, {tool}, {memory} memory", why=failed[-1].replace("_", " "))


def _outcomes(audit: Audit) -> dict[tuple[str, ...], list[str]]:
    rows = audit.tables["pair_result"]
    found: dict[tuple[str, ...], list[str]] = {}
    columns = (rows[name].astype("string").fillna("") for name in _TEST)
    for *test, outcome in zip(*columns, strict=True):
        found.setdefault(tuple(test), []).append(outcome)
    return found


_TEST = ("client", "server", "rail", "tool", "memory", "outcome")
