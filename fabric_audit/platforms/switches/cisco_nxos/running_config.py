"""The running configuration of NX-OS taken apart: global lines, and each interface with the lines that govern it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.platforms.indented import Block, blocks, find, last
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.cisco_nxos.names import expanded, kind
from fabric_audit.platforms.text import plain, whole

_OPENERS = (r"(class-map|policy-map|interface|vlan|router|line|vrf context) |system qos", r"class ")
_KNOWN = r"interface |system qos|class-map |policy-map |priority-flow-control |hostname |switchname |feature |vlan "


@dataclass(frozen=True, slots=True)
class Port:
    """One interface of the configuration.

    Attributes:
        name: canonical name.
        line: line of its header.
        own: the lines below its header.
        governing: its own lines, then those of the port-channel it is a member of; the later are the stronger.
        aggregate: the port-channel it is a member of.
    """

    name: str
    line: int
    own: tuple[Block, ...]
    governing: tuple[Block, ...]
    aggregate: str | None

    @property
    def physical(self) -> bool:
        """A front panel port."""
        return kind(self.name) == "physical"


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration: its text, its top-level lines, every interface, and what was not understood."""

    text: str
    top: tuple[Block, ...]
    ports: tuple[Port, ...]
    skipped: tuple[Skipped, ...]

    @property
    def physical(self) -> tuple[Port, ...]:
        """The front panel ports."""
        return tuple(port for port in self.ports if port.physical)

    @property
    def subjects(self) -> tuple[Port, ...]:
        """The front panel ports; where a whole text names none, ``system qos`` itself stands for all of them."""
        system = next((block for block, _ in find(self.top, "system qos")), None)
        if self.physical or system is None or self.skipped:
            return self.physical
        return (Port("system qos", system.line, (), (), None),)

    def port(self, name: str) -> Port | None:
        """An interface by its canonical name."""
        return next((port for port in self.ports if port.name == name), None)

    @property
    def system(self) -> tuple[Block, ...]:
        """The lines below ``system qos``, which hold for every port."""
        return tuple(line for top, _ in find(self.top, "system qos") for line in top.children)

    def policy(self, kind_of_policy: str, name: str) -> Block | None:
        """A policy-map of one type by its name; types are qos, queuing and network-qos."""
        typed = rf"(?:type {kind_of_policy} )" + ("?" if kind_of_policy == "qos" else "")
        return next((block for block, _ in find(self.top, rf"policy-map {typed}{re.escape(name)}")), None)

    def class_lines(self, kind_of_class: str, name: str) -> tuple[str, Sequence[Block]] | None:
        """How a class-map matches (``any`` or ``all``) and its lines; None for one that is not there."""
        typed = rf"(?:type {kind_of_class} )" + ("?" if kind_of_class == "qos" else "")
        for block, found in find(self.top, rf"class-map {typed}(?:match-(any|all) )?{re.escape(name)}"):
            return found[1] or "all", block.children
        return None


def read_config(text: str) -> Config:
    """Take a configuration apart. Of one that ends in the middle of a line, the last block is left out.

    NX-OS prints no last line by which a whole configuration could be known.

    Raises:
        ParseError: the text is no NX-OS configuration.
    """
    cleaned = plain(text)
    top = _blocks(whole(cleaned))
    rest = cleaned.rpartition("\n")[2]
    skipped: tuple[Skipped, ...] = ()
    if rest.strip():
        expected = "a line that ends with a newline: its block was cut"
        skipped = (Skipped(cleaned.count("\n") + 1, rest, expected),)
        top = top[:-1]
    if not any(re.match(_KNOWN, block.text) for block in top):
        raise ParseError(top[0].line if top else 0, top[0].text if top else "", "an NX-OS running configuration")
    return Config(cleaned, top, _ports(top), (*skipped, *_unnamed(top)))


def _blocks(text: str) -> tuple[Block, ...]:
    return blocks(text, ends_of_text=_end_of_free_text, flat_depths=_OPENERS)


def _end_of_free_text(line: str) -> str | None:
    """A banner ends with the character it began with, which may stand at the end of its first line."""
    found = re.match(r"banner \w+ (\S)(.*)", line)
    return found[1] if found and found[1] not in found[2] else None


def _ports(top: Sequence[Block]) -> tuple[Port, ...]:
    lines: dict[str, int] = {}
    own: dict[str, tuple[Block, ...]] = {}
    for block, found in find(top, r"interface (.+)"):
        for name in expanded(found[1]):
            own[name] = own.get(name, ()) + block.children
            lines.setdefault(name, block.line)
    return tuple(_port(name, lines[name], own) for name in own)


def _unnamed(top: Sequence[Block]) -> tuple[Skipped, ...]:
    """Headers of interfaces that are none: what stands below them governs nobody knows what."""
    headers = find(top, r"(?i)interface ((?:eth|po|vlan|loop|mgmt|nve)\S* ?\d.*)")
    expected = "an interface, or a range such as Ethernet1/1-4"
    return tuple(Skipped(block.line, block.text, expected) for block, found in headers if not expanded(found[1]))


def _port(name: str, line: int, own: Mapping[str, tuple[Block, ...]]) -> Port:
    group = last(own[name], r"channel-group (\d+)(?: force)?(?: mode \S+)?")
    aggregate = f"port-channel{group[1][1]}" if group else None
    return Port(name, line, own[name], (*own[name], *own.get(aggregate or "", ())), aggregate)
