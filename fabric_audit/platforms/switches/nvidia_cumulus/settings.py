"""A configuration of NVUE as a tree of settings, whichever of its forms it comes in.

``nv set qos pfc default-global switch-priority 3`` is the path qos, pfc, default-global, switch-priority, 3: a value
is the last step of its path, as in YAML ``switch-priority: {3: {}}`` and ``mode: lossless`` alike.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.documents import nodes
from fabric_audit.documents.read import read_text
from fabric_audit.errors import ParseError
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.text import numbered, plain

_KNOWN = ("interface", "qos", "system", "bridge", "router", "vrf", "nve", "service", "platform", "evpn", "acl", "mlag")
_DEEPEST = 40


@dataclass(slots=True)
class Setting:
    """One step of a path: what stands below it, and the line that says so first."""

    line: int = 0
    below: dict[str, "Setting"] = field(default_factory=dict)

    def at(self, *path: str) -> "Setting | None":
        """The setting at a path below; None where the configuration is silent."""
        here: Setting | None = self
        for name in path:
            here = here.below.get(name) if here else None
        return here

    def value(self, *path: str) -> str | None:
        """The value at a path below; the last one where several lines say one."""
        found = self.at(*path)
        return next(reversed(found.below), None) if found else None

    def line_of(self, *path: str) -> int | None:
        """The line that says the value at a path below, or the path itself."""
        found = self.at(*path)
        if found is None:
            return None
        last = next(reversed(found.below.values()), None)
        return (last.line if last else 0) or found.line or None

    def add(self, path: list[str], line: int) -> None:
        """Enter a path."""
        here = self
        for name in path:
            here = here.below.setdefault(name, Setting(line))


@dataclass(frozen=True, slots=True)
class Settings:
    """A configuration, and the lines that were not understood."""

    root: Setting
    skipped: tuple[Skipped, ...]


def from_commands(text: str) -> Settings:
    """``nv config show -o commands``: a line each, starting with ``nv set``.

    Raises:
        ParseError: there is no such line.
    """
    lines, cut = ended(plain(text))
    root, skipped = Setting(), []
    for number, line in numbered(lines):
        content = line.strip()
        if content.startswith("nv set "):
            root.add(_words(content)[2:], number)
        elif content and not is_noise(line) and not re.match(r"#|nv config (apply|save)\b", content):
            skipped.append(Skipped(number, content, "nv set ..."))
    if not root.below:
        first = next(((n, row) for n, row in numbered(text) if row), (0, ""))
        raise ParseError(*first, "lines that start with `nv set`")
    return Settings(root, (*skipped, *cut))


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def from_yaml(text: str) -> Settings:
    """``nv config show``, or a ``startup.yaml``: a list with ``set``, or what stands below it.

    Raises:
        ParseError: the text is no YAML, was cut, or sets nothing that NVUE knows.
    """
    document = read_text("configuration", plain(text))
    if document.faults:
        fault = document.faults[0]
        raise ParseError(fault.line, fault.problem, "YAML that is whole")
    top = document.root.value
    listed = top if isinstance(top, tuple) else (document.root,)
    root = Setting()
    for one in listed:
        told = one.below("set") or one
        if isinstance(told.value, Mapping) and any(_filled(told.below(name)) for name in _KNOWN):
            _enter(root, told, 0)
    if not root.below:
        raise ParseError(1, text.strip().partition("\n")[0], f"`- set:` with {', '.join(_KNOWN[:4])}, ...")
    return Settings(root, ())


def _filled(node: nodes.Node | None) -> bool:
    return node is not None and isinstance(node.value, Mapping)


def _enter(setting: Setting, node: nodes.Node, depth: int) -> None:
    if depth > _DEEPEST:
        raise ParseError(node.place.line, "...", f"no more than {_DEEPEST} levels")
    for name, child, line in _members(node):
        below = setting.below.setdefault(name, Setting(line))
        _enter(below, child, depth + 1)


def _members(node: nodes.Node) -> Iterator[tuple[str, nodes.Node, int]]:
    empty = nodes.Node(node.place, None)
    if isinstance(node.value, Mapping):
        yield from ((name, child, node.keys[name].line) for name, child in node.value.items())
    elif isinstance(node.value, tuple):
        yield from ((str(child.value), empty, child.place.line) for child in node.value)
    elif isinstance(node.value, bool):
        yield ("on" if node.value else "off"), empty, node.place.line
    elif node.value is not None:
        yield str(node.value), empty, node.place.line
