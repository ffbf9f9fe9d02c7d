"""The configuration of OS10 taken apart: ports with their lines, and the maps and policies they refer to by name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fabric_audit.errors import ParseError
from fabric_audit.platforms.code_points import DSCPS, PCPS, code_points
from fabric_audit.platforms.indented import Block, blocks, find, last
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.switches.dell_os10.names import NAME, canonical, expanded
from fabric_audit.platforms.text import numbered, plain

_FLAT = (
    r"interface |hostname |class-map |policy-map |trust (?:dot1p|dscp)-map |qos-map |wred |system qos|vlt-domain ",
    r"class ",
)
_KNOWN = (
    rf"interface (?:range )?{NAME}.*|class-map type (?:queuing|network-qos|qos) .*|policy-map type .*|hostname \S+"
    r"|trust (?:dot1p|dscp)-map .*|qos-map traffic-class .*|system qos|wred \S+|dcbx enable"
)
_FTOS = r"dcb-map \S+|interface range (?:ten|fortyGigE|TenGigabitEthernet).*|dcb enable"
_PAUSE = r"pause(?: buffer-size (\d+))?(?: pause-threshold (\d+) resume-threshold (\d+))?"
_DETECT = (
    r"random-detect color (green|yellow|red) minimum-threshold (\d+) maximum-threshold (\d+)"
    r"(?: drop-probability (\d{1,3}))?"
)


Landed: TypeAlias = Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Pause:
    """What a network-qos policy says of one qos-group: PFC for some priorities, sizes in KB."""

    line: int
    group: int
    priorities: tuple[int, ...] = ()
    paused: bool = False
    size: int | None = None
    stop: int | None = None
    go: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """What a queuing policy says of one queue; ``profile`` is that of WRED."""

    line: int
    scheduler: str | None = None
    percent: int | None = None
    profile: str | None = None


@dataclass(frozen=True, slots=True)
class Wred:
    """One WRED profile: thresholds of green packets in KB."""

    line: int
    low: int | None = None
    high: int | None = None
    share: int | None = None
    ecn: bool = False


@dataclass(frozen=True, slots=True)
class Port:
    """One port with all lines that hold for it, in order."""

    line: int
    lines: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration as a whole. A policy or map with a line that was not understood is None.

    A map leads from a value to what it becomes, and the line that says so.
    """

    top: tuple[Block, ...]
    ports: dict[str, Port]
    system: tuple[Block, ...]
    pauses: dict[str, tuple[Pause, ...] | None]
    shares: dict[str, dict[int, Share] | None]
    wred: dict[str, Wred | None]
    trust: dict[tuple[str, str], Landed | None]
    queues: dict[str, Landed | None]
    skipped: tuple[Skipped, ...]


@dataclass(slots=True)
class _Skips:
    found: list[Skipped] = field(default_factory=list)

    def add(self, line: Block, expected: str) -> None:
        self.found.append(Skipped(line.line, line.text, expected))

    def inside(self, block: Block) -> bool:
        """Whether a line of this block is among them."""
        below = _numbers(block)
        return any(skipped.line in below for skipped in self.found)


def _numbers(block: Block) -> set[int]:
    return {block.line}.union(*(_numbers(child) for child in block.children))


def _free_text(line: str) -> str | None:
    found = re.fullmatch(r"banner (?:motd|login) (\S)\S*", line)
    return found[1] if found else None


def read_config(text: str) -> Config:
    """Take a configuration apart.

    Raises:
        ParseError: the text is no configuration of OS10.
    """
    whole, cut = ended(plain(text))
    top = blocks(whole, ends_of_text=_free_text, flat_depths=_FLAT)
    older = next((block for block, _ in find(top, _FTOS)), None)
    if older:
        raise ParseError(older.line, older.text, "a configuration of OS10, not of the older FTOS 9")
    if not any(block.match(_KNOWN) for block in top):
        first = next(((n, line) for n, line in numbered(text) if line), (0, ""))
        raise ParseError(*first, "a configuration of OS10")
    skips = _Skips(list(cut))
    return Config(
        top=top,
        ports=_ports(top, skips),
        system=tuple(line for block, _ in find(top, r"system qos") for line in block.children),
        pauses=dict(_pauses(top, skips)),
        shares=dict(_shares(top, skips)),
        wred=dict(_wred(top, skips)),
        trust=dict(_trust(top, skips)),
        queues=dict(_queues(top, skips)),
        skipped=tuple(skips.found),
    )


def _ports(top: Sequence[Block], skips: _Skips) -> dict[str, Port]:
    ports: dict[str, Port] = {}
    for block, found in find(top, r"interface (range )?((?!breakout\b)[a-z-]+ ?\d.*)"):
        try:
            names = list(expanded(found[2], block.line)) if found[1] else [canonical(found[2])]
        except ParseError as error:
            skips.add(block, error.expected)
            continue
        for name in names:
            known = ports.get(name, Port(block.line, ()))
            ports[name] = replace(known, lines=known.lines + block.children)
    return ports


def _matches(top: Sequence[Block], sort: str, word: str) -> dict[str, tuple[int, ...]]:
    """Class → the queues or qos-groups it matches."""
    matched = {}
    for block, named in find(top, rf"class-map type {sort} (?:match-\w+ )?(\S+)"):
        line = last(block.children, rf"match {word} (\d[\d,-]*)")
        try:
            matched[named[1]] = code_points(line[1][1], line[0].line, PCPS) if line else ()
        except ParseError:
            matched[named[1]] = ()
    return matched


def _pauses(top: Sequence[Block], skips: _Skips) -> Iterator[tuple[str, tuple[Pause, ...] | None]]:
    matched = _matches(top, "network-qos", "qos-group")
    for block, named in find(top, r"policy-map type network-qos (\S+)"):
        made: list[Pause] = []
        for inside, of in block.find(r"class (?:type network-qos )?(\S+)"):
            made.extend(_pause(inside, group, skips) for group in matched.get(of[1], ()))
        yield named[1], None if skips.inside(block) else tuple(made)


def _pause(block: Block, group: int, skips: _Skips) -> Pause:
    row = Pause(block.line, group)
    for line in block.children:
        paused, listed = line.match(_PAUSE), line.match(r"pfc-cos (\d[\d,-]*)")
        if paused:
            size, stop, go = (int(value) if value else None for value in paused.groups())
            row = replace(row, line=line.line, paused=True, size=size, stop=stop, go=go)
        elif listed:
            try:
                row = replace(row, priorities=code_points(listed[1], line.line, PCPS))
            except ParseError as error:
                skips.add(line, error.expected)
        elif re.match(r"(pause|pfc-cos)\b", line.text):
            skips.add(line, "`pause buffer-size 45 pause-threshold 30 resume-threshold 30`, `pfc-cos 3`")
    return row


def _shares(top: Sequence[Block], skips: _Skips) -> Iterator[tuple[str, dict[int, Share] | None]]:
    matched = _matches(top, "queuing", "queue")
    for block, named in find(top, r"policy-map type queuing (\S+)"):
        shares: dict[int, Share] = {}
        for inside, of in block.find(r"class (?:type queuing )?(\S+)"):
            made = _share(inside, skips)
            shares |= dict.fromkeys(matched.get(of[1], ()), made)
        yield named[1], None if skips.inside(block) else shares


def _share(block: Block, skips: _Skips) -> Share:
    row = Share(block.line)
    for line in block.children:
        percent, profile = line.match(r"bandwidth percent (\d{1,3})"), line.match(r"random-detect (\S+)")
        if percent:
            row = replace(row, line=line.line, scheduler="dwrr", percent=int(percent[1]))
        elif line.match(r"priority"):
            row = replace(row, line=line.line, scheduler="strict")
        elif profile:
            row = replace(row, profile=profile[1])
        elif re.match(r"(bandwidth|priority|random-detect)\b", line.text):
            skips.add(line, "`bandwidth percent 50`, `priority` or `random-detect PROFILE`")
    return row


def _wred(top: Sequence[Block], skips: _Skips) -> Iterator[tuple[str, Wred | None]]:
    for block, named in find(top, r"wred (\S+)"):
        row = Wred(block.line)
        for line in block.children:
            found = line.match(_DETECT)
            if line.match(r"random-detect ecn"):
                row = replace(row, ecn=True)
            elif found and found[1] == "green":
                row = replace(
                    row,
                    line=line.line,
                    low=int(found[2]),
                    high=int(found[3]),
                    share=int(found[4]) if found[4] else None,
                )
            elif not found and not line.match(r"random-detect weight \d{1,2}"):
                skips.add(line, "`random-detect color green minimum-threshold 150 maximum-threshold 1500`")
        yield named[1], None if skips.inside(block) else row


def _trust(top: Sequence[Block], skips: _Skips) -> Iterator[tuple[tuple[str, str], Landed | None]]:
    for block, named in find(top, r"trust (dot1p|dscp)-map (\S+)"):
        values = DSCPS if named[1] == "dscp" else PCPS
        yield (named[1], named[2]), _landings(block, rf"qos-group ([0-7]) {named[1]} (\d[\d, -]*)", values, skips)


def _queues(top: Sequence[Block], skips: _Skips) -> Iterator[tuple[str, Landed | None]]:
    for block, named in find(top, r"qos-map traffic-class (\S+)"):
        yield named[1], _landings(block, r"queue ([0-7]) qos-group (\d[\d,-]*)(?: type ucast)?", PCPS, skips)


def _landings(block: Block, pattern: str, values: range, skips: _Skips) -> Landed | None:
    """Value → (what it becomes, line)."""
    landed: dict[int, tuple[int, int]] = {}
    for line in block.children:
        found = line.match(pattern)
        try:
            told = code_points(found[2], line.line, values) if found else ()
        except ParseError:
            told = ()
        if found and told:
            landed |= dict.fromkeys(told, (int(found[1]), line.line))
        elif not line.text.endswith("type mcast"):
            skips.add(line, "`qos-group 3 dot1p 3`, or `queue 3 qos-group 3`")
    return None if skips.inside(block) else landed
