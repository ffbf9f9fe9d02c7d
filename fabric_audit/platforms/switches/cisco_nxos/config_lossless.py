"""What a network-qos policy of NX-OS makes lossless: which group, on which PFC priority, with which MTU."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.platforms.indented import Block, last
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.cisco_nxos.config_classes import classes_of
from fabric_audit.platforms.switches.cisco_nxos.running_config import Config, Port

_CLASS = r"class type network-qos (\S+)"
_PAUSE = r"pause (?:no-drop)?(?: ?pfc-cos ([0-7](?:[ ,-][0-7])*))?(?: ?receive| ?no-drop)*"
_BUFFERS = r"pause buffer-size \d+ pause-threshold \d+ resume-threshold \d+.*"
_READ = rf"{_PAUSE}|{_BUFFERS}|mtu \d{{4}}"


@dataclass(frozen=True, slots=True)
class Lossless:
    """What the system-wide policy says; empty where none is applied, for the default one pauses nothing.

    Attributes:
        groups: lossless group → line.
        priorities: PFC priority → (group, line).
        unstated: lossless groups whose priority is not written: it is the CoS that leads into the group.
        mtus: group → (bytes, line).
        unread: lines that were not understood, or a policy that is not there; then nothing is known for sure.
    """

    groups: Mapping[int, int] = field(default_factory=dict)
    priorities: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    unstated: frozenset[int] = frozenset()
    mtus: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    unread: tuple[Skipped | BrokenReference, ...] = ()

    def of_port(self, config: Config, port: Port) -> Mapping[int, tuple[int, int]]:
        """PFC priority → (group, line) on one port: written ones, and those that follow from its classification."""
        found = dict(self.priorities)
        for cos, landing in classes_of(config, port).pcps.items():
            if landing.group in self.unstated and landing.group is not None:
                found.setdefault(cos, (landing.group, self.groups[landing.group]))
        return found


def lossless(config: Config) -> Lossless:
    """Resolve the network-qos policy that ``system qos`` applies."""
    applied = last(config.system, r"service-policy type network-qos (\S+)")
    policy = config.policy("network-qos", applied[1][1]) if applied else None
    if applied and policy is None:
        target = f"policy-map {applied[1][1]}"
        field_ = "service-policy type network-qos"
        return Lossless(
            unread=(BrokenReference(owner="system qos", field=field_, target=target, line=applied[0].line),)
        )
    groups: dict[int, int] = {}
    priorities: dict[int, tuple[int, int]] = {}
    unstated: set[int] = set()
    mtus: dict[int, tuple[int, int]] = {}
    unread: list[Skipped] = []
    for entry, named in policy.find(_CLASS) if policy else ():
        group = group_of(config, "network-qos", named[1])
        if group is None:
            unread.append(Skipped(entry.line, entry.text, "a class whose qos-group is known"))
            continue
        unread.extend(_unread(entry))
        paused = last(entry.children, _PAUSE)
        if paused:
            groups[group] = paused[0].line
            stated = re.findall("[0-7]", paused[1][1] or "")
            priorities.update({int(cos): (group, paused[0].line) for cos in stated})
            unstated.update(() if stated else {group})
        limit = last(entry.children, r"mtu (\d{4})")
        if limit:
            mtus[group] = (int(limit[1][1]), limit[0].line)
    return Lossless(groups, priorities, frozenset(unstated), mtus, tuple(unread))


def _unread(entry: Block) -> list[Skipped]:
    expected = "pause [no-drop|pfc-cos N], or mtu BYTES"
    return [
        Skipped(line.line, line.text, expected)
        for line in entry.children
        if re.match(r"(pause|mtu)\b", line.text) and not re.fullmatch(_READ, line.text)
    ]


def group_of(config: Config, kind: str, name: str) -> int | None:
    """The qos-group that a class of type network-qos or queuing stands for.

    Built-in classes carry it in their name: ``c-8q-nq3``, ``c-nq3``, ``c-out-8q-q3``, ``c-8q-nq-default``.
    """
    number = re.fullmatch(r"c-(?:out-|in-)?(?:8q-|4q-)?(?:nq|q)(\d)", name)
    if number:
        return int(number[1])
    if name == "class-default" or re.fullmatch(r"c-(?:out-|in-)?(?:8q-|4q-)?(?:nq|q)-default", name):
        return 0
    found = config.class_lines(kind, name)
    if found:
        matched = last(found[1], r"match qos-group (\d)")
        return int(matched[1][1]) if matched else None
    return None
