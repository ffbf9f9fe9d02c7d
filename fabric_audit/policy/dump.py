"""From a policy to a file that loads back as the same policy and extends nothing."""

from dataclasses import asdict
from typing import Any

from fabric_audit.documents.write import items, pairs, sections
from fabric_audit.inventory.dump import traffic_values
from fabric_audit.policy.model import CheckPolicy, Override, Policy


def dump_policy(policy: Policy) -> str:
    """YAML of the policy with every value that holds, and its source where one is known."""
    lines = pairs({"name": policy.name, **({"title": policy.title} if policy.title else {})})
    lines += sections(
        {
            "design": pairs(_sourced(policy, "design", asdict(policy.design))),
            "severities": pairs(_sourced(policy, "severities", dict(policy.severities))),
            "checks": pairs({name: _check(policy, name, check) for name, check in policy.checks.items()}),
            "waivers": items({**asdict(waiver), "expires": str(waiver.expires)} for waiver in policy.waivers),
            "overrides": items(map(_override, policy.overrides)),
            "required_evidence": items(policy.required_evidence),
            "traffic": pairs(_sourced(policy, "traffic", traffic_values(policy.traffic))),
        }
    )
    return "\n".join(lines) + "\n"


def _sourced(policy: Policy, section: str, values: dict[str, Any]) -> dict[str, Any]:
    return {name: _pair(policy, f"{section}.{name}", value) for name, value in values.items()}


def _pair(policy: Policy, name: str, value: Any) -> dict[str, Any]:
    origin = policy.origins.get(name)
    return {"value": value, **({"source": origin.source} if origin and origin.source else {})}


def _check(policy: Policy, name: str, check: CheckPolicy) -> dict[str, Any]:
    values = {"enabled": check.enabled, "reason": check.reason or None, "severity": check.severity}
    written = {key: _pair(policy, f"checks.{name}.{key}", value) for key, value in values.items() if value is not None}
    options = {key: _pair(policy, f"checks.{name}.options.{key}", value) for key, value in check.options.items()}
    return written | ({"options": options} if options else {})


def _override(override: Override) -> dict[str, Any]:
    match = {key: value for key, value in asdict(override).items() if key != "values" and value is not None}
    return {"match": match, "design": override.values}
