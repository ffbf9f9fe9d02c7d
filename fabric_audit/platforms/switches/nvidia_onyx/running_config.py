"""The running configuration of Onyx taken apart: global lines, and each interface with its own.

Onyx writes a line for each setting, with the interface in front: ``interface ethernet 1/1 mtu 9216 force``. Guides
write blocks. Both become the same; ``no`` takes a line back, and ``force`` says nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.switches.nvidia_onyx.names import expanded, is_noise
from fabric_audit.platforms.text import numbered, plain

_INTERFACE = re.compile(
    r"interface (?P<word>ethernet|port-channel|mlag-port-channel|vlan|loopback|nve|mgmt\d?)(?: (?P<numbers>[\d/,-]+))?"
    r"(?: (?P<rest>.*))?"
)
_GLOBAL = re.compile(
    r"(no )?(dcb|roce|traffic|hostname|lldp|vlan|ip|protocol|port-channel|mlag|qos|snmp|ntp|interface) ?.*"
)


@dataclass(frozen=True, slots=True)
class Said:
    """One line without its interface, ``no`` and ``force``."""

    line: int
    text: str
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration: its global lines, those of each interface by canonical name, and what was not understood."""

    top: tuple[Said, ...]
    ports: dict[str, tuple[Said, ...]]
    skipped: tuple[Skipped, ...]


@dataclass(slots=True)
class _Reader:
    top: list[Said] = field(default_factory=list)
    ports: dict[str, list[Said]] = field(default_factory=dict)
    here: tuple[str, ...] = ()


def read_config(text: str) -> Config:
    """Take a configuration apart.

    Raises:
        ParseError: the text is no configuration of Onyx.
    """
    lines, cut = ended(plain(text))
    reader, known = _Reader(), False
    for number, line in numbered(lines):
        content = re.sub(r"^.*\(config[^)]*\) # ", "", line.strip())
        if not content or content.startswith("#") or is_noise(content):
            continue
        known = known or _GLOBAL.fullmatch(content) is not None
        _take(reader, content, number)
    if not known:
        first = next(((n, row) for n, row in numbered(text) if row), (0, ""))
        raise ParseError(*first, "a running configuration of Onyx")
    return Config(tuple(reader.top), {name: tuple(said) for name, said in reader.ports.items()}, cut)


def _take(reader: _Reader, content: str, number: int) -> None:
    found = _INTERFACE.fullmatch(content)
    if found:
        named = expanded(found["word"], found["numbers"] or "0", number)
        for port in named:
            reader.ports.setdefault(port, [])
        reader.here = () if found["rest"] else named
        for port in named if found["rest"] else ():
            reader.ports[port].append(_said(found["rest"], number))
    elif content == "exit":
        reader.here = ()
    elif reader.here:
        for port in reader.here:
            reader.ports[port].append(_said(content, number))
    else:
        reader.top.append(_said(content, number))


def _said(content: str, number: int) -> Said:
    bare = content.removesuffix(" force")
    return Said(number, bare.removeprefix("no "), undone=bare.startswith("no "))


def last(lines: Sequence[Said], pattern: str) -> tuple[Said, re.Match[str]] | None:
    """The last line that matches as a whole; None where there is none, or it was taken back."""
    found = None
    for said, match in each(lines, pattern):
        found = None if said.undone else (said, match)
    return found


def each(lines: Sequence[Said], pattern: str) -> Iterator[tuple[Said, re.Match[str]]]:
    """Every line that matches as a whole, in order."""
    compiled = re.compile(pattern)
    for said in lines:
        match = compiled.fullmatch(said.text)
        if match:
            yield said, match
