"""Forwarding classes and classifiers of Junos: which queue a packet's DSCP and 802.1p put it in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, TrafficClassMap
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.switches.juniper_junos.running_config import Config
from fabric_audit.platforms.switches.juniper_junos.statements import Statement

DSCP_BITS, PCP_BITS = 6, 3
_WIDTHS = {"dscp": DSCP_BITS, "ieee-802.1": PCP_BITS}


@dataclass(frozen=True, slots=True)
class ForwardingClass:
    """One forwarding class; its queue's number is the traffic class."""

    name: str
    queue: int | None
    lossless: bool
    pfc_priority: int | None
    line: int


_DEFAULTS = (
    ForwardingClass("best-effort", 0, lossless=False, pfc_priority=None, line=0),
    ForwardingClass("fcoe", 3, lossless=True, pfc_priority=3, line=0),
    ForwardingClass("no-loss", 4, lossless=True, pfc_priority=4, line=0),
    ForwardingClass("network-control", 7, lossless=False, pfc_priority=None, line=0),
)
"""Unicast forwarding classes of a QFX without configuration (Junos CoS guide, Default CoS Settings)."""


def code_point(bits: str, width: int, line: int) -> int:
    """The number of a code point in binary: ``011010`` is DSCP 26, ``011`` is priority 3.

    Raises:
        ParseError: not so many zeros and ones.
    """
    if len(bits) != width or set(bits) - {"0", "1"}:
        raise ParseError(line, bits, f"a code point of {width} bits")
    return int(bits, 2)


def forwarding_classes(config: Config) -> Mapping[str, ForwardingClass]:
    """Configured classes by name, and those of the defaults whose queue and name nobody took."""
    found: dict[str, ForwardingClass] = {}
    told = config.cos.get("forwarding-classes")
    for name, statement in told.get("class").children.items():
        queue, priority = statement.value("queue-num"), statement.value("pfc-priority")
        lossless = any(word == "no-loss" for word, _ in statement.words())
        found[name] = ForwardingClass(
            name,
            int(queue[0]) if queue and queue[0].isdigit() else None,
            lossless,
            int(priority[0]) if priority and priority[0].isdigit() else None,
            statement.line,
        )
    for number, statement in told.get("queue").children.items():
        name = statement.word() or ""
        found.setdefault(name, ForwardingClass(name, int(number), lossless=False, pfc_priority=None, line=told.line))
    taken = {one.queue for one in found.values()}
    for default in _DEFAULTS:
        if default.queue not in taken:
            found.setdefault(default.name, default)
    return found


def classified(config: Config, port: str, field: str) -> Mapping[int, tuple[str, int]] | None:
    """Code point → (forwarding class, line) by the port's classifier for ``dscp`` or ``ieee-802.1``; None without one.

    Raises:
        ParseError: a code point that is no number of bits.
    """
    named = _bound(config.settings(port), field)
    if named is None:
        return None
    classifier = config.cos.get("classifiers", field, named)
    landed: dict[int, tuple[str, int]] = {}
    for name, statement in classifier.get("forwarding-class").children.items():
        for word, below in statement.words():
            if word == "code-points":
                for bits, at in below.children.items():
                    landed[code_point(bits, _WIDTHS[field], at.line)] = (name, at.line)
    return landed


def _bound(settings: Statement, field: str) -> str | None:
    for word, statement in settings.words():
        if word == "classifiers" and statement.has(field):
            return statement.get(field).word()
    return None


def trust(config: Config, port: str) -> str | None:
    """What classifies packets of a port; None where only the default classifier of its family does."""
    by_dscp, by_pcp = (_bound(config.settings(port), field) is not None for field in _WIDTHS)
    if by_dscp and by_pcp:
        return "dscp_pcp"
    return "dscp" if by_dscp else "pcp" if by_pcp else None


def facts(config: Config) -> Iterator[Answer]:
    """Maps and rewrites of every port."""
    classes = forwarding_classes(config)
    rewritten = False
    bare: dict[str, list[str]] = {DscpMap.TABLE: [], PcpMap.TABLE: []}
    for port, line in config.ports:
        for field, make in (("dscp", _dscp_row), ("ieee-802.1", _pcp_row)):
            if _bound(config.settings(port), field) is None:
                bare[make(port, 0, None, line).TABLE].append(port)
            else:
                yield from _map(config, port, field, classes, line)
        for queue, at in _queues(classes).items():
            yield TrafficClassMap(port=port, traffic_class=queue, queue=queue, line=at or line)
        for answer in _rewrites(config, port, classes):
            rewritten = True
            yield answer
    for table, ports in bare.items():
        if ports:
            words = f"no classifier, and the default one of the family is not printed: {', '.join(ports)}"
            yield Missing(table, Why.NOT_SUPPORTED, words)
    if not rewritten:
        yield Missing(DscpRewrite.TABLE, Why.ABSENT, "no rewrite-rules of DSCP on a port")


def _map(config: Config, port: str, field: str, classes: Mapping[str, ForwardingClass], line: int) -> Iterator[Answer]:
    """Where each value of a field lands; what the classifier leaves out, and does not import, goes to queue 0."""
    make = _dscp_row if field == "dscp" else _pcp_row
    try:
        landed = classified(config, port, field) or {}
    except ParseError as error:
        yield Skipped(error.line, error.text, error.expected)
        return
    imports = config.cos.has("classifiers", field, _bound(config.settings(port), field) or "", "import")
    for value in range(2 ** _WIDTHS[field]):
        name, at = landed.get(value, ("", line))
        left_out = None if imports else 0
        yield make(port, value, left_out if not name else classes[name].queue if name in classes else None, at)


def _queues(classes: Mapping[str, ForwardingClass]) -> Mapping[int, int]:
    """Queues of forwarding classes, with the line of the class."""
    return {one.queue: one.line for one in classes.values() if one.queue is not None}


def _dscp_row(port: str, value: int, queue: int | None, line: int) -> DscpMap | PcpMap:
    return DscpMap(port=port, dscp=value, traffic_class=queue, line=line)


def _pcp_row(port: str, value: int, queue: int | None, line: int) -> DscpMap | PcpMap:
    return PcpMap(port=port, pcp=value, traffic_class=queue, line=line)


def _rewrites(config: Config, port: str, classes: Mapping[str, ForwardingClass]) -> Iterator[Answer]:
    named = next((at.get("dscp").word() for word, at in config.settings(port).words() if word == "rewrite-rules"), None)
    rules = config.cos.get("rewrite-rules", "dscp", named or "")
    for name, statement in rules.get("forwarding-class").children.items():
        one = classes.get(name)
        told = statement.value("code-point")
        if one and one.queue is not None and told:
            try:
                dscp = code_point(told[0], DSCP_BITS, told[1])
            except ParseError as error:
                yield Skipped(error.line, error.text, error.expected)
                continue
            yield DscpRewrite(port=port, traffic_class=one.queue, dscp=dscp, line=told[1])
