"""A policy as a value: the design it asks for, how much each check matters, what is waived until when."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from fabric_audit.findings import Severity
from fabric_audit.inventory.model import Host, Inventory, Switch, Target, Traffic
from fabric_audit.policy.design import Design

__all__ = ["CheckPolicy", "Design", "Designs", "Origin", "Override", "Policy", "Waiver"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an effective value was written, and what its writer rests it on."""

    file: str
    line: int
    source: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPolicy:
    """What the policy says about one check."""

    enabled: bool = True
    reason: str = ""
    """Why it is switched off."""
    severity: Severity | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Thresholds of the check's own that are not its defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Failures that somebody answers for until a day; after it they fail again, and say so."""

    check: str
    """Glob over check ids."""
    subject: str
    """Glob over subjects, elements joined by ``/``: ``gpu017/*``."""
    reason: str
    owner: str
    expires: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """Design values of some targets. Every key given must match, by glob."""

    values: Mapping[str, Any]
    role: str | None = None
    unit: str | None = None
    model: str | None = None
    platform: str | None = None
    name: str | None = None

    def matches(self, target: Target) -> bool:
        """Whether the override is for that target."""
        known = {
            "role": target.role if isinstance(target, Switch) else None,
            "unit": target.unit,
            "model": target.model if isinstance(target, Host) else None,
            "platform": target.platform,
            "name": target.name,
        }
        asked = {key: glob for key in known if (glob := getattr(self, key)) is not None}
        return all(fnmatchcase(known[key] or "", glob) for key, glob in asked.items())


@dataclass(frozen=True, slots=True)
class Designs:
    """What the fabric is meant to be, and each target where overrides make it another."""

    fabric: Design
    """For what concerns the fabric as a whole."""
    own: Mapping[str, Design] = field(default_factory=dict)
    """By target, where it differs."""

    def of(self, target: str) -> Design:
        """The design for that target."""
        return self.own.get(target, self.fabric)

    @property
    def all(self) -> tuple[Design, ...]:
        """Every design that some target has, or the fabric."""
        return (self.fabric, *self.own.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Everything checks are judged by."""

    name: str
    design: Design
    title: str = ""
    checks: Mapping[str, CheckPolicy] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """By check id or family."""
    waivers: tuple[Waiver, ...] = ()
    overrides: tuple[Override, ...] = ()
    required_evidence: tuple[str, ...] = ()
    """Families and checks that must not be out of scope: without evidence they are UNKNOWN."""
    traffic: Traffic = field(default_factory=Traffic)
    """What to send where the inventory does not say."""
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False)
    """Where each effective value comes from, by its dotted name: ``design.roce_dscp``."""

    def severity(self, check_id: str) -> Severity:
        """How much that check matters: what is said of it, else of its family, else major."""
        own = self.checks.get(check_id, CheckPolicy()).severity
        family = check_id.split(".", maxsplit=1)[0]
        return own or self.severities.get(check_id) or self.severities.get(family) or Severity.MAJOR

    def design_of(self, target: Target) -> Design:
        """The design for that target: the policy's, changed by every override that matches, in order."""
        design = self.design
        for override in self.overrides:
            if override.matches(target):
                design = replace(design, **override.values)
        return design

    def designs(self, inventory: Inventory) -> Designs:
        """The design of the fabric and of every target of the inventory."""
        found = {target.name: self.design_of(target) for target in inventory.targets} if self.overrides else {}
        return Designs(self.design, {name: design for name, design in found.items() if design != self.design})
