"""LLDP neighbours as ``lldpctl`` of lldpd tells them, in each of its formats."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Neighbor
from fabric_audit.platforms.hosts.linux.iproute import tells_json
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import consistent, json_document, mapping, numbered, readable, some, torn, whole

_ID_TYPES = frozenset({"mac", "ifname", "ifalias", "ip", "local", "component", "port", "circuit", "unhandled"})
_KEY_VALUE = re.compile(
    r"lldp\.(?P<port>[\w.@:-]+?)\.(?P<key>via|rid|age|chassis\.[^=]+|port\.[^=]+|[a-z][^=]*)=(?P<value>.*)"
)
_INTERFACE = re.compile(r"Interface:\s+(?P<port>\S+), via: (?P<via>[\w/]+)(?:, .*)?")
_PLAIN = re.compile(r"\s+(?P<key>ChassisID|SysName|PortID|PortDescr):\s*(?P<value>.*)")
_SECOND = re.compile(r"\s\s\w+:\s|Interface:\s+\S+, via:|lldp\.\S+=")
"""In a value: two lines that became one."""


@dataclass(slots=True)
class _Told:
    """What one neighbour said on one port; an id is ``TYPE VALUE``."""

    port: str
    via: str = "LLDP"
    line: int = 0
    name: str = ""
    chassis: str = ""
    port_id: str = ""
    description: str = ""


@section("lldpctl", Run("lldpctl", "-f", "json", root=True), yields=(Neighbor,), proven=Provenance.FIELD)
def parse_lldpctl(output: Output) -> Iterator[Answer]:
    """``lldpctl -f json``, ``json0``, ``keyvalue`` or plain: who is at the other end of each interface.

    ``json`` folds lists of one into objects and names a chassis by its system name, where it has one; ``json0``
    keeps all lists. A neighbour without a system name has the name "". Other protocols (CDP, EDP, FDP) are told by
    ``via``. No neighbour is no proof of no cable: the firmware of a NIC may keep LLDP frames to itself, and lldpd
    answers only after it has heard. Where the daemon does not run, or the user may not ask it, the words of stderr
    tell. Source: lldpd ``src/client/{json_writer,kv_writer,text_writer,display}.c``.
    """
    missing = tuple(refused(output, Neighbor))
    yield from missing or some(consistent(_neighbors(output)), output, "LLDP neighbours of lldpctl")


def _neighbors(output: Output) -> Iterator[Answer]:
    silent = True
    for told in _told(output.stdout):
        silent = False
        if isinstance(told, Skipped):
            yield told
        else:
            yield from readable(partial(_neighbor, told))
    headed = re.search(r"LLDP neighbors:|\"lldp\"", output.stdout)
    if silent and (headed or (not output.stdout.strip() and output.rc == 0)):
        yield Missing("neighbor", Why.ABSENT, "lldpd has heard no neighbour")


def _told(text: str) -> Iterator[_Told | Skipped]:
    if tells_json(text):
        yield from _of_json(text)
    elif re.search(r"^lldp\.\S+=", text, re.MULTILINE):
        yield from _of_key_values(text)
    else:
        yield from _of_plain(text)


def _neighbor(told: _Told) -> Neighbor:
    if not told.port_id or not told.chassis:
        raise ParseError(told.line, told.port, "a neighbour with chassis id and port id")
    return Neighbor(
        line=told.line or None,
        port=told.port,
        system_name=told.name,
        port_id=_id(told.port_id, told.line),
        chassis_id=_id(told.chassis, told.line),
        port_description=told.description or None,
        by=told.via.lower(),
    )


def _id(text: str, line: int) -> str:
    kind, _, value = text.partition(" ")
    if kind not in _ID_TYPES or not value:
        raise ParseError(line, text, "an id as TYPE VALUE, such as mac 02:00:5e:00:53:01")
    return value.lower() if kind == "mac" else value


def _of_json(text: str) -> Iterator[_Told]:
    document = mapping(json_document(text), "an object with lldp")
    if "lldp" not in document:
        raise ParseError(1, text.strip().split("\n")[0], "an object with lldp")
    for lldp in _list(document["lldp"]):
        for one in _list(mapping(lldp, "lldp as an object").get("interface")):
            interface = mapping(one, "an interface as an object")
            if "name" in interface and "chassis" in interface:
                yield _of_interface(_text(interface["name"]), interface)
            else:
                for port, each in interface.items():
                    for neighbor in _list(each):
                        yield _of_interface(port, mapping(neighbor, "a neighbour as an object"))


def _of_interface(port: str, one: Mapping[str, Any]) -> _Told:
    chassis, name = _first(one.get("chassis")), ""
    if "id" not in chassis and len(chassis) == 1:
        name, chassis = next(iter(chassis)), _first(next(iter(chassis.values())))
    end = _first(one.get("port"))
    return _Told(
        port=port,
        via=str(one.get("via", "LLDP")),
        name=name or _text(chassis.get("name")),
        chassis=_typed(chassis.get("id")),
        port_id=_typed(end.get("id")),
        description=_text(end.get("descr")),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _first(value: Any) -> Mapping[str, Any]:
    values = _list(value)
    return mapping(values[0], "an object") if values else {}


def _text(value: Any) -> str:
    one = _list(value)[0] if _list(value) else ""
    return str(one.get("value", "")) if isinstance(one, dict) else str(one)


def _typed(value: Any) -> str:
    one = _first(value)
    return f"{one.get('type', '')} {one.get('value', '')}"


def _of_key_values(text: str) -> Iterator[_Told | Skipped]:
    told: _Told | None = None
    for number, line in numbered(whole(text)):
        found = _one(_KEY_VALUE, line)
        if found and (found["key"] == "via" or told is None or told.port != found["port"]):
            if told:
                yield told
            told = _Told(port=found["port"], line=number)
        if found and told:
            _take(told, found["key"], found["value"])
        elif line:
            yield Skipped(number, line, "lldp.INTERFACE.KEY=VALUE")
    if told:
        yield told
    yield from torn(text)


def _one(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    found = pattern.fullmatch(line)
    return found if found and not _SECOND.search(found.groupdict().get("value") or "") else None


def _take(told: _Told, key: str, value: str) -> None:
    where, _, what = key.partition(".")
    if key == "via":
        told.via = value
    elif key == "chassis.name":
        told.name = value
    elif key == "port.descr":
        told.description = value
    elif where == "chassis" and what in _ID_TYPES:
        told.chassis = f"{what} {value}"
    elif where == "port" and what in _ID_TYPES:
        told.port_id = f"{what} {value}"


def _of_plain(text: str) -> Iterator[_Told | Skipped]:
    told: _Told | None = None
    for number, line in numbered(whole(text)):
        if found := _one(_INTERFACE, line):
            if told:
                yield told
            told = _Told(port=found["port"], via=found["via"], line=number)
        elif told and (found := _one(_PLAIN, line)):
            field = {"ChassisID": "chassis", "SysName": "name", "PortID": "port_id", "PortDescr": "description"}
            if getattr(told, field[found["key"]]):
                yield told
                yield Skipped(number, line, "the Interface line of the next neighbour")
                told = None
            else:
                setattr(told, field[found["key"]], found["value"].strip())
        elif line and (_PLAIN.fullmatch(line) or not re.match(r"\s|-+$|LLDP neighbors:", line)):
            yield Skipped(number, line, "Interface: NAME, via: LLDP")
    if told:
        yield told
    yield from torn(text)
