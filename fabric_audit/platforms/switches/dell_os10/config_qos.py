"""PFC, maps and queues of one port of an OS10 configuration."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import DscpMap, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.platforms.code_points import DSCPS, PCPS
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.dell_os10.running_config import Config, Landed, Pause, Port, Share, Wred

BYTES_PER_KB = 1024
_MODE = r"priority-flow-control mode on"
_PAUSES = r"service-policy input type network-qos (\S+)"
_SHARES = r"service-policy output type queuing (\S+)"
_QUEUES = r"qos-map traffic-class (\S+)"
_TRUST = r"trust-map (dot1p|dscp) (\S+)"
_OTHER = (
    r"no priority-flow-control(?: mode)?|ets mode (?:on|off)|no ets mode|service-policy input type qos \S+"
    r"|service-policy input type (?:control-plane|application) \S+"
)


@dataclass(frozen=True, slots=True)
class Lossless:
    """PFC of one port: what its network-qos policy pauses; None where that cannot be told."""

    mode: str | None
    pauses: tuple[Pause, ...] | None
    line: int

    @property
    def priorities(self) -> str | None:
        """Ascending digits."""
        if self.pauses is None:
            return None
        return "".join(sorted({str(value) for pause in self.pauses for value in pause.priorities if pause.paused}))


def unread(lines: Sequence[Block]) -> tuple[Block, ...]:
    """Lines of PFC, trust, maps and scheduling in an unknown form."""
    asked = r"(?:no )?(?:priority-flow-control|service-policy|trust-map|qos-map|ets)\b.*"
    forms = (_MODE, _PAUSES, _SHARES, _QUEUES, _TRUST, _OTHER)
    return tuple(line for line, _ in find(lines, asked) if not any(line.match(form) for form in forms))


def skipped(port: Port) -> Iterator[Answer]:
    """Those lines as skipped."""
    for line in unread(port.lines):
        yield Skipped(line.line, line.text, "a line of PFC, trust, maps or scheduling as OS10 writes it")


def _doubtful(port: Port, *words: str) -> bool:
    return any(re.match(word, line.text) for line in unread(port.lines) for word in words)


def _said(port: Port, config: Config, pattern: str) -> tuple[Block, re.Match[str]] | None:
    """A line of the port, else of ``system qos``."""
    return last(port.lines, pattern) or last(config.system, pattern)


def _lossless(port: Port, config: Config) -> Lossless:
    if _doubtful(port, r"(no )?priority-flow-control", r"service-policy input type network"):
        return Lossless(None, None, port.line)
    switched = last(port.lines, _MODE)
    undone = last(port.lines, r"no priority-flow-control(?: mode)?")
    if switched is None or (undone and undone[0].line > switched[0].line):
        return Lossless("off", (), undone[0].line if undone else port.line)
    policy = _said(port, config, _PAUSES)
    return Lossless("on", config.pauses.get(policy[1][1]) if policy else (), switched[0].line)


def pfc(name: str, port: Port, config: Config) -> Iterator[Answer]:
    """PFC of one port, the queues it stops and the buffers it protects: a row also where it is off."""
    told = _lossless(port, config)
    policy = _said(port, config, _PAUSES)
    if policy and policy[1][1] not in config.pauses:
        target = f"policy-map type network-qos {policy[1][1]}"
        yield BrokenReference(owner=name, field="service-policy network-qos", target=target, line=policy[0].line)
    yield PfcPort(port=name, mode=told.mode, admin_priorities=told.priorities, source="running-config", line=told.line)
    queues = _queue_map(port, config)
    lossless = {pause.group: pause for pause in told.pauses or () if pause.paused and pause.priorities}
    for group in PCPS if told.pauses is not None else ():
        yield _buffer(name, port, group, lossless.get(group))
    for pause in lossless.values():
        for priority in pause.priorities:
            queue = queues.get(pause.group, (None, None))[0]
            yield PfcPriorityMap(port=name, priority=priority, queue=queue, pg=pause.group, line=pause.line)


def _buffer(name: str, port: Port, group: int, pause: Pause | None) -> PriorityGroup:
    """The configuration sets ingress buffers by qos-group: its number is that of the priority group here."""
    if pause is None:
        return PriorityGroup(port=name, pg=group, lossless=False, line=port.line)
    return PriorityGroup(
        port=name,
        pg=group,
        lossless=True,
        size_bytes=_bytes(pause.size),
        pause_at_bytes=_bytes(pause.stop),
        xon_bytes=_bytes(pause.go),
        line=pause.line,
    )


def _bytes(size: int | None) -> int | None:
    return None if size is None else size * BYTES_PER_KB


def trust(port: Port, config: Config) -> str | None:
    """What classifies packets: OS10 trusts nothing unless a map is bound."""
    if _doubtful(port, r"(no )?trust-map"):
        return None
    found = _said(port, config, _TRUST)
    return {"dscp": "dscp", "dot1p": "pcp"}[found[1][1]] if found else "none"


def maps(name: str, port: Port, config: Config) -> Iterator[Answer]:
    """Where marks land: only those that are trusted lead anywhere, all others to qos-group 0."""
    found = _said(port, config, _TRUST)
    if found and found[1][2] != "default" and (found[1][1], found[1][2]) not in config.trust:
        target = f"trust {found[1][1]}-map {found[1][2]}"
        yield BrokenReference(owner=name, field="trust-map", target=target, line=found[0].line)
    for word in ("dscp", "dot1p"):
        if found is None or found[1][1] == word:
            yield from _landed(name, port, word, found, config)
    for group, (queue, line) in _queue_map(port, config).items():
        yield TrafficClassMap(port=name, traffic_class=group, queue=queue, pg=group, line=line or port.line)


def _landed(
    name: str, port: Port, word: str, found: tuple[Block, re.Match[str]] | None, config: Config
) -> Iterator[Answer]:
    """Values that no line of a map lists are in qos-group 0. The default map of 802.1p is not published alike."""
    table: Landed | None = config.trust.get((word, found[1][2])) if found else {}
    if _doubtful(port, r"(no )?trust-map"):
        table = None
    for value in DSCPS if word == "dscp" else PCPS:
        group: int | None
        line: int | None
        group, line = table.get(value, (0, 0)) if table is not None else (None, None)
        if table is None and word == "dscp" and found and found[1][2] == "default":
            group = value // 8
        at = line or (found[0].line if found else port.line)
        if word == "dscp":
            yield DscpMap(port=name, dscp=value, traffic_class=group, line=at)
        else:
            yield PcpMap(port=name, pcp=value, traffic_class=group, line=at)


def _queue_map(port: Port, config: Config) -> dict[int, tuple[int | None, int | None]]:
    found = _said(port, config, _QUEUES)
    if found is None and not _doubtful(port, r"(no )?qos-map"):
        return {group: (group, None) for group in PCPS}
    table = config.queues.get(found[1][1]) if found and not _doubtful(port, r"(no )?qos-map") else None
    line = found[0].line if found else port.line
    return {group: (table or {}).get(group, (None, line)) for group in PCPS}


def queues(name: str, port: Port, config: Config) -> Iterator[Answer]:
    """Scheduling, WRED and ECN of each queue of one port."""
    policy, mapped = _said(port, config, _SHARES), _said(port, config, _QUEUES)
    told = _lossless(port, config)
    for found, field, known in (
        (policy, "service-policy queuing", config.shares),
        (mapped, "qos-map", config.queues),
    ):
        if found and found[1][1] not in known:
            word = "policy-map type queuing" if field.endswith("queuing") else "qos-map traffic-class"
            yield BrokenReference(owner=name, field=field, target=f"{word} {found[1][1]}", line=found[0].line)
    shares = config.shares.get(policy[1][1]) if policy else {}
    unknown = shares is None or _doubtful(port, r"service-policy")
    stopped = _stopped(told, port, config)
    for queue in range(8):
        lossless = None if stopped is None else queue in stopped
        row = Queue(port=name, queue=queue, lossless=lossless, line=port.line)
        if unknown:
            yield row
        else:
            yield from _queue(replace(row, ecn=False, wred_drops=False), (shares or {}).get(queue), config)


def _stopped(told: Lossless, port: Port, config: Config) -> set[int | None] | None:
    if told.pauses is None:
        return None
    mapped = _queue_map(port, config)
    return {mapped.get(pause.group, (None, None))[0] for pause in told.pauses if pause.paused and pause.priorities}


def _queue(row: Queue, share: Share | None, config: Config) -> Iterator[Answer]:
    if share is None:
        yield row
        return
    percent = float(share.percent) if share.percent is not None else None
    row = replace(row, scheduler=share.scheduler, weight_pct=percent, line=share.line)
    if share.profile is None:
        yield row
        return
    profile = config.wred.get(share.profile)
    if share.profile not in config.wred:
        owner = f"{row.port}|{row.queue}"
        yield BrokenReference(owner=owner, field="random-detect", target=f"wred {share.profile}", line=share.line)
    yield _detecting(row, profile) if profile else replace(row, ecn=None, wred_drops=None)


def _detecting(row: Queue, profile: Wred) -> Queue:
    low, high = _bytes(profile.low), _bytes(profile.high)
    return replace(
        row,
        ecn=profile.ecn,
        wred_drops=not profile.ecn,
        ecn_min_bytes=low if profile.ecn else None,
        ecn_max_bytes=high if profile.ecn else None,
        ecn_mark_pct=float(profile.share) if profile.ecn and profile.share is not None else None,
        ecn_raw=f"{profile.low} to {profile.high} KB" if profile.low is not None else None,
        line=profile.line,
    )
