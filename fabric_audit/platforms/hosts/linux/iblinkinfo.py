"""All links of an InfiniBand fabric as ``iblinkinfo`` tells them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.infiniband import IbPort
from fabric_audit.platforms.hosts.linux import ib_speeds, port_words
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, Skipped, When, section
from fabric_audit.platforms.text import consistent, numbered, readable, some, torn, whole

_NODE = re.compile(r"(?P<type>Switch|CA|Router): (?:(?P<guid>0x[0-9a-f]{1,16}) )?(?P<name>.*):")
_PORT = re.compile(
    r"\s*(?:(?P<guid>0x[0-9a-f]{1,16}) +(?:\"(?P<name>[^\"]*)\" +)?)?(?P<lid>\d+) +(?P<port>\d+)\[ *\d* *\] "
    r"==\( *(?:(?P<width>\d+)X +(?P<speed>[\d.]+ Gbps(?: \(FDR10\))?) +)?(?P<state>\w+)/ *(?P<physical>\w[\w ]*?)"
    r"(?: \(HOQ:[^)]*\))?\)==> +(?P<peer>.*)"
)
_PEER = re.compile(
    r"(?:(?P<guid>0x[0-9a-f]{1,16}) +)?(?P<lid>\d+) +(?P<port>\d+)\[ *\d* *\] \"(?P<name>(?:(?!==\().)*)\" "
    r"\((?:Could be (?P<width>\d+)X)? (?:Could be (?P<speed>[^)]*(?:\(FDR10\))?))?\)"
)
_NOBODY = re.compile(r"\[ *\] \"\" \( \)|\"Port not available\"")
_EXPECTED = 'LID PORT[  ] ==(WIDTH SPEED STATE/PHYSICAL)==> LID PORT[  ] "NAME" (REMARK)'


@dataclass(slots=True)
class _Node:
    """The node whose ports follow: a switch has one GUID and one LID for all, another node one per port."""

    type: str
    guid: str
    name: str
    lid: str = ""
    port: int = 0


@section(
    "iblinkinfo",
    Run("iblinkinfo", root=True),
    yields=(IbPort,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
    timeout_s=120.0,
)
def parse_iblinkinfo(output: Output) -> Iterator[Answer]:
    """``iblinkinfo``, with ``-l`` or without: every port of every node, and its neighbour.

    The speed is what *one lane* signals: 53.125 Gbps is HDR, so 4X is 200 Gb/s. The remark in round brackets names
    what both ends could do and do not: ``(Could be 4X )`` a width, ``( Could be 106.25 Gbps)`` a speed, ``( )``
    nothing. A port that is down and has no neighbour is unused, or its cable is dead: it cannot be told. Only state
    and physical state of such a port mean anything. Walking a whole fabric loads its management, so this is asked
    only on request. Source: rdma-core ``infiniband-diags/iblinkinfo.c``, ``libibmad/dump.c``.
    """
    missing = tuple(refused(output, IbPort))
    yield from missing or some(consistent(_ports(output)), output, _EXPECTED)


def _ports(output: Output) -> Iterator[Answer]:
    node: _Node | None = None
    for number, line in numbered(whole(output.stdout)):
        if found := _NODE.fullmatch(line):
            node = _Node(found["type"].lower(), found["guid"] or "", found["name"])
            continue
        found = _PORT.fullmatch(line)
        if found and found["name"] is not None:
            yield from readable(partial(_port, found, None, number))
        elif found and node and _belongs(found, node):
            yield from readable(partial(_port, found, node, number))
        elif found:
            node = None
            yield Skipped(number, line, "the heading of the node: one is lost")
        elif line:
            yield Skipped(number, line, _EXPECTED)
    yield from torn(output.stdout)


def _belongs(found: re.Match[str], node: _Node) -> bool:
    if bool(found["guid"]) == (node.type == "switch") or int(found["port"]) <= node.port:
        return False
    if node.type == "switch" and node.lid not in ("", found["lid"]):
        return False
    node.lid, node.port = found["lid"], int(found["port"])
    return True


def _port(found: re.Match[str], node: _Node | None, line: int) -> IbPort:
    peer = _PEER.fullmatch(found["peer"])
    if not peer and not _NOBODY.fullmatch(found["peer"]):
        raise ParseError(line, found["peer"], 'LID PORT[  ] "NAME" (REMARK), or [  ] "" ( )')
    width = int(found["width"]) if found["width"] else None
    generation = ib_speeds.of_lane(found["speed"], line) if found["speed"] else None
    return IbPort(
        line=line,
        guid=port_words.guid((found["guid"] or (node.guid if node else "")).removeprefix("0x").zfill(16), line),
        port=int(found["port"]),
        node=node.name if node else found["name"].strip(),
        node_type=node.type if node else None,
        lid=int(found["lid"]),
        state=port_words.state(found["state"], line),
        physical_state=port_words.physical_state(found["physical"], line),
        width=width,
        generation=generation,
        rate_bps=ib_speeds.rate_bps(width, generation, line) if width and generation else None,
        possible_width=int(peer["width"]) if peer and peer["width"] else None,
        possible_generation=ib_speeds.of_lane(peer["speed"], line) if peer and peer["speed"] else None,
        peer=peer["name"] if peer else None,
        peer_guid=port_words.guid(peer["guid"][2:].zfill(16), line) if peer and peer["guid"] else None,
        peer_lid=int(peer["lid"]) if peer else None,
        peer_port=int(peer["port"]) if peer else None,
    )
