"""The CONFIG_DB tables that a running configuration of the CLI is read into, line by line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.switches.sonic.database import Entry

MAPS = {
    "dscp-tc": ("DSCP_TO_TC_MAP", "dscp_to_tc_map"),
    "dot1p-tc": ("DOT1P_TO_TC_MAP", "dot1p_to_tc_map"),
    "tc-queue": ("TC_TO_QUEUE_MAP", "tc_to_queue_map"),
    "tc-pg": ("TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map"),
    "tc-dscp": ("TC_TO_DSCP_MAP", "tc_to_dscp_map"),
    "tc-dot1p": ("TC_TO_DOT1P_MAP", "tc_to_dot1p_map"),
    "pfc-priority-queue": ("MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map"),
    "pfc-priority-pg": ("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "pfc_to_pg_map"),
}
"""Kind of map → its table, and the field of PORT_QOS_MAP that binds it."""


@dataclass(slots=True)
class Configuration:
    """Tables as they grow, with what stands beside them."""

    tables: dict[str, dict[str, Entry]] = field(default_factory=dict)
    policies: dict[str, int] = field(default_factory=dict)
    """Scheduler policies by name, with their line."""
    bound: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Scheduler policy of each port, with its line."""
    silent: set[str] = field(default_factory=set)
    """Ports whose block says neither ``shutdown`` nor ``no shutdown``."""
    doubts: set[tuple[str, str]] = field(default_factory=set)
    """Ports and fact tables about which a line could not be read: what is said of them may be wrong."""
    skipped: list[Skipped] = field(default_factory=list)

    def entry(self, table: str, key: str, line: int) -> Entry:
        """The entry, made where there is none."""
        return self.tables.setdefault(table, {}).setdefault(key, Entry(key, line, {}, {}))

    def put(self, table: str, key: str, line: int, values: Mapping[str, str]) -> None:
        """Set fields of an entry."""
        entry = self.entry(table, key, line)
        entry.fields.update(values)  # type: ignore[attr-defined]  # its own mapping, still growing
        entry.lines.update(dict.fromkeys(values, line))  # type: ignore[attr-defined]  # the same


Block = Callable[[int, str], bool]
"""Reads one line of a block; False if it ought to have been understood."""


def anything(_number: int, _words: str) -> bool:
    """The block of lines that are none of our business."""
    return True
