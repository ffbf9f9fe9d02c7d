"""The running configuration of the CLI, turned back into the CONFIG_DB tables that it is printed from.

::

    qos map dscp-tc ROCE                                  DSCP_TO_TC_MAP|ROCE
     dscp 24,26 traffic-class 3                             24: 3, 26: 3
    interface Eth1/1                                      PORT|Eth1/1, PORT_QOS_MAP|Eth1/1, PFC_WD|Eth1/1
     mtu 9216                                               mtu: 9216
     priority-flow-control priority 3                       pfc_enable: 3
     priority-flow-control watchdog on detect-time 200      detection_time: 200
     queue 3 wred-policy ROCE                             QUEUE|Eth1/1|3

So the tables mean here what they mean on every SONiC, and what is said of them is said once. Lines may have lost
their indentation: a block starts with its first line and ends with the next block's. Lines about anything else
are left out. Thresholds of WRED are printed in units of 1000 bytes: see :func:`.definitions.kilobytes`.
"""

import re
from collections.abc import Callable

from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.switches.dell_sonic.definitions import qos_map, scheduler_policy, wred_policy
from fabric_audit.platforms.switches.dell_sonic.interfaces import interface, interface_range
from fabric_audit.platforms.switches.dell_sonic.tables import MAPS, Block, Configuration, anything
from fabric_audit.platforms.switches.sonic.database import Database
from fabric_audit.platforms.text import numbered


def read_configuration(text: str) -> Configuration:
    """Every line of the configuration that says something about ports or quality of service."""
    found = Configuration()
    block: Block = anything
    scheduling = False
    lines = [(number, line) for number, line in numbered(text) if not is_noise(line)]
    flat = not any(line.startswith(" ") for _, line in lines)
    for number, line in lines:
        words = line.strip()
        outermost = flat or not line.startswith(" ")
        if words == "!":
            block = block if (flat and scheduling) or not outermost else anything
        elif outermost and (opened := _opened(found, number, words)):
            block = opened
            scheduling = words.startswith("qos scheduler-policy")  # its queues are blocks of their own
        elif outermost and not flat:
            block = anything
        elif not block(number, words):
            found.skipped.append(Skipped(number, words, "a line of klish about quality of service"))
    _spread_schedulers(found)
    _settle_watchdogs(found)
    return found


def database(found: Configuration) -> Database:
    """The tables as a database; definitions count as absent only where the text has any."""
    defining = {"WRED_PROFILE", *(table for table, _ in MAPS.values())}
    defines = bool(found.policies) or not defining.isdisjoint(found.tables)
    return Database("", found.tables, source="running-config", defines=defines)


def _opened(found: Configuration, number: int, words: str) -> Block | None:
    """The block that a line opens; lines without a block of their own are read at once."""
    for pattern, opens in _OPENERS:
        match = re.fullmatch(pattern, words)
        if match:
            return opens(found, number, *match.groups())
    return None


def _spread_schedulers(found: Configuration) -> None:
    """Spread the policy of each port over its queues; a policy that is not defined stays as a reference."""
    for port, (policy, line) in found.bound.items():
        queues = [key for key in found.tables.get("SCHEDULER", {}) if key.startswith(f"{policy}@")]
        for scheduler in queues:
            queue = scheduler.rpartition("@")[2]
            found.put("QUEUE", f"{port}|{queue}", line, {"scheduler": scheduler})
        if policy not in found.policies:
            found.put("QUEUE", f"{port}|0-7", line, {"scheduler": policy})


def _settle_watchdogs(found: Configuration) -> None:
    """Action and times say something only where the watchdog is on."""
    for port, settings in found.tables.pop("WATCHDOG", {}).items():
        if port in found.tables.get("PFC_WD", {}):
            for name, value in settings.fields.items():
                found.put("PFC_WD", port, settings.lines[name], {name: value})


def _line(table: str, key: str, name: str) -> Callable[..., Block]:
    """An opener for a line without a block: it sets one field."""

    def put(found: Configuration, number: int, value: str) -> Block:
        found.put(table, key, number, {name: value})
        return anything

    return put


def _pool(found: Configuration, number: int, name: str, size: str) -> Block:
    direction = name.partition("_")[0]
    found.put("BUFFER_POOL", name, number, {"xoff": size, "type": direction})
    return anything


_OPENERS: tuple[tuple[str, Callable[..., Block]], ...] = (
    (r"interface range (\S.*)", interface_range),
    (r"interface (?!range )(\S.*)", interface),
    (r"qos map (\S+) (\S+)", qos_map),
    (r"qos wred-policy (\S+)", wred_policy),
    (r"qos scheduler-policy (\S+)", scheduler_policy),
    (r"hostname (\S+)", _line("DEVICE_METADATA", "localhost", "hostname")),
    (r"priority-flow-control watchdog polling-interval (\d+)", _line("PFC_WD", "GLOBAL", "POLL_INTERVAL")),
    (r"buffer pool (\S+) shared-headroom-size (\d+)", _pool),
    (r"(roce) enable\b.*", _line("DEVICE_METADATA", "localhost", "roce")),
    (r"buffer init (lossless)\b.*", _line("DEVICE_METADATA", "localhost", "buffers")),
)
