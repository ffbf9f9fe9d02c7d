"""Calls one check with the facts of a few targets, all other tables empty."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from inspect import signature
from types import ModuleType
from typing import Any

from fabric_audit.facts.tables import Stamped, frame
from fabric_audit.findings import Finding
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Design, Designs

Seen = Mapping[str, Any]
"""Target → its facts, all read before traffic."""


def stamped(seen: Seen, phase: str = "baseline", at_s: float = 0.0) -> Iterator[Stamped]:
    """The facts as they would stand in a capture."""
    for target, facts in seen.items():
        for number, fact in enumerate(facts, 1):
            yield Stamped(target, phase, f"{phase}/{target}/show.out", fact, fact.line or number, at_s)


def findings(
    module: ModuleType, seen: Seen | Iterable[Stamped], policy: str = "roce-lossless", **given: Any
) -> list[Finding]:
    """What a check says; ``given`` are reserved parameters, or values of the design other than the policy's."""
    check: Callable[..., Iterator[Finding]] = module.check
    names = signature(check).parameters
    options = getattr(module, "Options", lambda: None)()
    reserved: dict[str, Any] = {"coverage": (), "cannot": {}, "reserves": {}, "findings": {}, "options": options}
    offered = reserved | {name: value for name, value in given.items() if name in reserved}
    changed = {name: value for name, value in given.items() if name not in reserved}
    offered["design"] = Designs(replace(_design(policy), **changed))
    groups: dict[str, list[Stamped]] = {}
    for one in stamped(seen) if isinstance(seen, Mapping) else seen:
        groups.setdefault(one.fact.TABLE, []).append(one)
    return list(check(**{n: offered[n] if n in offered else frame(n, groups.get(n, ())) for n in names}))


@cache
def _design(policy: str) -> Design:
    return load_policy(policy).design


def verdicts(module: ModuleType, seen: Seen | Iterable[Stamped], **given: Any) -> dict[str, str]:
    """Subject → verdict."""
    return {"/".join(f.subject): f.verdict.name for f in findings(module, seen, **given)}
