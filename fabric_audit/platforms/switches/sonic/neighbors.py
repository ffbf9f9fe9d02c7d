"""LLDP neighbours."""

import re
from collections.abc import Iterator, Mapping

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Neighbor
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.partial import settled
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows
from fabric_audit.platforms.text import numbered, plain

_TOTAL = re.compile(r"^\s*Total entries displayed:\s+(\d+)\s*$", re.MULTILINE)
_CHATTER = r"Capability codes:|-+$|\s*Total entries displayed:"


@section("show-lldp-table", Cli("show lldp table"), yields=(Neighbor,), proven=Provenance.DOCUMENT)
def show_lldp_table(output: Output) -> Iterator[Answer]:
    """``show lldp table``: one row a neighbour; a line with their number ends it, and a text without it was cut.

    The name and the port description are empty where the neighbour does not announce them. Source: sonic-utilities
    scripts/lldpshow.
    """
    required = ("LocalPort", "RemoteDevice", "RemotePortID", "RemotePortDescr")
    answers = tuple(read_rows(output.stdout, required, _neighbor, (Neighbor,), chatter=_CHATTER))
    neighbors = [answer for answer in answers if isinstance(answer, Neighbor)]
    total = _TOTAL.search(plain(output.stdout))
    if total is None:
        neighbors = neighbors[:-1]  # the text was cut, and so may the last row be
    yield from neighbors
    yield from (answer for answer in answers if not isinstance(answer, Neighbor))
    if total is None or int(total[1]) != len(neighbors):
        found = total[0].strip() if total else ""
        yield Skipped(
            output.stdout.count("\n") + 1, found, f"Total entries displayed: {len(neighbors)}, as there are rows"
        )


def _neighbor(row: Row) -> Iterator[Answer]:
    if not re.fullmatch(r"(?i:ethernet|eth|etp|mgmt|management)\d.*", row.port("LocalPort")):
        raise ParseError(row.line, row["LocalPort"], "a port such as Ethernet0, or eth0")
    yield Neighbor(
        port=row.port("LocalPort"),
        system_name=row.get("RemoteDevice"),
        port_id=row["RemotePortID"],
        port_description=row.get("RemotePortDescr") or None,
        by="lldp",
        line=row.line,
    )


@section(
    "show-lldp-neighbors",
    Cli("show lldp neighbors"),
    yields=(Neighbor,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_lldp_neighbors(output: Output) -> Iterator[Answer]:
    """``show lldp neighbors``: what ``lldpctl`` prints, a block of indented fields for each neighbour.

    It has the chassis id, which the table lacks. A line of dashes ends each block; a last block without one was cut.
    The first word of ids is their type: ``mac 02:00:…``, ``ifname Ethernet1``, ``local etp1``. Source: lldpd
    src/client/text_writer.c.
    """
    yield from settled(_blocks(output.stdout), (Neighbor,), "lldpctl names no neighbour")


_INTERFACE = re.compile(r"Interface:\s+(\S+), via: ")
_FIELD = re.compile(r"\s+(ChassisID|SysName|PortID|PortDescr):\s+(\S.*)")
_TYPED = re.compile(r"(?:mac|ifname|ifalias|local|ip|unhandled|chassis|port) +(.*)")
_FENCE = re.compile(r"-{20,}")


def _blocks(text: str) -> Iterator[Answer]:
    port, at = "", 0
    fields: dict[str, str] = {}
    headed = False
    for number, line in numbered(text):
        interface = _INTERFACE.match(line)
        field = _FIELD.fullmatch(line)
        headed = headed or line.startswith("LLDP neighbors")
        if interface:
            port, at, fields = interface[1], number, {}
        elif field and port:
            fields[field[1]] = field[2]
        elif _FENCE.fullmatch(line) and port:
            yield _of_block(port, at, fields)
            port = ""
    if port:
        yield Skipped(at, port, "a block that ends with a line of dashes")
    elif not headed:
        yield Skipped(1, text.strip()[:200], "LLDP neighbors:")


def _of_block(port: str, line: int, fields: Mapping[str, str]) -> Answer:
    if "PortID" not in fields:
        return Skipped(line, port, "a block with a PortID")
    chassis = fields.get("ChassisID")
    return Neighbor(
        port=port,
        system_name=fields.get("SysName", ""),
        port_id=_untyped(fields["PortID"]),
        chassis_id=_untyped(chassis) if chassis else None,
        port_description=fields.get("PortDescr"),
        by="lldp",
        line=line,
    )


def _untyped(identifier: str) -> str:
    found = _TYPED.fullmatch(identifier)
    return found[1].strip() if found else identifier
