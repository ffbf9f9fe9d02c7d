"""Ports and their settings as a matrix: ports that are set alike stand in one row, and what few have is marked."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.report.subjects import Folded, folded

if TYPE_CHECKING:
    import pandas as pd

End: TypeAlias = tuple[str, str]
SIDES = {"nic": "NIC", "host": "switch port to a host", "fabric": "switch port to a switch"}
SETTINGS = ("speed", "MTU", "FEC", "trust", "PFC", "802.3x pause", "ECN queues", "watchdog queues")
UNTOLD = "not told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One setting; ``rare`` where most ports of the same side have another."""

    value: str
    rare: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """All ports of one side that are set alike."""

    side: str
    ports: Folded
    count: int
    cells: tuple[Cell, ...]


def matrix(tables: Callable[[str], "pd.DataFrame"]) -> tuple[Row, ...]:
    """Every port of the fabric, those set like most in front."""
    settings = _settings(tables)
    groups: dict[tuple[str, tuple[str, ...]], list[End]] = {}
    for end, side in _ends(tables("fabric_port")):
        values = tuple(settings[name].get(end, UNTOLD) for name in SETTINGS)
        groups.setdefault((side, values), []).append(end)
    usual = _usual(groups)
    rows = [
        Row(
            side=SIDES.get(side, side),
            ports=folded(ends),
            count=len(ends),
            cells=tuple(Cell(value=v, rare=v != most) for v, most in zip(values, usual[side], strict=True)),
        )
        for (side, values), ends in groups.items()
    ]
    order = list(SIDES.values())
    return tuple(sorted(rows, key=lambda row: (order.index(row.side) if row.side in order else -1, -row.count)))


def _usual(groups: Mapping[tuple[str, tuple[str, ...]], list[End]]) -> dict[str, list[str]]:
    """By side, the value that most ports have of each setting."""
    counts: dict[str, list[Counter[str]]] = {}
    for (side, values), ends in groups.items():
        mine = counts.setdefault(side, [Counter() for _ in SETTINGS])
        for count, value in zip(mine, values, strict=True):
            count[value] += len(ends)
    return {side: [count.most_common(1)[0][0] for count in mine] for side, mine in counts.items()}


def _ends(fabric_port: "pd.DataFrame") -> Iterable[tuple[End, str]]:
    columns = (fabric_port[name].astype("string").fillna("") for name in ("target", "port", "side"))
    return (((target, port), side) for target, port, side in zip(*columns, strict=True))


def _settings(tables: Callable[[str], "pd.DataFrame"]) -> dict[str, dict[End, str]]:
    interface, pfc = tables("interface"), tables("pfc_port")
    queues, watchdog = tables("queue"), tables("pfc_watchdog")
    return {
        "speed": _told(interface, "speed_bps", lambda v: f"{v / 1e9:g}G"),
        "MTU": _told(interface, "mtu_bytes", str),
        "FEC": _told(interface, "fec_mode", str),
        "trust": _told(interface, "trust_mode", str),
        "PFC": _told(pfc, "admin_priorities", str) | _told(pfc, "oper_priorities", lambda v: v or "off"),
        "802.3x pause": _told(interface, "link_pause_rx", _on) | _told(interface, "link_pause_tx", _on),
        "ECN queues": _numbers(queues, "ecn"),
        "watchdog queues": _numbers(watchdog, "enabled"),
    }


def _on(value: bool) -> str:
    return "on" if value else "off"


def _told(frame: "pd.DataFrame", column: str, words: Callable[[Any], str]) -> dict[End, str]:
    known = frame[frame[column].notna()]
    return {
        (target, port): words(value)
        for target, port, value in zip(known["target"], known["port"], known[column], strict=True)
    }


def _numbers(frame: "pd.DataFrame", column: str) -> dict[End, str]:
    """Queues of a port for which something is on, as text; none is an answer where it is told that it is off."""
    found: dict[End, list[int]] = {}
    known = frame[frame[column].notna()].drop_duplicates(["target", "port", "queue"])
    for target, port, queue, on in zip(*(known[n] for n in ("target", "port", "queue", column)), strict=True):
        mine = found.setdefault((target, port), [])
        if on:
            mine.append(int(queue))
    return {
        end: ", ".join("port" if n < 0 else str(n) for n in sorted(queues)) or "none" for end, queues in found.items()
    }
