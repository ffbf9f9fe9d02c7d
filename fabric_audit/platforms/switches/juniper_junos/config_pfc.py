"""PFC and its watchdog in a Junos configuration: congestion notification profiles and their ports."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.profiles import BrokenReference, PfcProfile
from fabric_audit.facts.qos import PfcPriorityMap
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.switches.juniper_junos.config_classes import (
    DSCP_BITS,
    PCP_BITS,
    ForwardingClass,
    classified,
    code_point,
    forwarding_classes,
)
from fabric_audit.platforms.switches.juniper_junos.running_config import Config
from fabric_audit.platforms.switches.juniper_junos.statements import Statement

_OBEYED_BY_DEFAULT = (3, 4)
"""Without an output stanza a port obeys pause on these (Junos CoS guide, code-point (output))."""
_POLL_MS, _DETECT_POLLS, _RECOVER_MS = 100, 2, 200
"""Defaults of pfc-watchdog (Junos CoS guide, PFC Watchdog)."""
_PROFILE = "congestion-notification-profile"


@dataclass(frozen=True, slots=True)
class _Input:
    """What a profile makes lossless: priorities, and DSCP values whose class tells the priority."""

    pcps: Mapping[int, int]
    dscps: Mapping[int, int]


def facts(config: Config) -> Iterator[Answer]:
    """One row of PFC and one of the watchdog for every port, whatever it says or leaves out."""
    for name, profile in config.cos.get(_PROFILE).children.items():
        yield from _profile(name, profile)
    classes = forwarding_classes(config)
    for port, line in config.ports:
        bound = config.settings(port).get(_PROFILE)
        named = bound.word()
        profile = config.cos.get(_PROFILE, named or "")
        if named is None:
            yield PfcPort(port=port, mode="off", admin_priorities="", source="running-config", line=line)
        elif not profile.children:
            yield BrokenReference(owner=port, field=_PROFILE, target=f"{_PROFILE} {named}", line=bound.line)
            yield PfcPort(port=port, source="running-config", line=bound.line)
        else:
            yield from _port(config, port, profile, classes)
        yield _watchdog(port, profile, line)


def _profile(name: str, profile: Statement) -> Iterator[Answer]:
    try:
        sent = _sent(profile)
    except ParseError as error:
        yield Skipped(error.line, error.text, error.expected)
        return
    for field, values in (("pcp", sent.pcps), ("dscp", sent.dscps)):
        for value, line in values.items():
            yield PfcProfile(profile=name, direction="input", code_field=field, code_point=value, pfc=True, line=line)
    for priority, (queues, line) in _obeyed(profile).items():
        yield PfcProfile(
            profile=name,
            direction="output",
            code_field="pcp",
            code_point=priority,
            pfc=True,
            queues=",".join(map(str, queues)),
            line=line,
        )


def _sent(profile: Statement) -> _Input:
    """Code points of the input stanza that have ``pfc``.

    Raises:
        ParseError: a code point that is no number of bits.
    """
    found: list[dict[int, int]] = []
    for field, width in (("ieee-802.1", PCP_BITS), ("dscp", DSCP_BITS)):
        points = profile.get("input", field, "code-point").children
        told = {bits: at for bits, at in points.items() if any(word == "pfc" for word, _ in at.words())}
        found.append({code_point(bits, width, at.line): at.line for bits, at in told.items()})
    return _Input(*found)


def _obeyed(profile: Statement) -> Mapping[int, tuple[tuple[int, ...], int]]:
    """Priority → (queues that stop, line) of the output stanza, or of the default where there is none."""
    if not profile.has("output"):
        return {priority: ((priority,), profile.line) for priority in _OBEYED_BY_DEFAULT}
    points = profile.get("output", "ieee-802.1", "code-point").children
    return {
        code_point(bits, PCP_BITS, at.line): (
            tuple(int(queue) for queue in at.get("flow-control-queue").children if queue.isdigit()),
            at.line,
        )
        for bits, at in points.items()
    }


def _port(config: Config, port: str, profile: Statement, classes: Mapping[str, ForwardingClass]) -> Iterator[Answer]:
    try:
        sent, obeyed = _sent(profile), _obeyed(profile)
        priorities = _priorities(config, port, sent, classes)
    except ParseError as error:
        yield PfcPort(port=port, source="running-config", line=error.line)
        return
    known = (
        None
        if None in priorities
        else "".join(str(priority) for priority in sorted(set(map(int, map(str, priorities)))))
    )
    if known is None:
        words = f"{port}: a DSCP of the profile has no class with a pfc-priority by the port's classifier"
        yield Missing(PfcPort.TABLE, Why.NOT_SUPPORTED, words, "admin_priorities")
    evidence = next(iter((*sent.pcps.values(), *sent.dscps.values())), profile.line)
    mode = "on" if sent.pcps or sent.dscps else "off"
    yield PfcPort(port=port, mode=mode, admin_priorities=known, source="running-config", line=evidence)
    for priority, (queues, line) in obeyed.items():
        for queue in queues[:1]:
            yield PfcPriorityMap(port=port, priority=priority, queue=queue, line=line)


def _priorities(config: Config, port: str, sent: _Input, classes: Mapping[str, ForwardingClass]) -> list[int | None]:
    """The PFC priority of each code point; None for a DSCP whose priority the configuration does not tell."""
    landed = classified(config, port, "dscp") or {}
    found: list[int | None] = list(sent.pcps)
    for dscp in sent.dscps:
        name, _ = landed.get(dscp, ("", 0))
        found.append(classes[name].pfc_priority if name in classes else None)
    return found


def _watchdog(port: str, profile: Statement, line: int) -> PfcWatchdog:
    """It watches PFC queues only: those that the output stanza names."""
    watchdog = profile.get("pfc-watchdog")
    enabled = profile.has("pfc-watchdog")
    poll, periods, recovery = (watchdog.value(word) for word in ("poll-interval", "detection", "recovery"))
    action = watchdog.value("watchdog-action")
    poll_ms = int(poll[0]) if poll and poll[0].isdigit() else _POLL_MS
    polls = int(periods[0]) if periods and periods[0].isdigit() else _DETECT_POLLS
    return PfcWatchdog(
        port=port,
        queue=-1,
        enabled=enabled,
        action=(action[0] if action else "drop") if enabled else None,
        detect_ms=poll_ms * polls if enabled else None,
        restore_ms=(int(recovery[0]) if recovery and recovery[0].isdigit() else _RECOVER_MS) if enabled else None,
        poll_ms=poll_ms if enabled else None,
        line=watchdog.line or profile.line or line,
    )
