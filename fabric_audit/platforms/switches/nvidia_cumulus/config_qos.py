"""The QoS part of a configuration of NVUE, turned into profiles: RoCE's macro first, then what overrides it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from fabric_audit.errors import ParseError
from fabric_audit.platforms.code_points import PCPS, code_points
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.nvidia_cumulus.qos_model import (
    DEFAULT,
    NUMBERS,
    Mapped,
    Marking,
    Pause,
    Pfc,
    Profiles,
    Remark,
    Said,
    Share,
    plain_dscp,
    plain_marking,
    plain_pcp,
    plain_shares,
)
from fabric_audit.platforms.switches.nvidia_cumulus.roce import MODES, trust
from fabric_audit.platforms.switches.nvidia_cumulus.settings import Setting
from fabric_audit.platforms.switches.nvidia_cumulus.shown import flag, numbers, size_bytes
from fabric_audit.platforms.text import decimal

AnyT = TypeVar("AnyT")
_KNOWN = {
    "pfc": {"switch-priority", "tx", "rx", "cable-length", "port-buffer", "xoff-threshold", "xon-threshold"},
    "link-pause": {"tx", "rx", "cable-length", "port-buffer", "xoff-threshold", "xon-threshold"},
    "mapping": {"trust", "dscp", "pcp", "port-default-sp"},
    "congestion-control": {"traffic-class"},
    "egress-scheduler": {"traffic-class"},
    "remark": {"rewrite", "switch-priority"},
    "egress-queue-mapping": {"switch-priority"},
}
_MULTI_TC_SHARES = (4, 8, 18, 22, 22, 22, 4, 0)
_MULTI_TC_DSCPS = {0: (0, *range(7, 11), *range(51, 64)), 1: (1, 2), 2: (3, 4), 3: (5, 6), 4: tuple(range(11, 41))}


def roce_mode(root: Setting) -> str:
    """The word of the macro's mode; "" where it is off. ``nv set qos roce`` alone means lossless.

    Raises:
        ParseError: the mode is none that is known.
    """
    roce = root.at("qos", "roce")
    switched = root.value("qos", "roce", "enable") or root.value("qos", "roce", "state")
    if roce is None or flag(switched or "on") is False:
        return ""
    word = root.value("qos", "roce", "mode") or "lossless"
    if word not in MODES:
        raise ParseError(root.line_of("qos", "roce", "mode") or 0, f"mode {word}", f"one of {', '.join(MODES)}")
    return word


def profiles(root: Setting) -> Profiles:
    """Every profile of the configuration.

    Raises:
        ParseError: a value that NVUE would not take.
    """
    mode, line = roce_mode(root), root.line_of("qos", "roce")
    base = _macro(mode, line)
    poll = root.value("qos", "pfc-watchdog", "polling-interval")
    polls = root.value("qos", "pfc-watchdog", "robustness")
    return replace(
        base,
        mapping=_each(root, "mapping", base.mapping, _mapped, Mapped("pcp", plain_dscp(), plain_pcp())),
        pfc=_each(root, "pfc", base.pfc, _pfc, Pfc()),
        marking=_each(root, "congestion-control", base.marking, _marking, {}),
        scheduler=_each(root, "egress-scheduler", base.scheduler, _scheduler, {}),
        pause=_each(root, "link-pause", base.pause, _pause, Pause()),
        remark=_each(root, "remark", base.remark, _remark, Remark(on=False, dscp={})),
        queue_of=_queues(root.at("qos", "egress-queue-mapping", DEFAULT), base.queue_of),
        poll_ms=int(poll) if poll and poll.isdigit() else base.poll_ms,
        polls=int(polls) if polls and polls.isdigit() else base.polls,
    )


def unread(root: Setting) -> Iterator[Skipped]:
    """Settings of a profile that are not known: they may decide what is read here."""
    for sort, known in _KNOWN.items():
        for profile, setting in _below(root.at("qos", sort)):
            for name, told in setting.below.items():
                if name not in known:
                    yield Skipped(told.line, f"qos {sort} {profile} {name}", f"{' or '.join(sorted(known))}")


def _below(setting: Setting | None) -> Iterator[tuple[str, Setting]]:
    if setting:
        yield from setting.below.items()


def _each(
    root: Setting, sort: str, base: Mapping[str, AnyT], read: Callable[[Setting, AnyT], AnyT], fresh: AnyT
) -> dict[str, AnyT]:
    """Profiles of one sort: those of the macro, changed and joined by those that the configuration names."""
    found = dict(base)
    for name, setting in _below(root.at("qos", sort)):
        found[name] = read(setting, found.get(name, fresh))
    return found


def _macro(mode: str, line: int | None) -> Profiles:
    """What the macro sets, before any other line."""
    plain = Mapped("dscp_pcp" if mode else "pcp", plain_dscp(), plain_pcp(), line=line)
    if not mode:
        return Profiles({DEFAULT: plain}, {DEFAULT: Pfc()}, {DEFAULT: plain_marking()}, {DEFAULT: plain_shares()})
    if mode == "lossy-multi-tc":
        dscp = {value: Said(None, line) for value in range(64)}
        dscp |= {value: Said(to, line) for to, values in _MULTI_TC_DSCPS.items() for value in values}
        low, high = 163 * 1024, 234 * 1024
        marks = {queue: Marking(min_bytes=low, max_bytes=high, pct=5.0, line=line) for queue in (1, 2, 3)}
        shares = {queue: Share(weight, line) for queue, weight in enumerate(_MULTI_TC_SHARES)}
        return Profiles({DEFAULT: replace(plain, dscp=dscp)}, {DEFAULT: Pfc()}, {DEFAULT: marks}, {DEFAULT: shares})
    return Profiles(
        mapping={DEFAULT: plain},
        pfc={DEFAULT: Pfc((3,) if MODES[mode] == "lossless" else (), line=line)},
        marking={DEFAULT: {0: Marking(line=line), 3: Marking(line=line)}},
        scheduler={DEFAULT: {0: Share(50, line), 3: Share(50, line), 6: Share(None, line)}},
        queue_of={priority: Said(priority if priority in (3, 6) else 0, line) for priority in NUMBERS},
    )


def _mapped(setting: Setting, base: Mapped) -> Mapped:
    said = setting.value("trust")
    line = setting.line_of("trust")
    default = setting.value("port-default-sp")
    return replace(
        base,
        trust=trust(said, line or 0) if said else base.trust,
        dscp=_landings(setting.at("dscp"), base.dscp, range(64)),
        pcp=_landings(setting.at("pcp"), base.pcp, PCPS),
        default=numbers(default, line or 0)[0] if default else base.default,
        line=line or base.line,
    )


def _landings(setting: Setting | None, base: Mapping[int, Said], allowed: range) -> dict[int, Said]:
    found = dict(base)
    for values, told in _below(setting):
        target = told.value("switch-priority")
        if target is not None:
            line = told.line_of("switch-priority") or told.line
            said = Said(numbers(target, line)[0], line)
            found |= dict.fromkeys(code_points(values, line, allowed), said)
    return found


def _pfc(setting: Setting, base: Pfc) -> Pfc:
    listed = setting.at("switch-priority")
    priorities = base.priorities
    if listed:
        priorities = tuple(sorted({n for words, told in _below(listed) for n in numbers(words, told.line)}))
    return replace(
        base,
        priorities=priorities,
        rx=_switch(setting, "rx", default=base.rx),
        tx=_switch(setting, "tx", default=base.tx),
        cable_m=decimal(setting.value("cable-length") or "", 0) or base.cable_m,
        size_bytes=size_bytes(setting.value("port-buffer") or "", 0) or base.size_bytes,
        pause_at_bytes=size_bytes(setting.value("xoff-threshold") or "", 0) or base.pause_at_bytes,
        line=setting.line_of("switch-priority") or base.line or setting.line or None,
    )


def _switch(setting: Setting, name: str, *, default: bool) -> bool:
    said = setting.value(name)
    on = default if said is None else flag(said)
    if on is None:
        raise ParseError(setting.line_of(name) or 0, f"{name} {said}", "enable or disable")
    return on


def _marking(setting: Setting, base: Mapping[int, Marking]) -> Mapping[int, Marking]:
    found = dict(base)
    for words, told in _below(setting.at("traffic-class")):
        for queue in numbers(words, told.line):
            known = found.get(queue, Marking())
            low, high = (
                size_bytes(told.value(f"{end}-threshold") or told.value(f"{end}-threshold-bytes") or "", told.line)
                for end in ("min", "max")
            )
            found[queue] = replace(
                known,
                ecn=_switch(told, "ecn", default=known.ecn),
                red=_switch(told, "red", default=known.red),
                min_bytes=known.min_bytes if low is None else low,
                max_bytes=known.max_bytes if high is None else high,
                pct=decimal(told.value("probability") or "", told.line) or known.pct,
                line=told.line_of("min-threshold") or told.line,
            )
    return found


def _scheduler(setting: Setting, base: Mapping[int, Share]) -> Mapping[int, Share]:
    found = dict(base)
    for words, told in _below(setting.at("traffic-class")):
        mode, share = told.value("mode"), told.value("bw-percent")
        if mode not in (None, "strict", "dwrr") or (share and not share.isdigit()):
            raise ParseError(told.line, f"mode {mode}, bw-percent {share}", "strict, or dwrr and a share")
        for queue in numbers(words, told.line):
            known = found.get(queue, Share(0)).weight
            weight = None if mode == "strict" else int(share) if share else known or 0
            found[queue] = Share(weight, told.line)
    return found


def _pause(setting: Setting, base: Pause) -> Pause:
    return Pause(
        rx=_switch(setting, "rx", default=base.rx), tx=_switch(setting, "tx", default=base.tx), line=setting.line
    )


def _remark(setting: Setting, base: Remark) -> Remark:
    found = dict(base.dscp)
    for words, told in _below(setting.at("switch-priority")):
        target = told.value("dscp")
        if target is not None:
            said = Said(code_points(target, told.line)[0], told.line_of("dscp"))
            found |= dict.fromkeys(numbers(words, told.line), said)
    return Remark(on=base.on or setting.value("rewrite") in ("l3", "both"), dscp=found)


def _queues(setting: Setting | None, base: Mapping[int, Said]) -> dict[int, Said]:
    found = dict(base)
    for words, told in _below(setting.at("switch-priority") if setting else None):
        target = told.value("traffic-class")
        if target is not None:
            line = told.line_of("traffic-class") or told.line
            found |= dict.fromkeys(numbers(words, told.line), Said(numbers(target, line, 15)[0], line))
    return found
