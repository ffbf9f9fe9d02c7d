"""What is said of a subject about which the evidence says nothing."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from fabric_audit.checks.rows import evidence
from fabric_audit.findings import Finding, Verdict

Cannot: TypeAlias = Mapping[tuple[str, str], str]
"""(target, table or table.field) → why the platform documents that it cannot tell."""


def unknown(subject: tuple[str, ...], message: str, *seen: Any) -> Finding:
    """The evidence does not tell; ``seen`` are the rows that stop short of it."""
    return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=message, evidence=evidence(*seen))


def skipped(subject: tuple[str, ...], message: str) -> Finding:
    """There is nothing to judge, for a reason that is no lack of evidence."""
    return Finding(verdict=Verdict.SKIPPED, subject=subject, message=message)


def silent(subject: tuple[str, ...], what: str, cannot: Cannot, *fields: str, seen: tuple[Any, ...] = ()) -> Finding:
    """``what`` is not known of a subject: NOT_VERIFIABLE where its platform cannot tell one of ``fields``.

    Args:
        subject: component path; its first element is the target.
        what: the words for what would have to be known.
        cannot: what platforms document that they cannot tell.
        fields: tables, or ``table.field``, that would tell.
        seen: rows that stop short of it.
    """
    words = next((cannot[subject[0], field] for field in fields if (subject[0], field) in cannot), "")
    if not words:
        return unknown(subject, f"{what} is not known", *seen)
    return Finding(
        verdict=Verdict.NOT_VERIFIABLE,
        subject=subject,
        message=f"{what} cannot be told: {words}",
        evidence=evidence(*seen),
    )
