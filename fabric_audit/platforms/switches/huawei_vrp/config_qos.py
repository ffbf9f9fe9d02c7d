"""PFC, watchdogs, buffers and queues of one port of a VRP configuration."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.huawei_vrp.running_config import (
    Config,
    DropProfile,
    Limits,
    Pfc,
    Watch,
    listed,
    said,
    sized,
)

_PRIORITIES = "01234567"
_ENABLE = r"dcb pfc enable(?: (?!mode )(?P<profile>[\w-]+))?(?: mode (?P<mode>auto|manual))?"
_SIZE = r"(\d+)(?: (bytes|kbytes|mbytes|cells))?"
_BUFFER = (
    rf"dcb pfc buffer (?P<queue>[0-7]) (?:guaranteed {_SIZE}|hdrm {_SIZE}"
    rf"|xoff (?:static {_SIZE}|dynamic (\d+))(?: xon offset {_SIZE})?"
    rf"|xon static {_SIZE} xoff static {_SIZE}|xon dynamic (\d+) xoff dynamic (\d+))"
)
_WRED = r"qos queue (?P<queue>[0-7]) wred (?P<profile>\S+)"
_MODES = r"qos (?P<kinds>(?:pq|drr)(?: \d(?: to \d)?)+(?: (?:pq|drr)(?: \d(?: to \d)?)+)*)"
_WEIGHT = r"qos queue ([0-7]) drr weight (\d{1,3})"
_ASK = r"(dcb pfc (?:enable|buffer)|dcb ets|trust|qos (?:pq|drr|wred)|qos queue [0-7] (?:wred|ecn|drr))\b.*"
_READ = (
    _ENABLE,
    _BUFFER,
    _WRED,
    _MODES,
    _WEIGHT,
    r"qos wred \S+",
    r"qos queue [0-7] ecn",
    r"dcb ets enable(?: \S+)?",
    r"trust (?:dscp|8021p|none|upstream \S+)(?: (?:inner|outer|override))*",
)


@dataclass(frozen=True, slots=True)
class Common:
    """What holds for every port."""

    off: Block | None
    watched: bool
    unit_ms: int
    detect_ms: int | None
    restore_ms: int | None
    computed: dict[int, int]
    """Queue with AI ECN → line that says so."""


def common(config: Config) -> Common:
    """The global lines of PFC, deadlocks and AI ECN."""
    top = config.top
    switched = last(top, r"dcb pfc global disable(?: .*)?")
    unit = last(top, r"dcb pfc deadlock-detect interval (\d+)")
    detect, restore = (last(top, rf"dcb pfc deadlock-{way} timer (\d+)") for way in ("detect", "recovery"))
    watched = any(
        [
            unit is not None,
            detect is not None,
            restore is not None,
            last(top, r"dcb pfc deadlock recovery-behavior .*") is not None,
            any(profile.watches for profile in config.pfc.values()),
            any(said(block, r"port pfc-deadlock trigger .*") for block in config.ports.values()),
        ]
    )
    return Common(
        off=switched[0] if switched else None,
        watched=watched,
        unit_ms=int(unit[1][1]) if unit else 10,
        detect_ms=int(detect[1][1]) if detect else None,
        restore_ms=int(restore[1][1]) if restore else None,
        computed=dict(_computed(config)),
    )


def _computed(config: Config) -> Iterator[tuple[int, int]]:
    for service, _ in find(config.top, r"ai-service"):
        for marks, _ in service.find(r"ai-ecn"):
            if said(marks, r"ai-ecn enable"):
                for line, found in marks.find(r"assign queue ([0-7])(?: model \S+)?"):
                    yield int(found[1]), line.line


def unread(block: Block) -> Iterator[Answer]:
    """Lines of PFC, trust, ECN and scheduling in an unknown form."""
    for line in _unread(block):
        yield Skipped(line.line, line.text, "a line of PFC, trust, ECN or scheduling as VRP V300 writes it")


def trust_is_clear(block: Block) -> bool:
    """No line of what a port trusts is in an unknown form."""
    return not any(line.text.startswith("trust") for line in _unread(block))


def _unread(block: Block) -> tuple[Block, ...]:
    return tuple(line for line, _ in block.find(_ASK) if not any(line.match(form) for form in _READ))


def _profile(block: Block, config: Config, shared: Common) -> tuple[Pfc | None, re.Match[str] | None]:
    """The PFC profile of a port, None where it cannot be told; and the line that switches PFC on."""
    found = said(block, _ENABLE)
    if any(line.text.startswith("dcb pfc enable") for line in _unread(block)):
        return None, None
    if found is None or shared.off:
        return Pfc(None, ""), None
    return config.pfc.get(found[1]["profile"] or "default"), found[1]


def pfc(port: str, block: Block, config: Config, shared: Common) -> Iterator[Answer]:
    """PFC of one port: a row also where it is off."""
    found = said(block, _ENABLE)
    profile, enabled = _profile(block, config, shared)
    mode = "off" if enabled is None else "auto" if enabled["mode"] == "auto" else "on"
    doubtful = enabled is None and profile is None
    if profile is None and enabled:
        named = f"dcb pfc {enabled['profile']}"
        yield BrokenReference(owner=port, field="dcb pfc enable", target=named, line=found[0].line if found else None)
    line = shared.off.line if shared.off else found[0].line if found else block.line
    yield PfcPort(
        port=port,
        mode=None if doubtful else mode,
        admin_priorities=profile.priorities if profile else None,
        source="current-configuration",
        line=line,
    )


def watchdogs(port: str, block: Block, config: Config, shared: Common) -> Iterator[Answer]:
    """Deadlock detection of each lossless priority of one port; it works where PFC is forced on."""
    profile, enabled = _profile(block, config, shared)
    if enabled is None or profile is None:
        return
    shuts = said(block, r"port pfc-deadlock trigger error-down")
    for priority in profile.priorities or "":
        watch = profile.watches.get(priority, Watch(profile.line or block.line))
        detect, restore = (
            shared.unit_ms * own if own is not None else usual or (shared.unit_ms * 10 if shared.watched else None)
            for own, usual in ((watch.detect, shared.detect_ms), (watch.restore, shared.restore_ms))
        )
        ends = watch.restore != 0
        yield PfcWatchdog(
            port=port,
            queue=int(priority),
            enabled=True if shared.watched else None,
            action=("errdisable" if shuts else "forward") if ends else "alert",
            detect_ms=detect,
            restore_ms=restore if ends else None,
            line=shuts[0].line if shuts else watch.line,
        )


def buffers(port: str, block: Block, config: Config, shared: Common) -> Iterator[Answer]:
    """Ingress buffers of each lossless priority of one port."""
    profile, enabled = _profile(block, config, shared)
    if profile is None or profile.priorities is None:
        return
    agreed = None if enabled and enabled["mode"] == "auto" else True
    for priority in _PRIORITIES:
        lossless = agreed if priority in profile.priorities else False
        row = PriorityGroup(port=port, pg=int(priority), lossless=lossless, line=block.line)
        for line, found in block.find(_BUFFER):
            if found["queue"] == priority:
                row = _sized(row, line)
        yield row


def _sized(row: PriorityGroup, line: Block) -> PriorityGroup:
    """The group with the sizes of one line; one in cells is none in bytes, for no line tells the size of a cell."""
    text = re.sub(r"\d+ cells", "cells", line.text)
    told: dict[str, int] = {}
    for word, usual in (("guaranteed", "bytes"), ("hdrm", "kbytes"), ("xon offset", "kbytes")):
        value = re.search(rf" {word} {_SIZE}", text)
        if value:
            told[word] = sized(value[1], value[2], usual)
    levels = {
        way: sized(value[1], value[2], "kbytes")
        for way in ("xoff", "xon")
        if (value := re.search(rf" {way} static {_SIZE}", text))
    }
    alpha = re.search(r" xoff dynamic (\d+)", line.text)
    if "xoff" in levels and "xon offset" in told:
        levels["xon"] = levels["xoff"] - told["xon offset"]
    return replace(
        row,
        size_bytes=told.get("guaranteed", row.size_bytes),
        xoff_bytes=told.get("hdrm", row.xoff_bytes),
        pause_at_bytes=levels.get("xoff", row.pause_at_bytes),
        xon_bytes=levels.get("xon", row.xon_bytes),
        alpha_raw=alpha[1] if alpha else row.alpha_raw,
        line=line.line,
    )


def queues(port: str, block: Block, config: Config, shared: Common) -> Iterator[Answer]:
    """Scheduling, WRED and ECN of each queue of one port."""
    profile, enabled = _profile(block, config, shared)
    agreed = enabled is not None and enabled["mode"] == "auto"
    priorities = profile.priorities if profile else None
    doubtful = any(line.text.startswith(("qos", "dcb ets")) for line in _unread(block))
    shaped = said(block, r"dcb ets enable (\S+)")
    if shaped and shaped[1][1] not in config.ets:
        named = f"dcb ets-profile {shaped[1][1]}"
        yield BrokenReference(owner=port, field="dcb ets enable", target=named, line=shaped[0].line)
    for queue in range(8):
        listed_here = None if priorities is None else str(queue) in priorities
        row = Queue(
            port=port,
            queue=queue,
            lossless=None if agreed and listed_here else listed_here,
            ecn=False,
            wred_drops=False,
            line=block.line,
        )
        for answer in _marked(_served(row, block, config), block, config, shared):
            known = isinstance(answer, Queue) and not doubtful
            if known or not isinstance(answer, Queue):
                yield answer
            else:
                yield replace(answer, ecn=None, wred_drops=None, scheduler=None, weight_pct=None)


def _served(row: Queue, block: Block, config: Config) -> Queue:
    shaped = said(block, r"dcb ets enable(?: (\S+))?")
    if shaped:
        share = config.ets.get(shaped[1][1] or "default", {}).get(row.queue)
        scheduler, weight = (share.scheduler, share.weight_pct) if share else (None, None)
        return replace(row, scheduler=scheduler, weight_pct=weight, line=shaped[0].line)
    kinds: dict[int, tuple[str, int]] = {}
    for line, found in block.find(_MODES):
        for sort, numbers in re.findall(r"(pq|drr)((?: \d(?: to \d)?)+)", found["kinds"]):
            kinds |= dict.fromkeys(listed(numbers), (sort, line.line))
    weights = {int(found[1]): int(found[2]) for _, found in block.find(_WEIGHT)}
    sharing = [queue for queue, (sort, _) in kinds.items() if sort == "drr"]
    if row.queue not in sharing:
        at = kinds.get(row.queue, ("pq", row.line))[1]
        return replace(row, scheduler="strict", line=at)
    total = sum(weights.get(queue, 1) for queue in sharing)
    return replace(
        row,
        scheduler="dwrr",
        weight_pct=round(100 * weights.get(row.queue, 1) / total, 2),
        line=kinds[row.queue][1],
    )


def _marked(row: Queue, block: Block, config: Config, shared: Common) -> Iterator[Answer]:
    own = [(line, found["profile"]) for line, found in block.find(_WRED) if found["queue"] == str(row.queue)]
    whole = said(block, r"qos wred (\S+)")
    applied = own[-1] if own else (whole[0], whole[1][1]) if whole else None
    marking = said(block, rf"qos queue {row.queue} ecn")
    drop = config.drops.get(applied[1]) if applied else None
    if applied and drop is None:
        yield BrokenReference(
            owner=f"{row.port}|{row.queue}",
            field="wred",
            target=f"drop-profile {applied[1]}",
            line=applied[0].line,
        )
    if row.queue in shared.computed:
        yield replace(row, ecn=True, ecn_dynamic=True, line=shared.computed[row.queue])
    elif marking:
        limits = (drop.ecn or drop.green) if drop and drop.readable else None
        yield _thresholds(replace(row, ecn=True, ecn_dynamic=False, line=marking[0].line), limits)
    elif applied:
        yield _dropping(replace(row, line=applied[0].line), drop)
    else:
        yield row


def _dropping(row: Queue, drop: DropProfile | None) -> Queue:
    if drop is None or not drop.readable:
        return replace(row, wred_drops=None)
    return replace(row, wred_drops=not drop.green.never, ecn_raw=None if drop.green.never else f"wred {drop.green.raw}")


def _thresholds(row: Queue, limits: Limits | None) -> Queue:
    if limits is None:
        return row
    share, absolute = limits.unit == "%", limits.unit == "bytes"
    return replace(
        row,
        ecn_min_bytes=limits.low if absolute else None,
        ecn_max_bytes=limits.high if absolute else None,
        ecn_min_pct=float(limits.low) if share else None,
        ecn_max_pct=float(limits.high) if share else None,
        ecn_mark_pct=float(limits.share),
        ecn_raw=None if absolute else limits.raw,
    )
