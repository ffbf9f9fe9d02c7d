"""Where DSCP, 802.1p and traffic classes land: the global maps and the policies of EOS."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, TrafficClassMap
from fabric_audit.platforms.code_points import DSCPS, PCPS, code_points
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.switches.arista_eos.running_config import Config, Port

DEFAULT_DSCP_TO_TC = (1,) * 8 + (0,) * 8 + tuple(dscp // 8 for dscp in range(16, 64))
DEFAULT_COS_TO_TC = (1, 0, 2, 3, 4, 5, 6, 7)
_TO_CLASS = r"qos map (dscp|cos) (\d.*?|[a-z].*?) to traffic-class ([0-7])(?: drop-precedence \d)?"
_TO_QUEUE = r"qos map traffic-class ([0-7](?: [0-7])*) to (?:uc-)?tx-queue ([0-7])"
_TO_DSCP = r"qos map traffic-class ([0-7](?: [0-7])*) to dscp (\d{1,2})"
_NOT_READ_HERE = (
    r"qos map (exp .*|traffic-class .+ to (cos|exp|mc-tx-queue|priority-group|drop-precedence) .+|.+ name .+)"
)


@dataclass(frozen=True, slots=True)
class _Landing:
    """What a value becomes, None where it cannot be told; and the line that says so, None for a default."""

    target: int | None
    line: int | None = None


_Landings = dict[int, _Landing]


def facts(config: Config) -> Iterator[Answer]:
    """Maps and rewrites of every front panel port."""
    unread = tuple(_unread(config.top))
    yield from unread
    dscps = _classes(config.top, "dscp", DEFAULT_DSCP_TO_TC, unread)
    pcps = _classes(config.top, "cos", DEFAULT_COS_TO_TC, unread)
    queues = _queues(config.top, unread)
    rewrites = tuple(_rewrites(config.top))
    if not rewrites:
        yield Missing(DscpRewrite.TABLE, Why.ABSENT, "no `qos rewrite dscp` with a map: DSCP leaves as it came")
    unresolved = []
    for port in config.physical:
        placed = _dscps(config, port, dscps)
        if any(at.target is None for at in placed.values()):
            unresolved.append(port.name)
        for dscp, at in placed.items():
            yield DscpMap(port=port.name, dscp=dscp, traffic_class=at.target, line=at.line or port.line)
        for pcp, at in pcps.items():
            yield PcpMap(port=port.name, pcp=pcp, traffic_class=at.target, line=at.line or port.line)
        for tc, at in queues.items():
            yield TrafficClassMap(port=port.name, traffic_class=tc, queue=at.target, line=at.line or port.line)
        for tc, at in rewrites:
            yield DscpRewrite(port=port.name, traffic_class=tc, dscp=at.target, line=at.line)
    if unresolved:
        words = f"a class of the policy, or a line of the map, does not resolve to DSCP values: {', '.join(unresolved)}"
        yield Missing(DscpMap.TABLE, Why.NOT_SUPPORTED, words, "traffic_class")


def _unread(top: Sequence[Block]) -> Iterator[Skipped]:
    expected = "qos map dscp|cos|traffic-class VALUES to TARGET N"
    for block, found in find(top, r"qos map\b.*"):
        mapped = re.fullmatch(_TO_CLASS, block.text)
        if not mapped:
            if not re.fullmatch(f"{_TO_QUEUE}|{_TO_DSCP}|{_NOT_READ_HERE}", found[0]):
                yield Skipped(block.line, block.text, expected)
            continue
        try:
            code_points(mapped[2], block.line, DSCPS if mapped[1] == "dscp" else PCPS)
        except ParseError as error:
            yield Skipped(block.line, block.text, error.expected)


def _defaults(values: Sequence[int], kind: str, unread: Sequence[Skipped]) -> _Landings:
    """Defaults of a map; they cannot be relied on where a line of the same kind was not understood."""
    doubtful = any(line.text.startswith(f"qos map {kind}") for line in unread)
    return {value: _Landing(None if doubtful else target) for value, target in enumerate(values)}


def _classes(top: Sequence[Block], kind: str, values: Sequence[int], unread: Sequence[Skipped]) -> _Landings:
    landings = _defaults(values, kind, unread)
    skipped = {line.line for line in unread}
    for block, found in find(top, _TO_CLASS):
        if found[1] == kind and block.line not in skipped:
            points = code_points(found[2], block.line, DSCPS if kind == "dscp" else PCPS)
            landings |= dict.fromkeys(points, _Landing(int(found[3]), block.line))
    return landings


def _queues(top: Sequence[Block], unread: Sequence[Skipped]) -> _Landings:
    landings = _defaults(range(8), "traffic-class", unread)
    for block, found in find(top, _TO_QUEUE):
        landings |= dict.fromkeys(map(int, found[1].split()), _Landing(int(found[2]), block.line))
    return landings


def _rewrites(top: Sequence[Block]) -> Iterator[tuple[int, _Landing]]:
    """The map from traffic class to DSCP is in force only where rewriting is on."""
    if last(top, "qos rewrite dscp"):
        for block, found in find(top, _TO_DSCP):
            for traffic_class in found[1].split():
                yield int(traffic_class), _Landing(int(found[2]), block.line)


def _dscps(config: Config, port: Port, landings: _Landings) -> _Landings:
    policy = last(port.governing, r"service-policy type qos input (\S+)")
    return _through_policy(config.top, policy[1][1], landings) if policy else landings


def _through_policy(top: Sequence[Block], name: str, landings: _Landings) -> _Landings:
    """What a policy makes of the map: the first class that matches decides.

    A class that matches by access list, VLAN or the like may take any packet: what no class before it took
    cannot be told any more.
    """
    found = next(
        (block for block, _ in find(top, rf"policy-map type (qos|quality-of-service) {re.escape(name)}")), None
    )
    if found is None:
        return {dscp: _Landing(None) for dscp in landings}
    placed = dict(landings)
    open_dscps = set(landings)
    for entry, named in found.find(r"class (?:built-in )?(\S+)"):
        target = last(entry.children, r"set traffic-class ([0-7])")
        taken = open_dscps if named[1] == "class-default" else _matched(top, named[1])
        for dscp in open_dscps & (taken if taken is not None else open_dscps):
            if taken is None:
                placed[dscp] = _Landing(None, entry.line)
            elif target:
                placed[dscp] = _Landing(int(target[1][1]), target[0].line)
        if taken is None:
            break
        open_dscps -= taken
    return placed


def _matched(top: Sequence[Block], name: str) -> set[int] | None:
    """The DSCP values a class matches, None where it matches by something else too."""
    dscps: set[int] = set()
    for block, _ in find(top, rf"class-map type (?:qos|quality-of-service) match-\w+ {re.escape(name)}"):
        for line in block.children:
            matched = line.match(r"match (?:ip |ipv6 )?dscp (.+)")
            if not matched:
                return None
            dscps |= set(code_points(matched[1], line.line))
    return dscps or None
