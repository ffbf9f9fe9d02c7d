"""Port channels of SONiC: configured members, and what LACP makes of them."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.routing import Lag, LagMember
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.sonic.database import Database, Entry, each
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows

_PROTOCOL = re.compile(r"(LACP|NONE)\((A|I)\)\((Up|Dw|N/A)\)|N/A")
_MEMBER = re.compile(r"(\S+?)\(([SD])(\*)?\)")
_REASONS = {("D", ""): "deselected", ("S", "*"): "selected, not synced", ("D", "*"): "deselected, not synced"}


def configured(database: Database) -> Iterator[Answer]:
    """``PORTCHANNEL``, with its least number of links, and ``PORTCHANNEL_MEMBER``, keyed by both names.

    Source: sonic-yang-models, sonic-portchannel.yang: LACP unless ``static`` says true.
    """

    def aggregate(entry: Entry) -> Iterator[Answer]:
        protocol = "static" if entry.text("static") == "true" else "lacp"
        yield Lag(lag=entry.key, protocol=protocol, min_links=entry.number("min_links"), line=entry.line)

    yield from each(database.table("PORTCHANNEL").values(), aggregate)
    for entry in database.table("PORTCHANNEL_MEMBER").values():
        lag, _, port = entry.key.partition("|")
        if port:
            yield LagMember(lag=lag, port=port, line=entry.line)


@section(
    "show-interfaces-portchannel",
    Cli("show interfaces portchannel"),
    yields=(Lag, LagMember),
    proven=Provenance.DOCUMENT,
)
def show_interfaces_portchannel(output: Output) -> Iterator[Answer]:
    """``show interfaces portchannel``: one row an aggregate, its members in the last column, or before the LACP keys.

    ``LACP(A)(Up)``: active or inactive, up or down. ``Ethernet0(S)`` carries traffic, ``(D)`` does not, ``*`` is out of
    step with what teamd wants. A row that was cut in its list of members is refused.

    Source: sonic-utilities scripts/teamshow.
    """
    legend = r"Flags: |\s+S - selected"
    yield from read_rows(
        output.stdout, ("No.", "Team Dev", "Protocol", "Ports"), _aggregate, (Lag, LagMember), chatter=legend
    )


def _aggregate(row: Row) -> Iterator[Answer]:
    name = row.name("Team Dev")
    state = _PROTOCOL.fullmatch(row["Protocol"])
    if not state:
        raise ParseError(row.line, row["Protocol"], "a protocol such as LACP(A)(Up)")
    yield Lag(
        lag=name,
        protocol={"LACP": "lacp", "NONE": "static"}.get(state[1] or ""),
        oper_up={"Up": True, "Dw": False}.get(state[3] or ""),
        line=row.line,
    )
    for word in row["Ports"].split():
        member = _MEMBER.fullmatch(word)
        if member:
            bundled = member[2] == "S" and not member[3]
            reason = None if bundled else _REASONS[member[2], member[3] or ""]
            yield LagMember(lag=name, port=member[1], bundled=bundled, reason=reason, line=row.line)
        elif word != "N/A":
            raise ParseError(row.line, word, "members such as Ethernet0(S)")
