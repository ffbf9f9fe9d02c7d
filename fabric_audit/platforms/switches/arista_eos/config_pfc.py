"""PFC and its watchdog in a running configuration of EOS."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.arista_eos.running_config import Config, Port

_ALL_OFF = r"priority-flow-control all off"
_ON = r"(no )?priority-flow-control(?: mode)?(?: on)?"
_PRIORITY = r"(no )?priority-flow-control priority ([0-7])(?: (no-drop|drop))?"
_TIME = r"([0-9]+(?:\.[0-9]+)?|auto)"
_WATCH = "priority-flow-control pause watchdog"
_PORT_TIMER = rf"{_WATCH} port timer timeout {_TIME} polling-interval {_TIME} recovery-time {_TIME}(?: forced)?"
_KNOWN = "|".join(
    (
        _ALL_OFF,
        _ON,
        _PRIORITY,
        rf"{_WATCH} default (timeout|recovery-time|polling-interval) {_TIME}( forced)?",
        rf"{_WATCH} action (drop|no-drop|errdisable|notify-only)",
        rf"{_WATCH} override action drop",
        rf"{_WATCH} (hardware|non-disruptive) .*",
        rf"(no )?{_WATCH}",
        rf"{_WATCH} port action (drop|no-drop|errdisable|notify-only)",
        rf"{_WATCH} port non-disruptive.*",
        _PORT_TIMER,
        r"(no )?priority-flow-control .*profile .*",
        r"(no )?priority-flow-control pause (receive|transmit).*",
    )
)
_ACTIONS = {"drop": "drop", "no-drop": "forward", "notify-only": "alert", "errdisable": "errdisable"}


def facts(config: Config) -> Iterator[Answer]:
    """One row of PFC and one of the watchdog for every front panel port, whatever it says or leaves out."""
    everywhere = [block for top in config.top for block in (top, *top.children) if _unread(block)]
    for block in everywhere:
        yield Skipped(block.line, block.text, "a priority-flow-control line of EOS 4.13 to 4.3x")
    unread_globally = [block for block in config.top if _unread(block)]
    for port in config.physical:
        unread = [*unread_globally, *(block for block in port.governing if _unread(block))]
        pfc = _pfc(config, port)
        if any(not block.text.startswith(_WATCH) for block in unread):
            pfc = replace(pfc, mode=None, admin_priorities=None)
        yield pfc
        watchdog = _watchdog(config, port, on=pfc.mode == "on")
        yield replace(watchdog, enabled=None, action=None, detect_ms=None) if unread else watchdog


def _unread(block: Block) -> bool:
    concerns = re.match(r"(no )?priority-flow-control\b", block.text)
    return concerns is not None and not re.fullmatch(_KNOWN, block.text)


def _pfc(config: Config, port: Port) -> PfcPort:
    killed = last(config.top, _ALL_OFF)
    decided = last(port.governing, _ON)
    on = decided is not None and not decided[1][1] and killed is None
    no_drop: set[str] = set()
    for _, found in find(port.governing, _PRIORITY):
        no_drop.discard(found[2])
        if found[3] == "no-drop" and not found[1]:
            no_drop.add(found[2])
    evidence = killed or decided
    return PfcPort(
        port=port.name,
        mode="on" if on else "off",
        admin_priorities="".join(sorted(no_drop)) if on else "",
        source="running-config",
        line=evidence[0].line if evidence else port.line,
    )


def _watchdog(config: Config, port: Port, *, on: bool) -> PfcWatchdog:
    timers = {name: _global_timer(config.top, name) for name in ("timeout", "polling-interval", "recovery-time")}
    own = last(port.governing, _PORT_TIMER)
    if own:
        timers = dict(zip(timers, own[1].groups(), strict=True))
    detect_ms = _milliseconds(timers["timeout"])
    switch = last(port.governing, rf"(no )?{_WATCH}")
    action = last(port.governing, rf"{_WATCH} port action (\S+)") or last(config.top, rf"{_WATCH} action (\S+)")
    evidence = own or switch or action or last(config.top, rf"{_WATCH} default timeout {_TIME}.*")
    return PfcWatchdog(
        port=port.name,
        queue=-1,
        enabled=on and detect_ms is not None and not (switch and switch[1][1]),
        action=_ACTIONS[action[1][1]] if action and action[1][1] in _ACTIONS else "errdisable",
        detect_ms=detect_ms,
        restore_ms=_milliseconds(timers["recovery-time"]),
        poll_ms=_milliseconds(timers["polling-interval"]),
        line=evidence[0].line if evidence else port.line,
    )


def _global_timer(top: Sequence[Block], name: str) -> str:
    found = last(top, rf"{_WATCH} default {name} {_TIME}(?: forced)?")
    return found[1][1] if found else "0.0"


def _milliseconds(seconds: str) -> int | None:
    """EOS counts in seconds; 0 switches the watchdog off, or leaves a timer to it, and so does ``auto``."""
    return round(float(seconds) * 1000) or None if seconds != "auto" else None
