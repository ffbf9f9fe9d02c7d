"""SONiC's CONFIG_DB as its commands print it: tables of entries, whichever of three spellings they come in.

* nested, as ``show runningconfiguration all`` and ``/etc/sonic/config_db.json`` have it:
  ``{"PORT": {"Ethernet0": {"mtu": "9100"}}}``
* flat, as ``sonic-db-dump`` has it: ``{"PORT|Ethernet0": {"value": {"mtu": "9100"}}}``
* per ASIC, as boxes with several ASICs have it: ``{"localhost": {nested}, "asic0": {nested}}``

References between entries are ``[TABLE|key]`` up to database version 3_0_1 and a plain ``key`` since 3_0_3
(sonic-utilities scripts/db_migrator.py); both can stand in one file.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.platforms.json_lines import JsonObject, json_document
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.partial import kept
from fabric_audit.platforms.text import integer

KNOWN_TABLES = frozenset(
    {
        "BUFFER_PG",
        "BUFFER_POOL",
        "BUFFER_PROFILE",
        "BUFFER_QUEUE",
        "CABLE_LENGTH",
        "DEVICE_METADATA",
        "DSCP_TO_TC_MAP",
        "MAP_PFC_PRIORITY_TO_QUEUE",
        "PFC_WD",
        "PORT",
        "PORT_QOS_MAP",
        "QUEUE",
        "SCHEDULER",
        "TC_TO_PRIORITY_GROUP_MAP",
        "TC_TO_QUEUE_MAP",
        "WRED_PROFILE",
    }
)
"""Tables that tell a CONFIG_DB from other JSON (sonic-swss-common common/schema.h)."""

_REFERENCE = re.compile(r"\[[A-Z0-9_]+[|:](.*)\]")
_NAMESPACE = re.compile(r"localhost|asic\d+")
_INTERNAL_ROLES = frozenset({"Int", "Inb", "Rec", "Dpc"})
_INTERNAL_NAMES = re.compile(r"Ethernet-(BP|IB|Rec)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table: ``line`` is that of its key, ``lines`` those of its fields."""

    key: str
    line: int
    fields: Mapping[str, Any]
    lines: Mapping[str, int]

    def text(self, field: str) -> str | None:
        """The field as text; None where it is absent or empty.

        Raises:
            ParseError: it is neither text nor a number, nor a list of such.
        """
        value = self.fields.get(field)
        if isinstance(value, list):
            value = ",".join(map(str, value))
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise ParseError(self.at(field), f"{field}: {value}", "a text or a number")
        return value or None

    def number(self, field: str) -> int | None:
        """The field as a whole number; None where it is absent.

        Raises:
            ParseError: it is something else.
        """
        text = self.text(field)
        return None if text is None else integer(text, self.at(field), f"a whole number for {field}")

    def reference(self, field: str) -> str | None:
        """The key that the field names in another table, in either spelling."""
        text = self.text(field)
        found = _REFERENCE.fullmatch(text) if text else None
        return found[1] if found else text

    def at(self, field: str) -> int:
        """The line of the field, of the entry where it has no such field."""
        return self.lines.get(field, self.line)


Table = Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Database:
    """The CONFIG_DB of one ASIC.

    Attributes:
        namespace: empty on a box that has only one ASIC.
        tables: entries by table and key.
        source: which text it was read from, as facts name it.
        defines: whether a profile or map that the text does not define does not exist.
    """

    namespace: str
    tables: Mapping[str, Table]
    source: str = "CONFIG_DB"
    defines: bool = True

    def table(self, name: str) -> Table:
        """The entries of a table by key; empty where there is no such table."""
        return self.tables.get(name, {})

    @property
    def complete(self) -> bool:
        """Whether the text is a whole configuration: only then does absence mean the default."""
        return "PORT" in self.tables

    @property
    def ports(self) -> tuple[str, ...]:
        """Every physical port; where the text has no PORT table, the ports that its other tables name."""
        if self.complete:
            return tuple(name for name in self.table("PORT") if name.startswith("Eth"))
        named = (
            port for table in ("PORT_QOS_MAP", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE") for port in self._named(table)
        )
        return tuple(dict.fromkeys(named))

    def _named(self, table: str) -> Iterator[str]:
        for key in self.table(table):
            yield from (port for port in key.split("|")[0].split(",") if port.startswith("Eth"))

    def is_internal(self, port: str) -> bool:
        """Whether the port has no cage: backplane between ASICs, inband, recycle, towards a DPU on the board."""
        entry = self.table("PORT").get(port)
        role = entry.fields.get("role") if entry else None
        return role in _INTERNAL_ROLES or bool(_INTERNAL_NAMES.match(port))

    def bound(self, name: str) -> Mapping[str, tuple[Entry, ...]]:
        """The entries of a table keyed by port, such as PORT_QOS_MAP, by port; a key may name several ports."""
        found: dict[str, tuple[Entry, ...]] = {}
        for entry in self.table(name).values():
            for port in entry.key.split(","):
                found[port] = (*found.get(port, ()), entry)
        return found

    def indexed(self, name: str) -> Mapping[str, Mapping[int, tuple[Entry, ...]]]:
        """The entries of a table keyed by port and queue or priority group, by both; the most special comes last.

        ``Ethernet0|3-4``, ``Ethernet0,Ethernet4|3`` and, on a chassis with virtual output queues,
        ``host|asic|Ethernet0|3``: of the latter those of other line cards are left out.
        """
        spread: list[tuple[int, str, range, Entry]] = []
        for entry in self.table(name).values():
            owner, ports, indices = _split(entry.key)
            if self._owns(owner):
                spread += [(len(indices), port, indices, entry) for port in ports]
        found: dict[str, dict[int, tuple[Entry, ...]]] = {}
        for _, port, indices, entry in sorted(spread, key=lambda item: -item[0]):
            of_port = found.setdefault(port, {})
            for index in indices:
                of_port[index] = (*of_port.get(index, ()), entry)
        return found

    def _owns(self, owner: tuple[str, ...]) -> bool:
        local = self.table("DEVICE_METADATA").get("localhost")
        if not owner or local is None:
            return True
        return owner == (local.fields.get("hostname"), local.fields.get("asic_name"))


def _split(key: str) -> tuple[tuple[str, ...], tuple[str, ...], range]:
    """Owner, ports and indices of a key; no indices where it is none."""
    path, _, numbers = key.rpartition("|")
    *owner, ports = path.split("|")
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", numbers)
    indices = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    return tuple(owner), tuple(ports.split(",")), indices


def unreadable_keys(database: Database, name: str) -> Iterator[Skipped]:
    """Entries of a table keyed by port and index whose key names no index."""
    for entry in database.table(name).values():
        if not _split(entry.key)[2]:
            yield Skipped(entry.line, entry.key, "a key such as Ethernet0|3 or Ethernet0|3-4")


def holder(entries: Iterable[Entry], field: str) -> Entry | None:
    """The entry whose value of the field counts: the last that has it."""
    return next((entry for entry in reversed(tuple(entries)) if entry.text(field) is not None), None)


def read_databases(text: str) -> tuple[Database, ...]:
    """Every CONFIG_DB of the text: one, or one for each ASIC.

    Raises:
        ParseError: the text is no JSON, or the JSON is no CONFIG_DB.
    """
    document = json_document(text)
    if not isinstance(document, JsonObject):
        raise ParseError(1, str(document), "a JSON object of CONFIG_DB tables")
    parts = [(name, part) for name, part in document.members.items() if _NAMESPACE.fullmatch(name)]
    if parts and len(parts) == len(document.members):
        found = [_database(name, part) for name, part in parts if isinstance(part, JsonObject)]
    else:
        found = [_database("", document)]
    if not any(KNOWN_TABLES & database.tables.keys() for database in found):
        raise ParseError(1, ", ".join(document.members), "CONFIG_DB tables such as PORT or PORT_QOS_MAP")
    return tuple(found)


def _database(namespace: str, document: JsonObject) -> Database:
    tables: dict[str, dict[str, Entry]] = {}
    for name, member in document.members.items():
        if not isinstance(member, JsonObject):
            continue
        table, flat, key = name.partition("|")
        of_table = tables.setdefault(table, {})
        if flat:
            value = member.members.get("value", member)
            of_table[key] = _entry(key, document.lines[name], value)
        else:
            of_table.update(
                (inner, _entry(inner, member.lines[inner], value)) for inner, value in member.members.items()
            )
    return Database(namespace, tables)


def _entry(key: str, line: int, value: Any) -> Entry:
    fields, lines = (value.members, value.lines) if isinstance(value, JsonObject) else ({}, {})
    return Entry(key, line, fields, lines)


def each(entries: Iterable[Entry], read: Callable[[Entry], Iterator[Answer]]) -> Iterator[Answer]:
    """What ``read`` makes of every entry; an entry it cannot read is left out and listed."""
    for entry in entries:
        yield from kept(read(entry))


def broken(database: Database, table: str, name: str, entry: Entry, field: str) -> BrokenReference | Missing:
    """An entry names one that does not exist; an excerpt may just not show it."""
    if table in database.tables or (database.complete and database.defines):
        line = entry.at(field)
        return BrokenReference(owner=entry.key, field=field, target=f"{table} {name}", line=line)
    words = f"{table} {name} is in use, and the excerpt does not show it"
    return Missing(BrokenReference.TABLE, Why.NOT_COLLECTED, words)
