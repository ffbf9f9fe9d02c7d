"""The configuration of Comware taken apart: ports with their lines, WRED tables, priority maps."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from fabric_audit.errors import ParseError
from fabric_audit.platforms.code_points import DSCPS, PCPS, code_points
from fabric_audit.platforms.indented import Block, blocks, find
from fabric_audit.platforms.landings import Landing, by_eights
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.switches.h3c_comware.lines import first_line, is_prompt
from fabric_audit.platforms.switches.h3c_comware.names import NAME, canonical, expanded
from fabric_audit.platforms.text import plain

_PAGER = re.compile(r"^\s*-+ ?More ?-+(?: {16})?", re.MULTILINE)
_FLAT = (r"interface |sysname |qos wred queue table |qos map-table |vlan |version |lldp global ",)
_KNOWN = (
    rf"interface (?:range )?{NAME}.*|sysname \S+|qos (?:wred queue table|map-table) \S+|version \d+\.\d+\.\d+.*"
    r"|priority-flow-control (?:enable|auto|no-drop|deadlock|poolid)\b.*"
)
_LIMITS = r"low-limit (?P<low>\d{1,7}) high-limit (?P<high>\d{1,7})(?: discard-probability (?P<share>\d{1,3}))?"
_DEFAULT_MAP = {0: 2, 1: 0, 2: 1, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7}


@dataclass(frozen=True, slots=True)
class Wred:
    """WRED of one queue: thresholds of green packets in cells, and whether it marks; None where it cannot be told."""

    line: int
    low: int | None = 100
    high: int | None = 1000
    share: int | None = 10
    ecn: bool | None = False

    @property
    def raw(self) -> str | None:
        """Thresholds as a sentence. Comware prints no unit; they are cells of the hardware."""
        return f"{self.low} to {self.high} cells, {self.share} %" if self.low is not None else None


@dataclass(frozen=True, slots=True)
class Table:
    """One WRED table; it holds for all queues of a port, also those it says nothing of."""

    line: int
    queues: dict[int, Wred]


@dataclass(frozen=True, slots=True)
class Port:
    """One port with all lines that hold for it, in order."""

    line: int
    lines: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration as a whole."""

    top: tuple[Block, ...]
    ports: dict[str, Port]
    tables: dict[str, Table]
    dscp: dict[int, Landing]
    """DSCP → local precedence."""
    pcp: dict[int, Landing]
    """802.1p → local precedence."""
    skipped: tuple[Skipped, ...]


@dataclass(slots=True)
class _Skips:
    found: list[Skipped] = field(default_factory=list)

    def add(self, line: Block, expected: str) -> None:
        self.found.append(Skipped(line.line, line.text, expected))


def read_config(text: str) -> Config:
    """Take a configuration apart.

    Raises:
        ParseError: the text is no configuration of Comware.
    """
    whole, cut = ended(_PAGER.sub("", plain(text).replace("\xa0", " ")))
    parted = re.search(r"^#\s*$", whole, re.MULTILINE)
    top = blocks(_leftmost(whole), flat_depths=() if parted else _FLAT)
    if not any(block.match(_KNOWN) for block in top):
        raise ParseError(*first_line(text), "a configuration of Comware")
    skips = _Skips(list(cut))
    pcp, dscp = _maps(top, skips)
    return Config(
        top=top,
        ports=_ports(top, skips),
        tables=dict(_tables(top, skips)),
        dscp=dscp,
        pcp=pcp,
        skipped=tuple(skips.found),
    )


def _leftmost(text: str) -> str:
    """Each part between two # moved to the left: Comware indents lines that hold for the switch by one blank."""
    moved: list[str] = []
    depth: int | None = None
    for line in text.split("\n"):
        if re.fullmatch(r"#\s*", line) or is_prompt(line):
            depth = None
            moved.append("")
            continue
        if depth is None and line.strip() and not is_noise(line):
            depth = len(line) - len(line.lstrip())
        moved.append(line[depth:] if depth and not line[:depth].strip() else line)
    return "\n".join(moved)


def _ports(top: Sequence[Block], skips: _Skips) -> dict[str, Port]:
    ports: dict[str, Port] = {}
    for block, found in find(top, r"interface (range )?(.+)"):
        try:
            names = list(expanded(found[2], block.line)) if found[1] else [canonical(found[2])]
        except ParseError as error:
            skips.add(block, error.expected)
            continue
        for name in names:
            known = ports.get(name, Port(block.line, ()))
            ports[name] = replace(known, lines=known.lines + block.children)
    return ports


def wred(before: Wred | None, line: Block, rest: str) -> Wred | None:
    """The WRED of a queue after one more line of it, such as ``ecn``; None where the line has an unknown form."""
    known = before or Wred(line.line)
    limits = re.fullmatch(rf"(?:drop-level (?P<level>[0-2]) )?{_LIMITS}", rest)
    if rest == "ecn":
        return replace(known, ecn=True)
    if re.fullmatch(r"weighting-constant \d{1,2}", rest):
        return known
    if limits is None:
        return None
    if limits["level"] in ("1", "2"):
        return known
    share = int(limits["share"]) if limits["share"] else 10
    return replace(known, line=line.line, low=int(limits["low"]), high=int(limits["high"]), share=share)


def _tables(top: Sequence[Block], skips: _Skips) -> Iterator[tuple[str, Table]]:
    for block, named in find(top, r"qos wred queue table (\S+)"):
        queues: dict[int, Wred] = {}
        for line, found in block.find(r"queue ([0-7]) (.+)"):
            queue = int(found[1])
            told = wred(queues.get(queue), line, found[2])
            if told is None:
                skips.add(line, "ecn, or low-limit, high-limit and discard-probability")
            queues[queue] = told or Wred(line.line, None, None, None, ecn=None)
        yield named[1], Table(block.line, queues)


def _maps(top: Sequence[Block], skips: _Skips) -> tuple[dict[int, Landing], dict[int, Landing]]:
    pcp = {value: Landing(target) for value, target in _DEFAULT_MAP.items()} | _map(top, "dot1p-lp", PCPS, skips)
    direct = _map(top, "dscp-lp", DSCPS, skips)
    marks = by_eights() | _map(top, "dscp-dot1p", DSCPS, skips)
    return pcp, {dscp: direct.get(dscp) or _through(mark, pcp) for dscp, mark in marks.items()}


def _through(mark: Landing, pcp: dict[int, Landing]) -> Landing:
    if mark.target is None or mark.target not in pcp:
        return Landing(None, mark.line)
    return Landing(pcp[mark.target].target, mark.line or pcp[mark.target].line)


def _map(top: Sequence[Block], name: str, values: range, skips: _Skips) -> dict[int, Landing]:
    landed: dict[int, Landing] = {}
    for block, _ in find(top, rf"qos map-table {name}"):
        for line in block.children:
            found = line.match(r"import (\d[\d ,-]*?) export ([0-7])")
            try:
                told = code_points(found[1], line.line, values) if found else ()
            except ParseError:
                told = ()
            if found and told:
                landed |= dict.fromkeys(told, Landing(int(found[2]), line.line))
            else:
                skips.add(line, "`import 26 export 3`")
                landed |= dict.fromkeys(values, Landing(None, line.line))
    return landed
