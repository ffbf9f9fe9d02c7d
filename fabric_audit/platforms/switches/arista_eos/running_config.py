"""The running configuration of EOS taken apart: global lines, and each interface with the lines that govern it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.platforms.indented import Block, blocks, find, last
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.arista_eos.names import canonical, expanded, kind
from fabric_audit.platforms.text import plain, whole

_OPENERS = (r"(int[a-z]*|qos profile|class-map|policy-map|router|vlan|management) ", r"(uc-|mc-)?tx-queue |class ")
_KNOWN = r"interface |int |qos |priority-flow-control |hostname |policy-map |class-map |port-channel |vlan |router "


@dataclass(frozen=True, slots=True)
class Port:
    """One interface of the configuration.

    Attributes:
        name: canonical name.
        line: line of its header.
        own: the lines below its header.
        governing: lines that decide its QoS, the later the stronger: those of its profile, its own, then those of
            the profile of the port-channel it is a member of, and the port-channel's own.
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

    def has(self, kind_of_block: str, name: str) -> bool:
        """Whether a block of the top level has this name."""
        return any(find(self.top, rf"{kind_of_block} {re.escape(name)}"))

    @property
    def physical(self) -> tuple[Port, ...]:
        """The front panel ports."""
        return tuple(port for port in self.ports if port.physical)

    def port(self, name: str) -> Port | None:
        """An interface by its canonical name."""
        return next((port for port in self.ports if port.name == name), None)


def read_config(text: str) -> Config:
    """Take a configuration apart. Of one that ends in the middle of a line, the last block is left out.

    Raises:
        ParseError: the text is no EOS configuration, or a whole one that was cut.
    """
    cleaned = plain(text)
    top = _blocks(cleaned)
    if not _ended(top):
        if re.search(r"^! Command: show running-config( all)?$", cleaned, re.MULTILINE):
            last_line = cleaned.rstrip().rpartition("\n")[2]
            raise ParseError(
                cleaned.rstrip().count("\n") + 1, last_line, "`end`, the last line of a whole configuration"
            )
        top = _blocks(whole(cleaned))
        top = top[:-1] if _torn(cleaned) else top
    if not any(re.match(_KNOWN, block.text) for block in top):
        raise ParseError(top[0].line if top else 0, top[0].text if top else "", "an EOS running configuration")
    ports, skipped = _ports(top)
    torn = _torn(cleaned) if not _ended(top) else ()
    return Config(cleaned, top, ports, (*skipped, *torn))


def _blocks(text: str) -> tuple[Block, ...]:
    return blocks(text, ends_of_text=_end_of_free_text, flat_depths=_OPENERS)


def _end_of_free_text(line: str) -> str | None:
    return "EOF" if line == "comment" or line.startswith("banner ") else None


def _ended(top: tuple[Block, ...]) -> bool:
    return any(block.text == "end" for block in top[-2:])


def _torn(text: str) -> tuple[Skipped, ...]:
    rest = text.rpartition("\n")[2]
    if not rest.strip():
        return ()
    return (Skipped(text.count("\n") + 1, rest, "a line that ends with a newline: its block was cut"),)


def _ports(top: tuple[Block, ...]) -> tuple[tuple[Port, ...], tuple[Skipped, ...]]:
    profiles = {found[1]: block.children for block, found in find(top, r"qos profile (\S+)")}
    lines: dict[str, int] = {}
    own: dict[str, tuple[Block, ...]] = {}
    skipped = []
    for block, found in find(top, r"int(?:erface|erfac|erfa|erf|er|e)? (\S.*)"):
        words = re.sub(r"(?<=\d) - (?=\d)", "-", found[1])
        names = expanded(words, block.line) if re.search(r",|\d-\d", words) else (canonical(words),)
        if not all(re.search(r"\d", name) for name in names) and words != "defaults":
            skipped.append(Skipped(block.line, block.text, "an interface with a number"))
            continue
        for name in names:
            own[name] = own.get(name, ()) + block.children
            lines.setdefault(name, block.line)
    own.pop("defaults", None)
    return tuple(_port(name, lines[name], own, profiles) for name in own), tuple(skipped)


def _port(
    name: str, line: int, own: Mapping[str, tuple[Block, ...]], profiles: Mapping[str, tuple[Block, ...]]
) -> Port:
    group = last(own[name], r"channel-group (\d+) mode \S+")
    aggregate = f"Port-Channel{group[1][1]}" if group else None
    shared = own.get(aggregate, ()) if aggregate else ()
    governing = (*_profile(own[name], profiles), *own[name], *_profile(shared, profiles), *shared)
    return Port(name, line, own[name], governing, aggregate)


def _profile(lines: tuple[Block, ...], profiles: Mapping[str, tuple[Block, ...]]) -> tuple[Block, ...]:
    named = last(lines, r"service-profile (\S+)")
    return profiles.get(named[1][1], ()) if named else ()


def unread(blocks: Iterator[Block], pattern: str, known: str, expected: str) -> Iterator[Skipped]:
    """Lines of a kind that is read here (``pattern``) in a form that is not (``known``)."""
    for block in blocks:
        if re.match(pattern, block.text) and not re.fullmatch(known, block.text):
            yield Skipped(block.line, block.text, expected)
