"""Queues, ECN and buffers in a Junos configuration."""

from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.juniper_junos.config_classes import ForwardingClass, forwarding_classes
from fabric_audit.platforms.switches.juniper_junos.running_config import Config
from fabric_audit.platforms.switches.juniper_junos.statements import Statement

_POINTS = 2


def facts(config: Config) -> Iterator[Answer]:
    """Every queue of a forwarding class on every port, and the partitions of the buffer."""
    classes = forwarding_classes(config)
    for port, line in config.ports:
        bound = next((at for word, at in config.settings(port).words() if word == "scheduler-map"), Statement())
        name = bound.word()
        scheduled = config.cos.get("scheduler-maps", name or "").get("forwarding-class")
        if name and not config.cos.has("scheduler-maps", name):
            yield BrokenReference(owner=port, field="scheduler-map", target=f"scheduler-map {name}", line=bound.line)
        for one in classes.values():
            if one.queue is not None:
                yield from _queue(config, port, one, scheduled, line)
    yield from _pools(config.cos)


def _queue(config: Config, port: str, one: ForwardingClass, scheduled: Statement, line: int) -> Iterator[Answer]:
    named = scheduled.get(one.name).value("scheduler") if scheduled.has(one.name) else None
    scheduler = config.cos.get("schedulers", named[0]) if named else Statement()
    if named and not scheduler.children:
        yield BrokenReference(owner=port, field="scheduler", target=f"scheduler {named[0]}", line=named[1])
    priority, rate = scheduler.value("priority"), scheduler.get("transmit-rate").value("percent")
    kind = "strict" if priority and priority[0].startswith("strict") else "dwrr"
    row = Queue(
        port=port,
        queue=one.queue or 0,
        lossless=one.lossless,
        scheduler=kind if scheduler.children else None,
        weight_pct=float(rate[0]) if rate and kind == "dwrr" else None,
        line=scheduler.line or one.line or line,
    )
    yield _detecting(config, row, scheduler)


def _detecting(config: Config, row: Queue, scheduler: Statement) -> Queue:
    """ECN marks by a drop profile: from the fill level of its first point to that of its last, in percent.

    A drop profile without ECN drops; ECN without a drop profile marks by a default that is not printed.
    """
    marks = scheduler.has("explicit-congestion-notification")
    named = scheduler.value("drop-profile")
    profile = config.cos.get("drop-profiles", named[0]) if named else Statement()
    points = _points(profile)
    first, last = (points[0], points[-1]) if points else ((None, None), (None, None))
    return replace(
        row,
        ecn=marks,
        ecn_min_pct=first[0] if marks else None,
        ecn_max_pct=last[0] if marks else None,
        ecn_mark_pct=last[1] if marks else None,
        ecn_drops_non_ect=True if marks else None,
        ecn_raw=" ".join(f"{level:g}%:{probability:g}%" for level, probability in points) or None,
        wred_drops=named is not None and not marks,
        line=profile.line or row.line,
    )


def _points(profile: Statement) -> list[tuple[float, float]]:
    """(fill level, probability) of a drop profile, interpolated or in steps."""
    lists = [profile.get("interpolate", name).children for name in ("fill-level", "drop-probability")]
    if all(len(one) >= _POINTS for one in lists) and len(lists[0]) == len(lists[1]):
        levels, probabilities = ([float(value) for value in one if value.isdigit()] for one in lists)
        return list(zip(levels, probabilities, strict=False))
    steps = []
    for level, below in profile.get("fill-level").children.items():
        probability = below.value("drop-probability")
        if level.isdigit() and probability and probability[0].isdigit():
            steps.append((float(level), float(probability[0])))
    return sorted(steps)


def _pools(cos: Statement) -> Iterator[BufferPool]:
    for direction in ("ingress", "egress"):
        shared = cos.get("shared-buffer", direction, "buffer-partition")
        for name, partition in shared.children.items():
            yield _pool(f"{direction} {name}", direction, partition)
        dedicated = cos.get("dedicated-buffer", direction)
        if dedicated.children:
            yield _pool(f"{direction} dedicated", direction, dedicated)


def _pool(name: str, direction: str, partition: Statement) -> BufferPool:
    share, alpha = partition.value("percent"), partition.value("dynamic-threshold")
    return BufferPool(
        pool=name,
        direction=direction,
        mode="dynamic" if alpha else None,
        size_pct=float(share[0]) if share and share[0].isdigit() else None,
        alpha_raw=alpha[0] if alpha else None,
        line=partition.line,
    )
