"""What a check is, and the engine's view of one."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import fabric_audit.checks
from fabric_audit.facts import all_tables
from fabric_audit.findings import Finding

RESERVED = ("design", "options", "coverage", "cannot", "reserves", "findings")
DERIVED: dict[str, tuple[str, ...]] = {
    "link": ("neighbor", "mac_entry", "neighbor_entry", "interface", "port_alias", "gid"),
    "fabric_port": ("neighbor", "interface", "rdma_port"),
    "pair_result": ("perftest_row",),
    "disagreement": (),
}
"""Tables made of other tables; the plan collects what they are made of."""
GIVEN = frozenset({"fabric", "target", "intended_nic", "cable"})
"""Tables that the inventory fills; nothing is collected for them."""


class Scope(StrEnum):
    """What a check examines, and so when it is out of scope."""

    TARGETS = "targets"
    """Any host or switch."""
    HOSTS = "hosts"
    NICS = "compute NICs"
    GPUS = "GPUs"
    SWITCHES = "switches"
    LINKS = "links"
    """Cables with at least one end at a switch."""
    PAIRS = "traffic between pairs of hosts"
    GPU_PAIRS = "traffic with GPU memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check as found in the tree."""

    id: str
    scope: Scope
    title: str
    manual: str
    parameters: tuple[str, ...]
    options: type | None
    function: Callable[..., Iterator[Finding]]
    decisive: tuple[str, ...] = ()
    """Needs without which it can say nothing; empty where that is so of all."""
    judges_by: tuple[str, ...] = ()
    """Ids of the checks whose findings it puts together."""
    by_configuration: bool = False
    """A saved configuration alone can decide it."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Fact tables it reads."""
        return tuple(name for name in self.parameters if name not in RESERVED)

    @property
    def family(self) -> str:
        """First part of the id."""
        return self.id.split(".")[0]

    @property
    def evidence(self) -> frozenset[str]:
        """Tables that must be collected for it, and for the checks that it judges by."""
        parts = (check.evidence for check in all_checks() if check.id in self.judges_by)
        return _collected(self.needs).union(*parts)

    @property
    def rests_on(self) -> frozenset[str]:
        """Those of them without which it can say nothing; targets need not support the others."""
        return _collected(self.decisive or self.needs)


def _collected(needs: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for need in needs:
        found.update(DERIVED.get(need, () if need in GIVEN else (need,)))
    return frozenset(found)


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check, by id: a new file adds its own."""
    root = fabric_audit.checks.__name__
    found = []
    for module in walk_packages(fabric_audit.checks.__path__, prefix=f"{root}."):
        parts = module.name.removeprefix(f"{root}.").split(".")
        loaded = import_module(module.name)
        if len(parts) == 2 and hasattr(loaded, "ON"):  # noqa: PLR2004 - family and name
            found.append(_check(parts[0], parts[1], loaded))
    return tuple(sorted(found, key=lambda check: check.id))


def _check(family: str, name: str, module: ModuleType) -> Check:
    function: Any = module.check
    manual = inspect.cleandoc(module.__doc__ or "")
    parameters = tuple(inspect.signature(function).parameters)
    made = Check(
        id=f"{family}.{name.replace('_', '-')}",
        scope=module.ON,
        title=manual.split("\n")[0].rstrip("."),
        manual=manual,
        parameters=parameters,
        options=getattr(module, "Options", None),
        function=function,
        decisive=getattr(module, "RESTS_ON", ()),
        judges_by=getattr(module, "JUDGES_BY", ()),
        by_configuration=getattr(module, "BY_CONFIGURATION", False),
    )
    if not manual:
        raise TypeError(f"check {made.id} has no manual")
    if unknown := {*made.needs, *made.decisive} - set(all_tables()):
        raise TypeError(f"check {made.id} needs tables that do not exist: {sorted(unknown)}")
    return made


def needs_of(checks: tuple[Check, ...]) -> frozenset[str]:
    """Tables that must be collected for these checks."""
    return frozenset().union(*(check.evidence for check in checks)) if checks else frozenset()
