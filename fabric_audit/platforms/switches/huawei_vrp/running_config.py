"""The configuration of VRP taken apart: interfaces, and what they refer to by name."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.platforms.code_points import DSCPS, PCPS
from fabric_audit.platforms.indented import Block, blocks, find, last
from fabric_audit.platforms.landings import Landing, by_eights, identical
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.switches.huawei_vrp.lines import BYTES_PER_KB
from fabric_audit.platforms.switches.huawei_vrp.names import members
from fabric_audit.platforms.switches.huawei_vrp.qos import PHBS
from fabric_audit.platforms.text import numbered, plain

_PAGER = re.compile(r"^\s*-+ ?More ?-+(?: {16})?", re.MULTILINE)
_UNITS = {"bytes": 1, "kbytes": BYTES_PER_KB, "mbytes": BYTES_PER_KB**2}
_LIMITS = r"(?:(?P<size>buffer-size )(?P<cell>cell )?)?low-limit (?P<low>\d+) high-limit (?P<high>\d+)"
_SHARE = r" discard-percentage (?P<share>\d{1,3})"
DEFAULT_PRIORITIES = "3"
"""Priorities of a PFC profile without a line ``priority``."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Two thresholds of a drop profile and the probability at the upper one."""

    line: int
    low: int
    high: int
    unit: str
    share: int

    @property
    def never(self) -> bool:
        """At 100 % nothing happens before the queue is full."""
        return self.unit == "%" and self.low >= 100  # noqa: PLR2004 - percent

    @property
    def raw(self) -> str:
        """As a sentence."""
        return f"{self.low} to {self.high} {self.unit}, {self.share} %"


UNSET = Limits(0, 100, 100, "%", 100)
"""Thresholds of a drop profile that says nothing of them."""


@dataclass(frozen=True, slots=True)
class DropProfile:
    """One ``drop-profile``: green packets of WRED, and ECN where it has a line of its own."""

    line: int
    green: Limits = UNSET
    ecn: Limits | None = None
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Watch:
    """What a PFC profile says of deadlocks of one priority."""

    line: int
    detect: int | None = None
    restore: int | None = None


@dataclass(frozen=True, slots=True)
class Pfc:
    """One PFC profile: its lossless priorities, None where a line of it was not understood."""

    line: int | None
    priorities: str | None
    watches: dict[str, Watch] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Share:
    """How one queue is served; the weight is that of its priority group, the share known where it is alone there."""

    line: int
    scheduler: str
    weight: int | None
    weight_pct: float | None


@dataclass(frozen=True, slots=True)
class Domain:
    """One DiffServ domain: where marks go."""

    line: int | None
    dscp: dict[int, Landing]
    pcp: dict[int, Landing]


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration as a whole. What the switch provides by itself, such as profiles called default, is in it."""

    top: tuple[Block, ...]
    ports: dict[str, Block]
    pfc: dict[str, Pfc]
    drops: dict[str, DropProfile]
    ets: dict[str, dict[int, Share]]
    domains: dict[str, Domain]
    version: str | None
    skipped: tuple[Skipped, ...]


def read_config(text: str) -> Config:
    """Take a configuration apart.

    Raises:
        ParseError: the text is no configuration of VRP.
    """
    whole, cut = ended(_PAGER.sub("", plain(text)))
    known = re.search(r"^ *#\s*$", whole, re.MULTILINE) or re.search(r"^return\s*$", whole, re.MULTILINE)
    top = blocks(whole)
    if not known or not top:
        first = next(((n, line) for n, line in numbered(text) if line), (0, ""))
        raise ParseError(*first, "a configuration of VRP, with # between its parts")
    skipped = [*cut]
    version = re.search(r"^!Software Version (\S+)", whole, re.MULTILINE)
    return Config(
        top=top,
        ports=dict(_ports(top, skipped)),
        pfc={"default": Pfc(None, DEFAULT_PRIORITIES), **dict(_pfc(top, skipped))},
        drops={"default": DropProfile(0), **dict(_drops(top, skipped))},
        ets=dict(_ets(top)),
        domains={"default": Domain(None, by_eights(), identical()), **dict(_domains(top, skipped))},
        version=version[1] if version else None,
        skipped=tuple(skipped),
    )


def _ports(top: Sequence[Block], skipped: list[Skipped]) -> Iterator[tuple[str, Block]]:
    """Every interface with its lines, of all its blocks and of the port groups it is a member of."""
    lines: dict[str, int] = {}
    own: dict[str, tuple[Block, ...]] = {}
    named = [(members(found[1]), block) for block, found in find(top, r"interface (?:range )?(.+?)(?: mode l2)?")]
    skipped += [Skipped(block.line, block.text, "an interface with a number") for names, block in named if not names]
    for block, found in find(top, r"port-group (?:group-member )?(.+)"):
        listed = [name for _, words in block.find(r"group-member (.+)") for name in members(words[1])]
        named.append((tuple(listed) or members(found[1]), block))
    for names, block in named:
        for name in names:
            lines.setdefault(name, block.line)
            own[name] = own.get(name, ()) + block.children
    return ((name, Block(lines[name], f"interface {name}", children)) for name, children in own.items())


def _pfc(top: Sequence[Block], skipped: list[Skipped]) -> Iterator[tuple[str, Pfc]]:
    for block, named in find(top, r"dcb pfc(?: ([\w-]+))?"):
        priorities, watches, unread = set[str](), dict[str, Watch](), False
        stated = False
        for line in block.children:
            listed = line.match(r"priority ([0-7](?: [0-7])*)")
            undone = line.match(r"undo priority ([0-7](?: [0-7])*)")
            watch = line.match(
                r"priority ([0-7]) (?:deadlock-(?P<way>detect|recovery) time (?P<time>\d{1,2})"
                r"|(?:turn-off|error-down) threshold \d+)"
            )
            if listed:
                priorities, stated = priorities | set(listed[1]) - {" "}, True
            elif undone:
                stated = True
            elif watch:
                watches[watch[1]] = _watch(watches.get(watch[1], Watch(line.line)), watch)
            elif line.text.startswith("priority"):
                unread = True
                skipped.append(Skipped(line.line, line.text, "`priority 3 4`, or a line of deadlocks of one"))
        told = "".join(sorted(priorities)) if stated else DEFAULT_PRIORITIES
        yield named[1] or "default", Pfc(block.line, None if unread else told, watches)


def _watch(before: Watch, found: re.Match[str]) -> Watch:
    if not found["way"]:
        return before
    time = int(found["time"])
    detect, restore = (time, before.restore) if found["way"] == "detect" else (before.detect, time)
    return Watch(before.line, detect, restore)


def _drops(top: Sequence[Block], skipped: list[Skipped]) -> Iterator[tuple[str, DropProfile]]:
    for block, named in find(top, r"drop-profile (\S+)"):
        green, ecn, readable = UNSET, None, True
        for line in block.children:
            colour = line.match(rf"color (?P<colour>green|yellow|red) {_LIMITS}{_SHARE}")
            marks = line.match(rf"ecn {_LIMITS}{_SHARE}")
            if marks:
                ecn = _limits(line.line, marks)
            elif colour:
                green = _limits(line.line, colour) if colour["colour"] == "green" else green
            elif re.match(r"(color|ecn)\b", line.text):
                readable = False
                skipped.append(Skipped(line.line, line.text, "low-limit, high-limit and discard-percentage"))
        yield named[1], DropProfile(block.line, green, ecn, readable)


def _limits(line: int, found: re.Match[str]) -> Limits:
    unit = "cells" if found["cell"] else "bytes" if found["size"] else "%"
    return Limits(line, int(found["low"]), int(found["high"]), unit, int(found["share"]))


def _ets(top: Sequence[Block]) -> Iterator[tuple[str, dict[int, Share]]]:
    yield "default", _shares(Block(0, ""))
    for block, named in find(top, r"dcb ets-profile (\S+)"):
        yield named[1], _shares(block)


def _shares(block: Block) -> dict[int, Share]:
    weights = {int(found[1]): int(found[2]) for _, found in block.find(r"priority-group (\d+) drr weight (\d+)")}
    strict = {int(found[1]) for _, found in block.find(r"priority-group (\d+) pq")} | {15}
    places = {queue: (group, block.line) for queue, group in _PLACES.items()}
    for line, found in block.find(_MEMBERS):
        places |= dict.fromkeys(listed(found[2]), (int(found[1]), line.line))
    inside = Counter(group for group, _ in places.values())
    total = sum(weights.get(group, 50) for group in inside if group not in strict)
    shares = {}
    for queue, (group, at) in places.items():
        weight = None if group in strict else weights.get(group, 50)
        alone = weight is not None and inside[group] == 1
        share = round(100 * (weight or 0) / total, 2) if alone else None
        shares[queue] = Share(at, "strict" if weight is None else "dwrr", weight, share)
    return shares


_PLACES = {0: 0, 1: 0, 2: 0, 3: 1, 4: 0, 5: 0, 6: 15, 7: 15}
"""Queue → priority group of an ETS profile that says nothing of the queue."""
_MEMBERS = r"priority-group (\d+) queue ([0-7](?: to [0-7])?(?: [0-7](?: to [0-7])?)*)"


def listed(text: str) -> tuple[int, ...]:
    """``0 to 2 4`` as 0, 1, 2, 4."""
    numbers: list[int] = []
    for found in re.finditer(r"(\d+)(?: to (\d+))?", text):
        numbers.extend(range(int(found[1]), int(found[2] or found[1]) + 1))
    return tuple(numbers)


def _domains(top: Sequence[Block], skipped: list[Skipped]) -> Iterator[tuple[str, Domain]]:
    for block, named in find(top, r"diffserv domain (\S+)"):
        dscp, pcp = by_eights(), identical()
        for line in block.children:
            found = line.match(r"(ip-dscp|8021p)-inbound (\d{1,2}(?: to \d{1,2}| \d{1,2})*) phb (\S+)(?: \S+)?")
            marks, values = (dscp, DSCPS) if line.text.startswith("ip-dscp") else (pcp, PCPS)
            told = listed(found[2]) if found else ()
            if found and found[3] in PHBS and all(value in values for value in told):
                marks.update(dict.fromkeys(told, Landing(PHBS[found[3]], line.line)))
            elif re.match(r"(ip-dscp|8021p)-inbound\b", line.text):
                skipped.append(Skipped(line.line, line.text, "`ip-dscp-inbound 24 phb af3 green`"))
                marks.update({value: Landing(None, line.line) for value in values})
        yield named[1], Domain(block.line, dscp, pcp)


def sized(number: str, unit: str | None, usual: str) -> int:
    """A size with its unit, in bytes."""
    return int(number) * _UNITS[unit or usual]


def said(block: Block, pattern: str) -> tuple[Block, re.Match[str]] | None:
    """The last line of a block that matches as a whole."""
    return last(block.children, pattern)
