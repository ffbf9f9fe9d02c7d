"""A chain of policy files as one: the last that says something is right."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from fabric_audit.findings import Severity
from fabric_audit.inventory.expansion import traffic_of
from fabric_audit.inventory.model import Traffic
from fabric_audit.policy.design import Design
from fabric_audit.policy.layers import Layer
from fabric_audit.policy.model import CheckPolicy, Origin, Override, Waiver
from fabric_audit.policy.schema import CheckEntry, OverrideEntry, PolicyFile, said

Files: TypeAlias = Sequence[tuple[Layer, PolicyFile]]
"""The root first."""


def design_values(files: Files) -> dict[str, Any]:
    """Values of the design by field."""
    return {field: value for _, file in files for field, value in said(file.design).items()}


def last_writer(files: Files, fields: Sequence[str]) -> tuple[Layer, str]:
    """The last file that says any of these fields, and which; the first of them in doubt."""
    for layer, file in reversed(files):
        for field in fields:
            if field in said(file.design):
                return layer, field
    raise KeyError(fields)


def check_policies(files: Files) -> dict[str, CheckPolicy]:
    """What is said of each check: key by key, options one by one."""
    merged: dict[str, dict[str, Any]] = {}
    for _, file in files:
        for check, entry in file.checks.items():
            known = merged.setdefault(check, {"options": {}})
            options = known["options"] | entry.options
            known |= _check_values(entry)
            known["options"] = options
    return {check: CheckPolicy(**values) for check, values in merged.items()}


def _check_values(entry: CheckEntry) -> dict[str, Any]:
    values = said(entry)
    if severity := values.get("severity"):
        values["severity"] = Severity(severity)
    return values


def severities(files: Files) -> dict[str, Severity]:
    """Severities by family or check."""
    return {name: Severity(value) for _, file in files for name, value in file.severities.items()}


def waivers(files: Files) -> tuple[Waiver, ...]:
    """The waivers of all files."""
    return tuple(Waiver(**entry.model_dump()) for _, file in files for entry in file.waivers)


def override_of(entry: OverrideEntry) -> Override:
    """One override as the model has it."""
    return Override(values=said(entry.design), **entry.match.model_dump())


def traffic(files: Files, design: Design) -> Traffic:
    """What to send by default; where no file says the class, that of the design."""
    merged = Traffic(traffic_class=design.roce_traffic_class)
    for _, file in files:
        merged = traffic_of(file.traffic).over(merged)
    return merged


def origins(files: Files) -> dict[str, Origin]:
    """Where each value that holds was written, by its dotted name."""
    return {".".join(location): layer.origin(*location) for layer, file in files for location in _locations(file)}


def _locations(file: PolicyFile) -> Iterator[tuple[str, ...]]:
    for section in ("design", "traffic"):
        yield from ((section, key) for key in said(getattr(file, section)))
    yield from (("severities", name) for name in file.severities)
    for check, entry in file.checks.items():
        yield from (("checks", check, key) for key in said(entry) if key != "options")
        yield from (("checks", check, "options", option) for option in entry.options)
