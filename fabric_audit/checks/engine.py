"""Evaluates checks: coverage in, verdicts out. No evidence, no pass."""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.causes import explained
from fabric_audit.checks.model import DERIVED, Check, Scope, all_checks
from fabric_audit.checks.remedies import mended
from fabric_audit.errors import UsageError
from fabric_audit.findings import CoverageRow, Evidence, Finding, Result, Severity, Verdict
from fabric_audit.inventory.model import Host, Inventory
from fabric_audit.platforms.model import Remedy
from fabric_audit.policy.model import CheckPolicy, Policy

if TYPE_CHECKING:
    import pandas as pd

_BAD = frozenset({"not_delivered", "parse_error", "partial"})
_PRECEDENCE = (
    *(Verdict.FAIL, Verdict.ERROR, Verdict.UNKNOWN, Verdict.NOT_VERIFIABLE),
    *(Verdict.PASS, Verdict.SKIPPED, Verdict.OUT_OF_SCOPE),
)
_EXPLAINED = (Verdict.UNKNOWN, Verdict.NOT_VERIFIABLE, Verdict.SKIPPED, Verdict.OUT_OF_SCOPE)
"""Verdicts whose first finding's words are the reason of the whole result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidences:
    """What checks are evaluated on."""

    inventory: Inventory
    tables: Mapping[str, "pd.DataFrame"]
    coverage: tuple[CoverageRow, ...]
    traffic: bool
    """Whether traffic was planned."""
    cannot: Mapping[tuple[str, str], str]
    """(target, table or table.field) → why the platform documents that it cannot tell."""
    as_of: date
    remedies: Mapping[str, Mapping[str, Remedy]] = field(default_factory=dict)
    """Target → check → what mends it there, in the words of the target's platform."""
    configured_only: bool = False
    """Nothing but saved configurations was planned: what no configuration holds is out of scope."""
    reserves: Mapping[str, str] = field(default_factory=dict)
    """switch → how PFC by itself reserves a lossless buffer there, as its platform documents it."""


def evaluate_all(checks: Iterable[Check], evidences: Evidences, policy: Policy) -> tuple[Result, ...]:
    """Every check's result, in the order of the checks, with what explains what."""
    wanted = tuple(checks)
    results: dict[str, Result] = {}
    for check in sorted(wanted, key=lambda check: bool(check.judges_by)):
        results[check.id] = evaluate(check, evidences, policy, results)
    return explained([results[check.id] for check in wanted], evidences.tables)


def evaluate(check: Check, evidences: Evidences, policy: Policy, known: Mapping[str, Result] | None = None) -> Result:
    """One check's result; an exception of a check is its ERROR, never the run's.

    Args:
        check: what to evaluate.
        evidences: what it is evaluated on.
        policy: what ought to be.
        known: results that are there already, by check; checks it judges by are evaluated where they are not.

    Raises:
        UsageError: the policy sets an option that the check does not have.
    """
    wanted = policy.checks.get(check.id)
    severity = policy.severity(check.id)
    options = _options(check, wanted)
    if wanted is not None and not wanted.enabled:
        return _result(check, severity, Verdict.SKIPPED, reason=wanted.reason)
    rows = _concerning(check, evidences)
    outside = _out_of_scope(check, rows, evidences)
    if outside and {check.id, check.family}.isdisjoint(policy.required_evidence):
        return _result(check, severity, Verdict.OUT_OF_SCOPE, reason=outside)
    design = policy.designs(evidences.inventory)
    reserved = {
        "options": options,
        "coverage": evidences.coverage,
        "cannot": evidences.cannot,
        "reserves": evidences.reserves,
        "findings": _findings(check, evidences, policy, known or {}),
        "design": design,
    }
    tables = {name: evidences.tables[name] for name in check.needs}
    try:
        examined = list(check.function(**{name: (reserved | tables)[name] for name in check.parameters}))
    except Exception as error:  # noqa: BLE001 - a check's bug must not take the other checks' verdicts with it
        return _result(check, severity, Verdict.ERROR, reason=f"{type(error).__name__}: {error}")
    findings = [*_configured(examined, evidences), *_lacking(check, rows, evidences)]
    if outside:
        findings.append(_about_all(evidences.inventory, f"the policy requires this evidence, but {outside}"))
    elif not findings:
        words = f"nothing to examine: no evidence of {check.scope.value} that it could judge"
        findings.append(_about_all(evidences.inventory, words))
    stamped = [mended(replace(one, check=check.id, severity=severity), evidences.remedies, design) for one in findings]
    judged = tuple(sorted((_waived(f, policy, evidences.as_of) for f in stamped), key=lambda f: f.id))
    verdict = next(v for v in _PRECEDENCE if any(f.verdict is v for f in judged))
    return _result(check, severity, verdict, judged, unverified=_unverified(rows))


def _findings(
    check: Check, evidences: Evidences, policy: Policy, known: Mapping[str, Result]
) -> Mapping[str, tuple[Finding, ...]]:
    parts = [one for one in all_checks() if one.id in check.judges_by]
    return {one.id: (known.get(one.id) or evaluate(one, evidences, policy)).findings for one in parts}


def _options(check: Check, wanted: CheckPolicy | None) -> Any:
    given = dict(wanted.options) if wanted else {}
    known = {f.name for f in dataclasses.fields(check.options)} if check.options else set()
    if unknown := sorted(given.keys() - known):
        knows = f"it has {', '.join(sorted(known))}" if known else "it has none"
        raise UsageError(f"policy: check {check.id} has no option {', '.join(unknown)}; {knows}")
    return check.options(**given) if check.options else None


def examined_by(check: Check, inventory: Inventory) -> frozenset[str]:
    """Names of the targets whose evidence the check needs, or the checks that it judges by."""
    targets = {
        Scope.SWITCHES: inventory.switches,
        Scope.TARGETS: inventory.targets,
        Scope.LINKS: inventory.targets,
    }.get(check.scope, inventory.hosts)
    parts = (examined_by(one, inventory) for one in all_checks() if one.id in check.judges_by)
    return frozenset(target.name for target in targets).union(*parts)


def _concerning(check: Check, evidences: Evidences) -> list[CoverageRow]:
    """What became of the questions that tell the check's tables, asked of targets it examines."""
    names, tables = examined_by(check, evidences.inventory), check.evidence
    return [row for row in evidences.coverage if row.target in names and not tables.isdisjoint(row.tables)]


def _out_of_scope(check: Check, rows: Sequence[CoverageRow], evidences: Evidences) -> str:
    inventory = evidences.inventory
    if evidences.configured_only and not check.by_configuration:
        return "a saved configuration cannot decide it"
    no_gpus = "" if any(_has_gpus(h) for h in inventory.hosts) else "the inventory names no GPUs"
    no_traffic = "" if evidences.traffic else "no traffic was planned"
    lacking = {
        Scope.SWITCHES: "" if inventory.switches else "the inventory names no switches",
        Scope.LINKS: "" if inventory.switches else "the inventory names no switches",
        Scope.HOSTS: "" if inventory.hosts else "the inventory names no hosts",
        Scope.NICS: "" if any(h.compute_nics for h in inventory.hosts) else "the inventory names no compute NICs",
        Scope.GPUS: no_gpus,
        Scope.PAIRS: no_traffic,
        Scope.GPU_PAIRS: no_gpus or no_traffic or _no_gpu_memory(evidences),
    }
    if reason := lacking.get(check.scope, ""):
        return reason
    decisive = check.rests_on
    if decisive and all(decisive.isdisjoint(row.tables) for row in rows):
        return f"nothing was planned that tells {', '.join(sorted(decisive))}"
    return ""


def _no_gpu_memory(evidences: Evidences) -> str:
    """Every planned slot is a row, whatever came of it: no row with GPU memory, none was planned."""
    memory = set(evidences.tables["pair_result"]["memory"])
    return "no test with GPU memory was planned" if memory == {"host"} else ""


def _configured(findings: list[Finding], evidences: Evidences) -> list[Finding]:
    """What a configuration that was understood to its last line does not tell, no configuration tells."""
    if not evidences.configured_only:
        return findings
    understood = {row.target for row in evidences.coverage if row.state == "parsed"}
    return [
        replace(f, verdict=Verdict.OUT_OF_SCOPE) if f.verdict is Verdict.UNKNOWN and f.subject[0] in understood else f
        for f in findings
    ]


def _has_gpus(host: Host) -> bool:
    return host.gpus is None or host.gpus > 0


def _lacking(check: Check, rows: Sequence[CoverageRow], evidences: Evidences) -> Iterable[Finding]:
    """UNKNOWN for every target whose planned evidence is not there, once a target and cause."""
    tables, decisive = check.evidence, check.rests_on
    seen: set[tuple[str, str]] = set()
    by_table: dict[tuple[str, str], list[CoverageRow]] = {}
    for row in rows:
        for table in tables.intersection(row.tables):
            by_table.setdefault((row.target, table), []).append(row)
    joined = {base for need in check.needs if need in DERIVED for base in DERIVED[need]}
    for (target, table), planned in sorted(by_table.items(), key=lambda item: item[0]):
        if words := evidences.cannot.get((target, table)):
            yield Finding(verdict=Verdict.NOT_VERIFIABLE, subject=(target, table), message=words)
            continue
        bad = [row for row in planned if row.state in _BAD]
        needed = table in decisive and table not in joined
        if not bad and needed and all(row.state == "not_supported" for row in planned):
            bad = planned[:1]
        for row in bad:
            reason = row.reason or row.state.replace("_", " ")
            if (target, reason) not in seen:
                seen.add((target, reason))
                yield _unknown(row, reason)


def _unknown(row: CoverageRow, reason: str) -> Finding:
    return Finding(
        verdict=Verdict.UNKNOWN,
        subject=(row.target, row.section),
        message=f"no evidence from {row.target}: {reason}",
        evidence=(Evidence(row.path),) if row.path else (),
    )


def _about_all(inventory: Inventory, words: str) -> Finding:
    return Finding(verdict=Verdict.UNKNOWN, subject=(inventory.fabric,), message=words)


def _waived(finding: Finding, policy: Policy, as_of: date) -> Finding:
    if finding.verdict is not Verdict.FAIL:
        return finding
    for waiver in policy.waivers:
        subject = "/".join(finding.subject)
        if not (fnmatchcase(finding.check, waiver.check) and fnmatchcase(subject, waiver.subject)):
            continue
        if waiver.expires < as_of:
            return replace(
                finding, message=f"{finding.message} (its waiver expired on {waiver.expires}: {waiver.reason})"
            )
        reason = f"waived until {waiver.expires} by {waiver.owner}: {waiver.reason}"
        return replace(finding, verdict=Verdict.SKIPPED, message=f"{finding.message} ({reason})", waiver=reason)
    return finding


def _unverified(rows: Collection[CoverageRow]) -> tuple[str, ...]:
    return tuple(sorted({row.section for row in rows if row.provenance == "constructed" and row.state == "parsed"}))


def _result(
    check: Check,
    severity: Severity,
    verdict: Verdict,
    findings: tuple[Finding, ...] = (),
    *,
    reason: str = "",
    unverified: tuple[str, ...] = (),
) -> Result:
    return Result(
        check=check.id,
        title=check.title,
        manual=check.manual,
        verdict=verdict,
        severity=severity,
        findings=findings,
        reason=reason or next((f.message for f in findings if f.verdict is verdict and verdict in _EXPLAINED), ""),
        unverified_parsers=unverified,
    )
