"""Classification: which maps are bound to a port, and what they say."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, PfcPriorityMap, TrafficClassMap
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.switches.sonic.database import Database, Entry, broken, holder

_DSCP, _PCP, _QUEUE, _PG = "dscp_to_tc_map", "dot1p_to_tc_map", "tc_to_queue_map", "tc_to_pg_map"
_PFC_QUEUE, _PFC_PG, _REWRITE = "pfc_to_queue_map", "pfc_to_pg_map", "tc_to_dscp_map"
_TABLES = {
    _DSCP: "DSCP_TO_TC_MAP",
    _PCP: "DOT1P_TO_TC_MAP",
    _QUEUE: "TC_TO_QUEUE_MAP",
    _PG: "TC_TO_PRIORITY_GROUP_MAP",
    _PFC_QUEUE: "MAP_PFC_PRIORITY_TO_QUEUE",
    _PFC_PG: "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    _REWRITE: "TC_TO_DSCP_MAP",
}
"""Field of PORT_QOS_MAP → the table it points into."""


@dataclass(frozen=True, slots=True)
class _Target:
    value: int
    line: int


_Rows = Mapping[int, _Target]


def trust_mode(bindings: Iterable[Entry]) -> str:
    """What classifies packets: the maps that are bound; without one every packet is traffic class 0.

    SAI inc/saiport.h: SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP and SAI_PORT_ATTR_QOS_DOT1P_TO_TC_MAP default to no map.
    """
    entries = tuple(bindings)
    dscp, pcp = holder(entries, _DSCP), holder(entries, _PCP)
    if dscp:
        return "dscp_pcp" if pcp else "dscp"
    return "pcp" if pcp else "none"


def configured(database: Database) -> Iterator[Answer]:
    """Every row of every map that is bound to a port, as rows of that port.

    ``PORT_QOS_MAP|global`` binds a DSCP map to all ports that bind none (sonic-swss orchagent/qosorch.cpp,
    handleGlobalQosMap). ``line`` is the row of the map, where a remedy has to be made.
    """
    maps: dict[tuple[str, str], _Rows] = {}
    for table in _TABLES.values():
        for entry in database.table(table).values():
            rows: dict[int, _Target] = {}
            yield from _read_map(entry, rows)
            maps[table, entry.key] = rows
    bindings = database.bound("PORT_QOS_MAP")
    told: set[str] = set()
    named: set[str] = set()
    for port in database.ports:
        found: dict[str, _Rows] = {}
        entries = (*bindings.get("global", ()), *bindings.get(port, ()))
        named |= {field for field in _TABLES if holder(entries, field)}
        yield from _bound_maps(database, entries, maps, found)
        for fact in _of_port(port, found):
            told.add(fact.TABLE)
            yield fact
    if database.complete:
        for name, field in (("dscp_map", _DSCP), ("traffic_class_map", _QUEUE), ("pfc_priority_map", _PFC_QUEUE)):
            if name not in told:
                words = f"{field}: {'maps that are not there' if field in named else 'no port has one'}"
                yield Missing(name, Why.NOT_COLLECTED if field in named else Why.ABSENT, words)


def _read_map(entry: Entry, rows: dict[int, _Target]) -> Iterator[Skipped]:
    for field in entry.fields:
        try:
            source, target = (_number(word, entry, field) for word in (field, entry.text(field)))
        except ParseError as error:
            yield Skipped(error.line, error.text, error.expected)
        else:
            rows[source] = _Target(target, entry.at(field))


def _number(word: str | None, entry: Entry, field: str) -> int:
    if word is None or not re.fullmatch(r"\d{1,3}", word):
        raise ParseError(entry.at(field), f"{field}: {entry.fields[field]}", "a number mapped to a number")
    return int(word)


def _bound_maps(
    database: Database,
    entries: tuple[Entry, ...],
    maps: Mapping[tuple[str, str], _Rows],
    found: dict[str, _Rows],
) -> Iterator[Answer]:
    for field, table in _TABLES.items():
        entry = holder(entries, field)
        name = entry.reference(field) if entry else None
        if entry is None or name is None:
            continue
        if (table, name) in maps:
            found[field] = maps[table, name]
        else:
            yield broken(database, table, name, entry, field)


def _of_port(
    port: str, maps: Mapping[str, _Rows]
) -> Iterator[DscpMap | PcpMap | TrafficClassMap | PfcPriorityMap | DscpRewrite]:
    for dscp, to in maps.get(_DSCP, {}).items():
        yield DscpMap(port=port, dscp=dscp, traffic_class=to.value, line=to.line)
    for pcp, to in maps.get(_PCP, {}).items():
        yield PcpMap(port=port, pcp=pcp, traffic_class=to.value, line=to.line)
    for traffic_class, queue, pg, line in _joined(maps.get(_QUEUE, {}), maps.get(_PG, {})):
        yield TrafficClassMap(port=port, traffic_class=traffic_class, queue=queue, pg=pg, line=line)
    for priority, queue, pg, line in _joined(maps.get(_PFC_QUEUE, {}), maps.get(_PFC_PG, {})):
        yield PfcPriorityMap(port=port, priority=priority, queue=queue, pg=pg, line=line)
    for traffic_class, to in maps.get(_REWRITE, {}).items():
        yield DscpRewrite(port=port, traffic_class=traffic_class, dscp=to.value, line=to.line)


def _joined(queues: _Rows, pgs: _Rows) -> Iterator[tuple[int, int | None, int | None, int]]:
    """(key, queue, priority group, line) of every key of either map."""
    for key in sorted(queues.keys() | pgs.keys()):
        queue, pg = queues.get(key), pgs.get(key)
        yield key, queue.value if queue else None, pg.value if pg else None, (queue or pg or _Target(0, 0)).line
