"""A Junos configuration resolved: groups applied, and the class of service of each physical port."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from fabric_audit.errors import ParseError
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.juniper_junos.names import kind
from fabric_audit.platforms.switches.juniper_junos.statements import Statement, matching, statements
from fabric_audit.platforms.text import plain, torn, whole

_KNOWN = ("class-of-service", "interfaces", "system", "chassis", "forwarding-options", "protocols", "policy-options")
_COS = ("classifiers", "forwarding-classes", "congestion-notification-profile", "schedulers", "scheduler-maps")


@dataclass(frozen=True)
class Config:
    """A configuration with its groups applied; ``skipped`` is a line that was cut."""

    root: Statement
    skipped: tuple[Skipped, ...]

    @property
    def cos(self) -> Statement:
        """What stands below ``class-of-service``."""
        return self.root.get("class-of-service")

    @cached_property
    def interfaces(self) -> dict[str, Statement]:
        """Interfaces by name; what a range says is said of each of its members."""
        told = self.root.get("interfaces").children
        found = {name: statement for name, statement in told.items() if name not in ("interface-range", "apply-groups")}
        for range_ in self.root.get("interfaces", "interface-range").children.values():
            for member in _members(range_, tuple(found)):
                own = found.setdefault(member, Statement(range_.line))
                own.under(_without_members(range_))
        return found

    @cached_property
    def ports(self) -> tuple[tuple[str, int], ...]:
        """Physical ports with their lines: of the interfaces, and those that class of service names.

        Where neither names one, the wildcards of class of service stand for the ports they match.
        """
        applied = self.cos.get("interfaces").children
        named = {name: statement.line for name, statement in self.interfaces.items() if kind(name) == "physical"}
        for name, statement in applied.items():
            if kind(name) == "physical":
                named.setdefault(name, statement.line)
        return tuple((named or {name: at.line for name, at in applied.items() if name != "all"}).items())

    def aggregate(self, port: str) -> str | None:
        """The aggregate a port is a member of."""
        found = self.interfaces.get(port, Statement()).value("802.3ad")
        return found[0] if found else None

    def settings(self, port: str) -> Statement:
        """The class of service of one port: its own, then its aggregate's, then wildcards', then that of ``all``."""
        return self._settings.get(port, Statement())

    @cached_property
    def _settings(self) -> dict[str, Statement]:
        return {port: self._merged(port) for port, _ in self.ports}

    def _merged(self, port: str) -> Statement:
        merged = Statement()
        applied = self.cos.get("interfaces").children
        aggregate = self.aggregate(port)
        for name in (port, aggregate):
            if name in applied:
                merged.under(deepcopy(applied[name]))
        for name in (port, aggregate):
            for pattern, statement in applied.items():
                if name and re.search(r"[*?\[]", pattern) and list(matching({name: statement}, pattern)):
                    merged.under(deepcopy(statement))
        if "all" in applied:
            merged.under(deepcopy(applied["all"]))
        return merged


def read_config(text: str) -> Config:
    """Resolve a configuration, whole or class of service alone, with braces or as ``set`` lines.

    Raises:
        ParseError: the text is no Junos configuration, or one whose braces do not close.
    """
    cleaned = plain(text)
    root = statements(whole(cleaned) if cleaned.strip() else cleaned)
    if "class-of-service" not in root.children and any(name in root.children for name in _COS):
        root = Statement(0, {"class-of-service": root})
    if not any(name in root.children for name in _KNOWN):
        first = next((line for line in cleaned.split("\n") if line.strip()), "")
        raise ParseError(1 if first else 0, first, "a Junos configuration")
    _apply_groups(root)
    return Config(root, tuple(torn(cleaned)))


def _members(range_: Statement, named: Sequence[str]) -> Iterator[str]:
    """Members of a range: by name, by the numbers in brackets, or those of ``named`` that match a wildcard."""
    for word in range_.get("member").children:
        numbers = re.fullmatch(r"(.*[/:])\[([\d,-]+)\](.*)", word)
        if numbers:
            yield from (f"{numbers[1]}{number}{numbers[3]}" for number in _listed(numbers[2]))
        else:
            yield from (name for name in named if fnmatchcase(name, word)) if "*" in word else (word,)
    for first, rest in range_.get("member-range").children.items():
        last = rest.get("to").word() or first
        start, end = (re.fullmatch(r"(.*?/)(\d{1,4})", name) for name in (first, last))
        if start and end and start[1] == end[1]:
            yield from (f"{start[1]}{number}" for number in range(int(start[2]), int(end[2]) + 1))


def _listed(words: str) -> Iterator[int]:
    """``0-3,7`` as 0, 1, 2, 3, 7."""
    for found in re.finditer(r"(\d{1,4})(?:-(\d{1,4}))?", words):
        yield from range(int(found[1]), int(found[2] or found[1]) + 1)


def _without_members(range_: Statement) -> Statement:
    rest = {name: child for name, child in range_.children.items() if name not in ("member", "member-range")}
    return deepcopy(Statement(range_.line, rest))


def _apply_groups(root: Statement) -> None:
    """Take over what groups say, the first of a list the strongest, at the level where they are applied."""
    groups = root.children.pop("groups", Statement())
    _apply(root, root, groups, [])


def _apply(root: Statement, place: Statement, groups: Statement, path: list[str]) -> None:
    for name in place.get("apply-groups").children:
        _inherit(place, deepcopy(groups.get(name, *path)))
    for name, child in list(place.children.items()):
        if name not in ("apply-groups", "groups"):
            _apply(root, child, groups, [*path, name])


def _inherit(place: Statement, group: Statement) -> None:
    """A wildcard of a group (``<et-*>``) speaks only of what the configuration names itself."""
    wildcards = {name: child for name, child in group.children.items() if name.startswith("<")}
    plainly = Statement(group.line, {name: child for name, child in group.children.items() if name not in wildcards})
    for pattern, child in wildcards.items():
        for _, mine in matching(place.children, pattern):
            _inherit(mine, deepcopy(child))
    for name, child in plainly.children.items():
        if name not in place.children:
            place.children[name] = Statement(child.line)
            _inherit(place.children[name], child)
        elif place.children[name].children:
            _inherit(place.children[name], child)
