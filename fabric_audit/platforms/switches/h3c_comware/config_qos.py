"""PFC, watchdogs, buffers and queues of one port of a Comware configuration."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import PfcPriorityMap, Queue
from fabric_audit.platforms.code_points import PCPS, code_points
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.h3c_comware.running_config import Config, Port, Wred, wred

_KBIT = 1000
_QUEUES = {"be": 0, "af1": 1, "af2": 2, "af3": 3, "af4": 4, "ef": 5, "cs6": 6, "cs7": 7}
_QUEUE = r"(be|af[1-4]|ef|cs[67]|[0-7])"
_SWITCH = r"priority-flow-control (enable|auto)"
_LIST = r"priority-flow-control no-drop dot1p ([0-7](?:-[0-7])?(?:[ ,]+[0-7](?:-[0-7])?)*)"
_PER_PRIORITY = r"priority-flow-control dot1p ([0-7]) (headroom|ingress-buffer dynamic) (\d{1,7})"
_SORTED = rf"qos (?:wfq|wrr) {_QUEUE} group (?:(sp)|\d(?: (?:byte-count|weight) (\d{{1,3}}))?)"
_INLINE = r"qos wred queue ([0-7]) (.+)"
_OTHER = (
    r"priority-flow-control (?:deadlock|early-warning|dscp-mapping|pause-time|config-style)\b.*"
    r"|priority-flow-control dot1p [0-7] (?:ingress-buffer static|ingress-threshold-offset|reserved-buffer)\b.*"
    r"|undo priority-flow-control.*|qos (?:wfq|wrr)(?: (?:byte-count|weight))?|qos sp|qos wred apply \S+"
    r"|qos trust (?:dscp|dot1p|none|auto|tunnel-dot1p)(?: override)?"
)


@dataclass(frozen=True, slots=True)
class Lossless:
    """PFC of one port; None where a line of it was not understood."""

    mode: str | None
    priorities: str | None
    line: int

    @property
    def sure(self) -> bool | None:
        """Whether a priority of the list is lossless: by DCBX it depends on the neighbour."""
        return {"on": True, "off": False}.get(self.mode or "")


def unread(lines: Sequence[Block]) -> tuple[Block, ...]:
    """Lines of PFC, trust, ECN and scheduling in an unknown form."""
    asked = r"(?:undo )?(?:priority-flow-control|qos (?:trust|wred|wfq|wrr|sp))\b.*"
    return tuple(line for line, _ in find(lines, asked) if not _is_read(line))


def _is_read(line: Block) -> bool:
    inline = line.match(_INLINE)
    if inline:
        return wred(None, line, inline[2]) is not None
    return any(line.match(form) for form in (_SWITCH, _LIST, _PER_PRIORITY, _SORTED, _OTHER))


def skipped(port: Port) -> Iterator[Answer]:
    """Those lines as skipped."""
    for line in unread(port.lines):
        yield Skipped(line.line, line.text, "a line of PFC, trust, ECN or scheduling as Comware writes it")


def lossless(port: Port, config: Config) -> Lossless:
    """PFC of a port: its own lines, else those of the switch."""
    doubtful = any("priority-flow-control" in line.text for line in unread(port.lines))
    own, common = last(port.lines, _SWITCH), last(config.top, _SWITCH)
    undone = last(port.lines, r"undo priority-flow-control(?: enable| auto)?")
    switch = own or (None if undone else common)
    lists = last(port.lines, _LIST) or last(config.top, _LIST)
    mode = {"enable": "on", "auto": "auto"}[switch[1][1]] if switch else "off"
    line = switch[0].line if switch else undone[0].line if undone else port.line
    if doubtful:
        return Lossless(None, None, line)
    listed = code_points(lists[1][1], lists[0].line, PCPS) if lists else ()
    told = "".join(str(priority) for priority in sorted(set(listed)))
    return Lossless(mode, told if mode != "off" else "", line)


def pfc(name: str, port: Port, config: Config) -> Iterator[Answer]:
    """PFC of one port, its watchdogs and its buffers: rows also where it is off."""
    told = lossless(port, config)
    yield PfcPort(
        port=name,
        mode=told.mode,
        admin_priorities=told.priorities,
        source="current-configuration",
        line=told.line,
    )
    for priority in PCPS:
        landed = config.pcp[priority]
        yield PfcPriorityMap(port=name, priority=priority, queue=landed.target, line=landed.line or port.line)
        yield _buffer(name, priority, port, told)
    for digit in told.priorities or "":
        yield from _watchdog(name, int(digit), port, config)


def _buffer(name: str, priority: int, port: Port, told: Lossless) -> PriorityGroup:
    inside = None if told.priorities is None else str(priority) in told.priorities
    row = PriorityGroup(port=name, pg=priority, lossless=told.sure if inside else inside, line=port.line)
    for line, found in find(port.lines, _PER_PRIORITY):
        if int(found[1]) == priority and found[2] == "headroom":
            row = replace(row, headroom_buffers=int(found[3]), line=line.line)
        elif int(found[1]) == priority:
            row = replace(row, alpha_raw=found[3], line=line.line)
    return row


def _watchdog(name: str, priority: int, port: Port, config: Config) -> Iterator[Answer]:
    """One row per lossless priority: detection goes by the local precedence, which is the queue."""
    queue = config.pcp[priority].target
    if queue is None:
        return
    on = last(port.lines, r"priority-flow-control deadlock enable")
    by_hand = last(port.lines, r"priority-flow-control deadlock recover-mode manual")
    discards = last(config.top, r"priority-flow-control deadlock auto-recover action discard")
    yield PfcWatchdog(
        port=name,
        queue=queue,
        enabled=on is not None,
        action=("drop" if discards else "forward") if on else None,
        restore_ms=0 if on and by_hand else None,
        line=on[0].line if on else port.line,
    )


def queues(name: str, port: Port, config: Config) -> Iterator[Answer]:
    """Scheduling, WRED and ECN of each queue of one port."""
    told = lossless(port, config)
    applied = last(port.lines, r"qos wred apply (\S+)")
    table = config.tables.get(applied[1][1]) if applied else None
    if applied and table is None:
        target = f"qos wred queue table {applied[1][1]}"
        yield BrokenReference(owner=name, field="qos wred apply", target=target, line=applied[0].line)
    doubtful = any(line.text.startswith("qos") for line in unread(port.lines))
    own = _inline(port)
    for queue in range(8):
        row = Queue(port=name, queue=queue, lossless=_paused(queue, told, config), line=port.line)
        row = _limited(_served(row, port), port)
        if doubtful:
            yield replace(row, scheduler=None, weight_pct=None)
        elif queue in own:
            yield _dropping(row, own[queue])
        elif applied:
            usual = Wred(table.line) if table else None
            yield _dropping(row, table.queues.get(queue, usual) if table else None)
        else:
            yield replace(row, ecn=False, wred_drops=False)


def _paused(queue: int, told: Lossless, config: Config) -> bool | None:
    if told.priorities is None:
        return None
    stopped = any(config.pcp[int(digit)].target == queue for digit in told.priorities)
    return told.sure if stopped else False


def _inline(port: Port) -> dict[int, Wred]:
    told: dict[int, Wred] = {}
    for line, found in find(port.lines, _INLINE):
        made = wred(told.get(int(found[1])), line, found[2])
        if made:
            told[int(found[1])] = made
    return told


def _dropping(row: Queue, told: Wred | None) -> Queue:
    """A queue with WRED: its thresholds are cells, of a size that the configuration does not tell."""
    if told is None:
        return row
    share = float(told.share) if told.ecn and told.share is not None else None
    return replace(row, ecn=told.ecn, wred_drops=not told.ecn, ecn_mark_pct=share, ecn_raw=told.raw, line=told.line)


def _served(row: Queue, port: Port) -> Queue:
    """The scheduler, where a line tells it; without one it differs by series."""
    fair = last(port.lines, r"qos wfq(?: (?:byte-count|weight))?|qos wrr(?: (?:byte-count|weight))?")
    if last(port.lines, r"qos sp"):
        return replace(row, scheduler="strict")
    groups = [(line, found, _QUEUES.get(found[1], -1)) for line, found in find(port.lines, _SORTED)]
    places = {queue if queue >= 0 else int(found[1]): (line, found) for line, found, queue in groups}
    if row.queue in places:
        line, found = places[row.queue]
        row = replace(row, scheduler="strict" if found[2] else "dwrr", line=line.line)
    elif fair:
        row = replace(row, scheduler="dwrr", line=fair[0].line)
    if row.scheduler != "dwrr" or not (fair and fair[0].text.startswith("qos wfq")):
        return row
    weights = {
        queue: int(places[queue][1][3] or 1) if queue in places else 1
        for queue in range(8)
        if queue not in places or not places[queue][1][2]
    }
    return replace(row, weight_pct=round(100 * weights[row.queue] / sum(weights.values()), 2))


def _limited(row: Queue, port: Port) -> Queue:
    for line, found in find(port.lines, rf"qos gts queue {_QUEUE} cir (\d{{1,9}})(?: .*)?"):
        queue = _QUEUES[found[1]] if found[1] in _QUEUES else int(found[1])
        if queue == row.queue:
            row = replace(row, rate_limit_bps=int(found[2]) * _KBIT, line=line.line)
    return row


def trust(port: Port) -> str | None:
    """What classifies packets; None where a line of it was not understood."""
    if any(re.match(r"(undo )?qos trust", line.text) for line in unread(port.lines)):
        return None
    found = last(port.lines, r"qos trust (dscp|dot1p|none)(?: override)?")
    return {"dscp": "dscp", "dot1p": "pcp"}.get(found[1][1], "port") if found else "port"
