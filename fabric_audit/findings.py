"""What checks say: verdicts, findings, results, and the audit and comparison built of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


class Verdict(StrEnum):
    """The answer to a check, or to one subject of it. No evidence, no pass."""

    FAIL = "FAIL"
    """What must hold does not."""
    UNKNOWN = "UNKNOWN"
    """Planned, but not delivered or not parsed, or no subject where the inventory promises some."""
    NOT_VERIFIABLE = "NOT_VERIFIABLE"
    """The platform documents that it cannot tell."""
    ERROR = "ERROR"
    """A bug of ours."""
    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    """Evidence is there and what must hold, holds."""
    SKIPPED = "SKIPPED"
    """Switched off by policy or waiver, with a reason."""
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    """None of its evidence was planned."""


class Origin(StrEnum):
    """Where the evidence comes from."""

    REAL = "real"
    """Devices that were asked."""
    SIMULATED = "simulated"
    """The embedded pod: it proves nothing about any fabric."""
    FILES = "files"
    """Saved configurations: no device was asked."""


class Severity(StrEnum):
    """How much a failing check matters; given by the policy, never by the check."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for critical, 3 for info."""
        return list(Severity).index(self)

    def at_least(self, other: "Severity") -> bool:
        """Whether this severity is ``other`` or worse."""
        return self.rank <= other.rank


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """Where in the capture a finding rests: ``path`` relative to the capture, 1-based ``line``, 0 for the whole."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One subject examined by one check.

    ``subject`` is a component path, most general first: ``("leaf01", "Ethernet12", "priority 3")``;
    its first element is always a target of the inventory, or the fabric's name.
    """

    verdict: Verdict
    subject: tuple[str, ...]
    message: str
    expected: str = ""
    observed: str = ""
    remedy: str = ""
    remedy_source: str = ""
    evidence: tuple[Evidence, ...] = ()
    reproduce: str = ""
    explained_by: str = ""
    """Id of the finding that is the cause of this one, empty for a root cause."""
    waiver: str = ""
    """Of a failure that is waived: until when, by whom and why; its verdict is SKIPPED. Empty for any other."""
    check: str = ""
    """Filled by the engine: the check's id."""
    severity: Severity = Severity.MAJOR
    """Filled by the engine, from the policy."""

    @property
    def id(self) -> str:
        """Stable over runs: the check and the subject."""
        return f"{self.check}:{'/'.join(self.subject)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One check on one capture, with its manual, so that a report needs nothing else."""

    check: str
    title: str
    manual: str
    verdict: Verdict
    severity: Severity
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    """Why it is skipped, out of scope, unknown or in error."""
    unverified_parsers: tuple[str, ...] = ()
    """Parsers it rests on whose format was never seen in the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRow:
    """One section planned on one target in one phase, and what became of it.

    ``state``: ``parsed`` | ``partial`` (some lines were skipped) | ``not_supported`` (the target has no such
    command or feature, in ``reason`` with its own words) | ``parse_error`` | ``not_delivered``.
    """

    target: str
    phase: str
    section: str
    tables: tuple[str, ...]
    state: str
    reason: str = ""
    cause: str = ""
    path: str = ""
    provenance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Custody:
    """What a capture says of itself: by whom and with what it was collected, and what proves that it is the same."""

    run: str = ""
    collected_with: str = ""
    """Version of the tool that collected it."""
    account: str = ""
    """User who ran the collection."""
    ended: str = ""
    sealed: bool = False
    """The collection came to its end."""
    traffic: str = "none"
    """Mode of traffic, such as ``tournament`` or ``soak:30m``."""
    loaded_s: float = 0.0
    """Seconds from the start of the first round's tests to the end of the last one's."""
    digest: str = ""
    """SHA-256 over journal, inventory and policy; the journal holds the digest of every output."""
    tool_digest: str = ""
    """SHA-256 over the code that judged it."""
    damaged: tuple[str, ...] = ()
    """Files that are missing or changed, and lines of the journal that cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Everything a report shows about one capture."""

    fabric: str
    policy: str
    origin: str
    started: str
    as_of: str
    tool_version: str
    results: tuple[Result, ...]
    coverage: tuple[CoverageRow, ...]
    tables: Mapping[str, "pd.DataFrame"] = field(default_factory=dict)
    """All fact tables by name, with the stamps in front."""
    overrides: tuple[str, ...] = ()
    custody: Custody = Custody()
    required: tuple[str, ...] = ()
    """Checks and families whose evidence the policy requires."""
    waivers: tuple[str, ...] = ()
    """Waivers of the policy in words, with owner and expiry."""
    fail_on: Severity = Severity.MAJOR
    """From this severity on a failing finding fails the fabric; what the user asked for, never part of the policy."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings of all checks."""
        return tuple(finding for result in self.results for finding in result.findings)

    def failing(self, at_least: Severity) -> tuple[Finding, ...]:
        """Failing findings of ``at_least`` that severity, worst first."""
        failing = [f for f in self.findings if f.verdict is Verdict.FAIL and f.severity.at_least(at_least)]
        return tuple(sorted(failing, key=lambda f: (f.severity.rank, f.explained_by != "", f.id)))

    @property
    def incomplete(self) -> bool:
        """Whether any check lacks evidence that was planned."""
        return any(result.verdict in (Verdict.UNKNOWN, Verdict.ERROR) for result in self.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that makes two captures less alike than a change of the fabric would: policy, tool, targets, load."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One setting or state that is not as it was.

    Attributes:
        subject: the target, then what names the row within it.
        table: fact table that tells it.
        field: field of the table; empty where the whole row came or went.
        meaning: what the field or the row is, in words.
        before: its value in words.
        after: the same; ``before`` and ``after`` never are equal.
        evidence: where it stands in the later capture, or in the earlier one where it is gone.
    """

    subject: tuple[str, ...]
    table: str
    field: str
    meaning: str
    before: str
    after: str
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """A counter that runs at another pace: growth per second of each capture."""

    subject: tuple[str, ...]
    name: str
    counter_class: str
    before_per_s: float
    after_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A measurement that differs by more than its noise.

    ``noise`` is the share of the value within which two captures of the same fabric differ; ``repeats`` is the number
    of repeated measurements that it was estimated from, 0 where it is the field's own tolerance.
    """

    subject: tuple[str, ...]
    name: str
    before: float
    after: float
    noise: float
    repeats: int

    @property
    def share(self) -> float:
        """Growth as a share of the earlier value."""
        return self.after / self.before - 1 if self.before else float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Evidence that only one of two captures has."""

    subject: tuple[str, ...]
    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A finding whose verdict turned, or stayed FAIL; ``was`` is its verdict in the earlier capture, if it has one."""

    finding: Finding
    was: Verdict | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is different in the later of two captures. Both are judged by the same policy."""

    before: Audit
    after: Audit
    differences: tuple[Difference, ...] = ()
    new: tuple[Turn, ...] = ()
    """Fails now, and did not."""
    fixed: tuple[Turn, ...] = ()
    """Failed, and passes now."""
    still: tuple[Turn, ...] = ()
    """Failed, and fails now."""
    unsettled: tuple[Turn, ...] = ()
    """Failed, and now nothing tells whether it does."""
    renamed: tuple[Change, ...] = ()
    """Ports and devices that have another name; everything else is compared under the new one."""
    changes: tuple[Change, ...] = ()
    paces: tuple[Pace, ...] = ()
    shifts: tuple[Shift, ...] = ()
    lost: tuple[Told, ...] = ()
    gained: tuple[Told, ...] = ()

    def worse(self, at_least: Severity) -> tuple[Turn, ...]:
        """What is new at or above that severity."""
        return tuple(turn for turn in self.new if turn.finding.severity.at_least(at_least))

    @property
    def nothing(self) -> bool:
        """The two tell the same, but for what failed and still does."""
        told = (self.differences, self.new, self.fixed, self.unsettled, self.renamed, self.changes)
        return not any((*told, self.paces, self.shifts, self.lost, self.gained))
