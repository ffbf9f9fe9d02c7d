"""Blocks of the CLI's configuration below an interface."""

import re
from collections.abc import Iterator

from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.dell_sonic.tables import MAPS, Block, Configuration, anything


def interface(found: Configuration, number: int, name: str) -> Block:
    """``interface NAME``; ``Eth 1/5`` is ``Eth1/5``. Interfaces other than ports and port channels are left out."""
    port = re.sub(r"^(Eth(?:ernet)?|PortChannel) +", r"\1", name)
    if port.startswith("PortChannel"):
        found.entry("PORTCHANNEL", port, number)
        return _settings(found, "PORTCHANNEL", port)
    if not port.startswith("Eth"):
        return anything
    found.entry("PORT", port, number)
    found.silent.add(port)
    return _settings(found, "PORT", port)


def interface_range(found: Configuration, number: int, names: str) -> Block:
    """``interface range Eth1/1-1/4,Eth1/9``: its lines are those of each of its ports."""
    ports = tuple(_expanded(names))
    if not ports:
        found.skipped.append(Skipped(number, f"interface range {names}", "ports such as Eth1/1-1/4,Eth1/9"))
        return anything
    blocks = [interface(found, number, port) for port in ports]

    def each(line: int, words: str) -> bool:
        understood = {block(line, words) for block in blocks}
        return False not in understood

    return each


def _expanded(names: str) -> Iterator[str]:
    """Every port of the list; none where a part of it is no range of ports."""
    parts = [re.fullmatch(_RANGE, part.strip()) for part in names.split(",")]
    for ends in parts if all(parts) else ():
        if ends:
            first, last = int(ends[3]), int(ends[4] or ends[3])
            yield from (f"{ends[1]}{ends[2]}{port}" for port in range(first, min(last, first + _LONGEST) + 1))


_RANGE = r"(Eth(?:ernet)?) ?((?:\d{1,3}/)+)(\d{1,4})(?: ?- ?(?:Eth(?:ernet)?)?(?:\d{1,3}/)*(\d{1,4}))?"
_LONGEST = 1024
_PLAIN = (
    (r"mtu (\d+)", "mtu"),
    (r"speed (\d+)", "speed"),
    (r"fec (\S+)", "fec"),
    (r"description (.+)", "description"),
)
_BOUND = (
    (r"priority-flow-control asymmetric", "PORT", "pfc_asym", "on"),
    (r"priority-flow-control watchdog action (\S+)", "WATCHDOG", "action", ""),
    (r"priority-flow-control watchdog on detect-time (\d+)", "PFC_WD", "detection_time", ""),
    (r"priority-flow-control watchdog on", "PFC_WD", "enabled", "true"),
    (r"priority-flow-control watchdog restore-time (\d+)", "WATCHDOG", "restoration_time", ""),
)
_DOUBTS = (
    ("priority-flow-control watchdog", ("pfc_watchdog",)),
    ("priority-flow-control", ("pfc_port",)),
    ("queue", ("queue",)),
    ("scheduler-policy", ("queue",)),
    ("qos-map", ("dscp_map", "pcp_map", "traffic_class_map", "pfc_priority_map", "dscp_rewrite")),
    ("cable-length", ()),
)
"""First words of lines that ought to be understood → the tables that are in doubt where one is not."""


def _settings(found: Configuration, table: str, port: str) -> Block:
    """Lines below an interface."""

    def settings(number: int, words: str) -> bool:
        for pattern, name in _PLAIN:
            if match := re.fullmatch(pattern, words):
                value = match[1].strip('"') if name == "description" else match[1].lower()
                found.put(table, port, number, {name: value})
                return True
        if words in ("shutdown", "no shutdown"):
            found.silent.discard(port)
            found.put(table, port, number, {"admin_status": "up" if words == "no shutdown" else "down"})
            return True
        return _quality(found, port, number, words) or not _doubt(found, port, words)

    return settings


def _doubt(found: Configuration, port: str, words: str) -> bool:
    """Whether a line that was not understood ought to have been; what it may have said is in doubt then."""
    for first, tables in _DOUBTS:
        if words.startswith(first):
            found.doubts |= {(port, table) for table in tables}
            return True
    return False


def _quality(found: Configuration, port: str, number: int, words: str) -> bool:
    for pattern, table, name, value in _BOUND:
        if match := re.fullmatch(pattern, words):
            found.put(table, port, number, {name: value or match[1]})
            return True
    if match := re.fullmatch(r"priority-flow-control priority (\d)", words):
        enabled = found.entry("PORT_QOS_MAP", port, number).text("pfc_enable")
        found.put("PORT_QOS_MAP", port, number, {"pfc_enable": ",".join(filter(None, (enabled, match[1])))})
    elif (match := re.fullmatch(r"qos-map (\S+) (\S+)", words)) and match[1] in MAPS:
        found.put("PORT_QOS_MAP", port, number, {MAPS[match[1]][1]: match[2]})
    elif match := re.fullmatch(r"queue (\d+) wred-policy (\S+)", words):
        found.put("QUEUE", f"{port}|{match[1]}", number, {"wred_profile": match[2]})
    elif match := re.fullmatch(r"scheduler-policy (\S+)", words):
        found.bound[port] = (match[1], number)
    elif match := re.fullmatch(r"cable-length (\S+)", words):
        found.put("CABLE_LENGTH", "running-config", number, {port: match[1]})
    else:
        return False
    return True
