"""A policy as rows: every value that holds, what it rests on, where it was written."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from fabric_audit.inventory.dump import traffic_values
from fabric_audit.policy.model import Policy


@dataclass(frozen=True, slots=True)
class Row:
    """One value."""

    name: str
    value: str
    source: str
    origin: str


def policy_show(policy: Policy) -> tuple[Row, ...]:
    """The rows of a policy, section by section."""
    return tuple(_row(policy, name, value) for name, value in _values(policy))


def _values(policy: Policy) -> Iterator[tuple[str, object]]:
    yield from _under("design", asdict(policy.design))
    yield from _under("severities", policy.severities)
    for check, said in policy.checks.items():
        values = {"enabled": said.enabled, "reason": said.reason or None, "severity": said.severity}
        yield from _under(f"checks.{check}", {key: value for key, value in values.items() if value is not None})
        yield from _under(f"checks.{check}.options", said.options)
    for waiver in policy.waivers:
        until = f"until {waiver.expires} by {waiver.owner}: {waiver.reason}"
        yield f"waivers.{waiver.check}", f"{waiver.subject} {until}"
    for override in policy.overrides:
        match = {key: value for key, value in asdict(override).items() if key != "values" and value is not None}
        yield f"overrides.{_words(match)}", _words(override.values)
    if policy.required_evidence:
        yield "required_evidence", policy.required_evidence
    yield from _under("traffic", traffic_values(policy.traffic))


def _under(section: str, values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    return ((f"{section}.{name}", value) for name, value in values.items())


def _row(policy: Policy, name: str, value: object) -> Row:
    origin = policy.origins.get(name)
    return Row(name, _shown(value), origin.source if origin else "", str(origin) if origin else "")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value)) or "none"
    return "not judged" if value is None else str(value)


def _words(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key}={_shown(value)}" for key, value in values.items())
