"""PFC and its watchdog in a running configuration of NX-OS."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.qos import PfcPriorityMap
from fabric_audit.platforms.indented import Block, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.cisco_nxos.config_lossless import Lossless
from fabric_audit.platforms.switches.cisco_nxos.running_config import Config, Port

_MODE = r"(no )?priority-flow-control mode(?: (on|auto|off))?(?: send-tlv)?"
_OVERRIDE = r"priority-flow-control override-interface mode off"
_WATCH = r"priority-flow-control watch-dog-interval (on|off)(?: interface-multiplier \d+)?(?: disable-action)?"
_TIMERS = r"priority-flow-control (auto-restore|fixed-restore) multiplier \d+|priority-flow-control watch-dog .*"
_KNOWN = rf"{_MODE}|{_OVERRIDE}|(no )?{_WATCH}|{_TIMERS}"


def facts(config: Config, no_drop: Lossless) -> Iterator[Answer]:
    """One row of PFC and one of the watchdog for every front panel port, whatever it says or leaves out."""
    yield from no_drop.unread
    everywhere = [block for top in config.top for block in (top, *top.children) if _unread(block)]
    for block in everywhere:
        yield Skipped(block.line, block.text, "a priority-flow-control line of NX-OS 7 to 10")
    unread_globally = [block for block in config.top if _unread(block)]
    for port in config.physical:
        unread = [*unread_globally, *(block for block in port.governing if _unread(block))]
        priorities = no_drop.of_port(config, port)
        pfc = _pfc(config, port, "".join(str(priority) for priority in sorted(priorities)))
        if unread or no_drop.unread:
            pfc = replace(pfc, admin_priorities=None, mode=None if unread else pfc.mode)
        yield pfc
        watchdog = _watchdog(config, port, off=pfc.mode == "off")
        yield replace(watchdog, enabled=None) if unread else watchdog
    for port in config.subjects:
        for priority, (group, line) in sorted(no_drop.of_port(config, port).items()):
            yield PfcPriorityMap(port=port.name, priority=priority, queue=group, line=line)


def _unread(block: Block) -> bool:
    concerns = re.match(r"(no )?priority-flow-control\b", block.text)
    return concerns is not None and not re.fullmatch(_KNOWN, block.text)


def _pfc(config: Config, port: Port, priorities: str) -> PfcPort:
    """Without a mode the port is auto: it has PFC only if a DCBX neighbour agrees."""
    killed = last(config.top, _OVERRIDE)
    said = last(port.governing, _MODE)
    mode = "off" if killed else (said[1][2] if said and not said[1][1] else None) or "auto"
    evidence = killed or said
    return PfcPort(
        port=port.name,
        mode=mode,
        admin_priorities="" if mode == "off" else priorities,
        source="running-config",
        line=evidence[0].line if evidence else port.line,
    )


def _watchdog(config: Config, port: Port, *, off: bool) -> PfcWatchdog:
    """It runs where the switch and the port both say on; where only one does, the text does not tell."""
    globally, own = last(config.top, _WATCH), last(port.governing, _WATCH)
    told = {found[1][1] if found else None for found in (globally, own)}
    enabled = None if told == {"on", None} else told == {"on"}
    quiet = own is not None and own[0].text.endswith("disable-action")
    evidence = own or globally
    return PfcWatchdog(
        port=port.name,
        queue=-1,
        enabled=False if off else enabled,
        action="alert" if quiet else "drop",
        line=evidence[0].line if evidence else port.line,
    )
