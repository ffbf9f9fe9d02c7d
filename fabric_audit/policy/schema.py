"""The keys of a policy file. Every key may be left out: what is not said comes from the policy it extends."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, Field, PlainValidator, create_model

from fabric_audit.documents.validation import Section, Text, shown, wrong
from fabric_audit.findings import Severity
from fabric_audit.inventory.schema import TrafficEntry
from fabric_audit.policy.design import Design, types

SeverityName = Literal["critical", "major", "minor", "info"]


def _day(value: object) -> date:
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise wrong(f"expires: {shown(value)} is no day", "write YEAR-MONTH-DAY, as in 2027-03-31") from None


def _written(hint: Any, low: float | None, high: float | None) -> Any:
    """The type in a file for a type of the design: lists for tuples, limits on numbers."""
    if get_origin(hint) is tuple:
        return list[_written(get_args(hint)[0], low, high)]  # type: ignore[misc]  # built from the design's fields
    if hint in {int, float}:
        return Annotated[hint, Field(ge=low, le=high)]
    if type(None) in get_args(hint):
        return _written(get_args(hint)[0], low, high) | None
    return hint


def _expected(hint: Any, meaning: str, low: float | None, high: float | None) -> str:
    """Completes "write …"."""
    optional = " or null" if type(None) in get_args(hint) else ""
    kind = get_args(hint)[0] if optional else hint
    if get_origin(kind) is Literal:
        return f"{', '.join(get_args(kind)[:-1])} or {get_args(kind)[-1]}: {meaning}"
    words = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "a list")
    limits = f" from {low:g} to {high:g}" if low is not None and high is not None else ""
    return f"{words}{limits}{optional}: {meaning}"


def _design_section() -> type[Section]:
    hints = types()
    columns: dict[str, Any] = {}
    for column in fields(Design):
        hint, described = hints[column.name], column.metadata
        low, high = described["low"], described["high"]
        description = _expected(hint, described["meaning"], low, high)
        columns[column.name] = (_written(hint, low, high), Field(None, description=description))
    return create_model("DesignSection", __base__=Section, **columns)


DesignSection = _design_section()
"""The fields of the design; those that a file leaves out are not in ``model_fields_set``."""


class CheckEntry(Section):
    """One check."""

    enabled: bool = Field(True, description="true or false")
    reason: Text | None = Field(None, description="why the check is off")
    severity: SeverityName | None = Field(None, description="critical, major, minor or info")
    options: dict[str, Any] = Field({}, description="options of the check and their values")


class WaiverEntry(Section):
    """One waiver."""

    check: Text = Field(description="check: a check's id, or a glob such as 'pfc.*'")
    subject: Text = Field(description="subject: a glob such as 'gpu017/*'")
    reason: Text = Field(description="reason: why it may fail")
    owner: Text = Field(description="owner: who answers for it")
    expires: Annotated[date, PlainValidator(_day)] = Field(description="expires: a day, such as 2027-03-31")


class MatchEntry(Section):
    """Which targets an override is for; globs."""

    name: Text | None = Field(None, description="a glob over names")
    role: Text | None = Field(None, description="a glob over roles of switches, such as spine")
    unit: Text | None = Field(None, description="a glob over units")
    model: Text | None = Field(None, description="a glob over models of hosts")
    platform: Text | None = Field(None, description="a glob over platforms, such as sonic")


class OverrideEntry(Section):
    """Design values of some targets."""

    match: MatchEntry = Field(description="match: which targets, as in {role: spine}")
    design: DesignSection = Field(description="design: the values of these targets")  # type: ignore[valid-type]


class PolicyFile(Section):
    """The whole file."""

    name: Text | None = Field(None, description="the policy's name; default: the file's")
    title: Text | None = Field(None, description="what the policy is for, in words")
    extends: Text | None = Field(None, description="a shipped policy, or the path of a policy file")
    design: DesignSection = Field(DesignSection(), description="values of the design")  # type: ignore[valid-type]
    severities: dict[str, SeverityName] = Field({}, description="critical, major, minor or info by family or check")
    checks: dict[str, CheckEntry] = Field({}, description="checks by id, as in pfc.watchdog: {enabled: false}")
    waivers: list[WaiverEntry] = Field([], description="a list of waivers")
    overrides: list[OverrideEntry] = Field([], description="a list of {match: …, design: …}")
    required_evidence: list[Text] = Field([], description="a list of families and checks")
    traffic: TrafficEntry = Field(TrafficEntry(), description="what to send, as in {mode: smoke}")


def said(section: BaseModel) -> dict[str, Any]:
    """The keys that a section of a file says, with their values; lists as tuples, severities as such."""
    values = {name: getattr(section, name) for name in section.model_fields_set}
    return {name: _frozen(value) for name, value in values.items()}


def severities_of(named: Mapping[str, str]) -> dict[str, Severity]:
    """Severities by name, as the model has them."""
    return {name: Severity(severity) for name, severity in named.items()}


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
