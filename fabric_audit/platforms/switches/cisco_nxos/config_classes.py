"""Classification in a running configuration of NX-OS: which group a packet's DSCP and CoS put it in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, TrafficClassMap
from fabric_audit.platforms.code_points import DSCPS, PCPS, code_points
from fabric_audit.platforms.indented import Block, last
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.switches.cisco_nxos.running_config import Config, Port

_GROUPS = range(8)
_SERVICE = r"service-policy type qos input (\S+)(?: no-stats)?"
_CLASS = r"class (?:type qos )?(\S+)"


@dataclass(frozen=True, slots=True)
class Landing:
    """The group a value lands in, None where it cannot be told; and the line that says so."""

    group: int | None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Classes:
    """One policy resolved: where every DSCP and every CoS lands, and the DSCP that is written.

    Attributes:
        dscps, pcps: landings by value.
        rewrites: group → DSCP written, with its line.
        by_dscp, by_pcp: whether the policy looks at the field at all.
        unread: lines that were not understood, and policies that are not there.
    """

    dscps: Mapping[int, Landing]
    pcps: Mapping[int, Landing]
    rewrites: Mapping[int, tuple[int, int]]
    by_dscp: bool
    by_pcp: bool
    unread: tuple[Skipped | BrokenReference, ...] = ()

    @property
    def trust(self) -> str | None:
        """What classifies packets, in the words of ``interface.trust_mode``; None where that cannot be told."""
        if any(at.group is None for at in self.dscps.values()):
            return None
        if self.by_dscp and self.by_pcp:
            return "dscp_pcp"
        return "dscp" if self.by_dscp else "pcp" if self.by_pcp else "none"


UNCLASSIFIED = Classes(
    dict.fromkeys(DSCPS, Landing(0)), dict.fromkeys(PCPS, Landing(0)), {}, by_dscp=False, by_pcp=False
)
"""Without a policy of type qos everything is in group 0, which is what the default policy does."""


def classes_of(config: Config, port: Port) -> Classes:
    """The classification of a port: its own policy, else the one of ``system qos``, else the default."""
    named = last(port.governing, _SERVICE) or last(config.system, _SERVICE)
    if not named:
        return UNCLASSIFIED
    policy = config.policy("qos", named[1][1])
    if policy is None:
        unknown = dict.fromkeys(DSCPS, Landing(None, named[0].line))
        broken = BrokenReference(
            owner=port.name, field="service-policy type qos", target=f"policy-map {named[1][1]}", line=named[0].line
        )
        pcps = {pcp: unknown[pcp] for pcp in PCPS}
        return Classes(unknown, pcps, {}, by_dscp=False, by_pcp=False, unread=(broken,))
    return _resolved(config, policy)


def _resolved(config: Config, policy: Block) -> Classes:
    """The first class that matches a value decides; one that also matches by something else may take any packet."""
    dscps, pcps = dict(UNCLASSIFIED.dscps), dict(UNCLASSIFIED.pcps)
    open_dscps, open_pcps = set(DSCPS), set(PCPS)
    rewrites: dict[int, tuple[int, int]] = {}
    by_dscp = by_pcp = False
    unread: list[Skipped] = []
    for entry, named in policy.find(_CLASS):
        group = last(entry.children, r"set qos-group (\d)")
        written = last(entry.children, r"set (?:ip )?dscp (\S+)")
        matched = _matched(config, named[1], unread)
        landing = Landing(int(group[1][1]), group[0].line) if group else Landing(0, entry.line)
        if matched is None:
            landing = Landing(None, entry.line)
        taken_dscps, taken_pcps = matched or (open_dscps, open_pcps)
        dscps |= dict.fromkeys(open_dscps & taken_dscps, landing)
        pcps |= dict.fromkeys(open_pcps & taken_pcps, landing)
        if named[1] != "class-default":
            by_dscp, by_pcp = by_dscp or bool(taken_dscps), by_pcp or bool(taken_pcps)
        if written and landing.group is not None:
            rewrites[landing.group] = (code_points(written[1][1], written[0].line)[0], written[0].line)
        open_dscps, open_pcps = open_dscps - taken_dscps, open_pcps - taken_pcps
    return Classes(dscps, pcps, rewrites, by_dscp=by_dscp, by_pcp=by_pcp, unread=tuple(unread))


def _matched(config: Config, name: str, unread: list[Skipped]) -> tuple[set[int], set[int]] | None:
    """The DSCP and CoS values a class takes; None where it takes packets by something else."""
    if name == "class-default":
        return set(DSCPS), set(PCPS)
    found = config.class_lines("qos", name)
    if found is None:
        return None
    how, lines = found
    dscps: set[int] = set()
    pcps: set[int] = set()
    for line in lines:
        matched = line.match(r"match (?:ip )?(dscp|cos) (.+)")
        try:
            values = code_points(matched[2], line.line, DSCPS if matched[1] == "dscp" else PCPS) if matched else ()
        except ParseError as error:
            unread.append(Skipped(line.line, line.text, error.expected))
            return None
        if not matched:
            return None
        (dscps if matched[1] == "dscp" else pcps).update(values)
    return None if how == "all" and dscps and pcps else (dscps, pcps)


def facts(config: Config) -> Iterator[Answer]:
    """Maps and rewrites of every front panel port; a qos-group is both the traffic class and the queue."""
    told: set[Skipped | BrokenReference] = set()
    rewritten = False
    unresolved = []
    for port in config.subjects:
        classes = classes_of(config, port)
        yield from (line for line in classes.unread if line not in told)
        told.update(classes.unread)
        for dscp, at in classes.dscps.items():
            yield DscpMap(port=port.name, dscp=dscp, traffic_class=at.group, line=at.line or port.line)
        for pcp, at in classes.pcps.items():
            yield PcpMap(port=port.name, pcp=pcp, traffic_class=at.group, line=at.line or port.line)
        for group in _GROUPS:
            yield TrafficClassMap(port=port.name, traffic_class=group, queue=group, line=port.line)
        for group, (dscp, line) in classes.rewrites.items():
            rewritten = True
            yield DscpRewrite(port=port.name, traffic_class=group, dscp=dscp, line=line)
        if any(at.group is None for at in classes.dscps.values()):
            unresolved.append(port.name)
    if unresolved:
        words = f"a class of the policy matches by something else than DSCP and CoS: {', '.join(unresolved)}"
        yield Missing(DscpMap.TABLE, Why.NOT_SUPPORTED, words, "traffic_class")
    if not rewritten:
        yield Missing(DscpRewrite.TABLE, Why.ABSENT, "no `set dscp` in a policy of a port")
