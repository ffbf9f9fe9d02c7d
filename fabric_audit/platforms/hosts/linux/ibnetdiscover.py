"""The topology of an InfiniBand fabric as ``ibnetdiscover`` tells it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from fabric_audit.facts.infiniband import IbPort
from fabric_audit.platforms.hosts.linux import ib_speeds, port_words
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, Skipped, When, section
from fabric_audit.platforms.text import consistent, numbered, readable, some, torn, whole

_TYPES = {"SW": "switch", "CA": "ca", "RT": "router", "S": "switch", "H": "ca", "R": "router"}
_END = r"(?P<{0}type>SW|CA|RT) +(?P<{0}lid>\d+) +(?P<{0}port>\d+) (?P<{0}guid>0x[0-9a-f]{{1,16}})"
_ROW = re.compile(
    rf"{_END.format('')} (?P<width>\d+)x (?P<speed>[A-Z0-9]+|\?\?\?)"
    rf"(?: - {_END.format('peer_')} \( '(?P<name>.*)' - '(?P<peer_name>.*)' \)|\s+'(?P<alone>.*)')"
)
_NODE = re.compile(
    r"(?P<type>Switch|Ca|Rt)\s+\d+ \"(?P<id>[SHR]-[0-9a-f]{1,16})\"\s+# \"(?P<name>.*)\"(?P<rest>[^\"]*)"
)
_LINK = re.compile(
    r"\[(?P<port>\d+)\](?:\((?P<guid>[0-9a-f]{1,16})\))?\s+\"(?P<peer>[SHR]-[0-9a-f]{1,16})\"\[(?P<peer_port>\d+)\]"
    r"(?:\((?P<peer_guid>[0-9a-f]{1,16})\))?\s+# (?P<told>.*)"
)
_HEAD = re.compile(r"#.*|(?:vendid|devid|sysimgguid|switchguid|caguid|rtguid)=0x[0-9a-f]+(?:\([0-9a-f]+\))?|DR path .*")
_SPEED = re.compile(r" (?P<width>\d+)x(?P<speed>[A-Z]+\d*)(?: |$)")
_SECOND = re.compile(
    r"['\")](?:SW|CA|RT) +\d+ +\d+ 0x|[\w)\"](?:Switch|Ca|Rt)\s+\d+ \"|[\w)\"]\[\d+\](?:\(\w+\))?\s+\"[SHR]-"
)
"""Within a line: the beginning of the next."""
_EXPECTED = "TYPE LID PORT GUID WIDTHx SPEED - TYPE LID PORT GUID ( 'NAME' - 'NAME' )"


@section(
    "ibnetdiscover",
    Run("ibnetdiscover", "-p", root=True),
    yields=(IbPort,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
    timeout_s=120.0,
)
def parse_ibnetdiscover(output: Output) -> Iterator[Answer]:
    """``ibnetdiscover``, with ``-p`` (a line a port) or without (a block a node): who is cabled to whom.

    With ``-p`` each link stands twice, once from each end; a port without a neighbour has only its own name, and its
    speed means nothing. Without ``-p`` a block names its node, then ``[PORT] "ID"[PORT]`` for each link; ``S-`` is a
    switch, ``H-`` a channel adapter, and the rate such as ``4xNDR`` comes last. Nothing is told of a port's state,
    but a link is up that was walked. Asked only on request, as it walks the whole fabric. Source: rdma-core
    ``infiniband-diags/ibnetdiscover.c``.
    """
    missing = tuple(refused(output, IbPort))
    yield from missing or some(consistent(_ports(output)), output, _EXPECTED)


@dataclass(frozen=True, slots=True)
class _Node:
    guid: str
    type: str
    name: str


def _ports(output: Output) -> Iterator[Answer]:
    node: _Node | None = None
    for number, line in numbered(whole(output.stdout)):
        if _SECOND.search(line, 1):
            node = None
            yield Skipped(number, line, "one row a line")
        elif row := _ROW.fullmatch(line):
            yield from readable(partial(_of_row, row, number))
        elif found := _NODE.fullmatch(line):
            node = _Node(found["id"][2:].zfill(16), _TYPES[found["id"][0]], found["name"])
        elif _HEAD.fullmatch(line):
            node = None
        elif link := _LINK.fullmatch(line):
            if node:
                yield from readable(partial(_of_link, link, node, number))
            else:
                yield Skipped(number, line, "the line of the node: one is lost")
        elif line:
            yield Skipped(number, line, _EXPECTED)
    yield from torn(output.stdout)


def _of_row(row: re.Match[str], line: int) -> IbPort:
    linked = row["peer_guid"] is not None
    width, generation = int(row["width"]), row["speed"]
    return IbPort(
        line=line,
        guid=port_words.guid(row["guid"][2:].zfill(16), line),
        port=int(row["port"]),
        node=row["name"] if linked else row["alone"],
        node_type=_TYPES[row["type"]],
        lid=int(row["lid"]),
        width=width if linked else None,
        generation=generation if linked else None,
        rate_bps=ib_speeds.rate_bps(width, generation, line) if linked else None,
        peer=row["peer_name"],
        peer_guid=port_words.guid(row["peer_guid"][2:].zfill(16), line) if linked else None,
        peer_lid=int(row["peer_lid"]) if linked else None,
        peer_port=int(row["peer_port"]) if linked else None,
    )


def _of_link(link: re.Match[str], node: _Node, line: int) -> IbPort:
    speed = _SPEED.search(f" {link['told']}")
    name = re.search(r"\"(.*)\"", link["told"])
    width = int(speed["width"]) if speed else None
    generation = speed["speed"] if speed else None
    return IbPort(
        line=line,
        guid=port_words.guid((link["guid"] or node.guid).zfill(16), line),
        port=int(link["port"]),
        node=node.name,
        node_type=node.type,
        width=width,
        generation=generation,
        rate_bps=ib_speeds.rate_bps(width, generation, line) if width and generation else None,
        peer=name[1] if name else None,
        peer_guid=port_words.guid((link["peer_guid"] or link["peer"][2:]).zfill(16), line),
        peer_port=int(link["peer_port"]),
    )
