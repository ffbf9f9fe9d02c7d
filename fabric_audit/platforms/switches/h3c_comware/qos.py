"""Priority maps of Comware as they run."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import QosMapEntry
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.h3c_comware.lines import answers, first_line, lines

_KINDS = {"dot1p-lp": "dot1p_tc", "dscp-lp": "dscp_tc"}


@section("display-qos-map-table", Cli("display qos map-table"), yields=(QosMapEntry,), proven=Provenance.CONSTRUCTED)
def parse_map_table(output: Output) -> Iterator[Answer]:
    """``display qos map-table``: every priority map as it is in force.

    ``dot1p-lp`` leads from 802.1p to the local precedence, which is the queue; by default 0, 1 and 2 go to 2, 0 and 1.
    ``dscp-lp``, where a series has it, leads from DSCP there; else ``dscp-dot1p`` leads to 802.1p, and both are joined
    here. The other maps (drop precedence, DSCP written) are left out.

    Source: HPE 5900 ACL and QoS command reference, priority mapping commands.
    """
    yield from answers(output.stdout, _maps, (QosMapEntry,), "no map")


def _maps(text: str) -> Iterator[Answer]:
    tables: dict[str, dict[int, tuple[int, int]]] = {}
    name = ""
    for number, line in lines(text):
        content = line.strip()
        headed = re.fullmatch(r"MAP-TABLE NAME:\s*(\S+)(?:\s+TYPE:\s*.*)?", content)
        row = re.fullmatch(r"(\d{1,2})\s*:\s*(\d{1,2})", content)
        if headed:
            name = headed[1]
            tables[name] = {}
        elif row and name:
            tables[name][int(row[1])] = int(row[2]), number
        elif not re.fullmatch(r"IMPORT\s*:\s*EXPORT", content):
            raise ParseError(number, line, "`MAP-TABLE NAME: dot1p-lp`, then `IMPORT : EXPORT` and rows")
    if not tables:
        raise ParseError(*first_line(text), "`MAP-TABLE NAME: dot1p-lp`, then `IMPORT : EXPORT` and rows")
    for known, sort in _KINDS.items():
        for source, (target, number) in tables.get(known, {}).items():
            yield QosMapEntry(map_kind=sort, map_name=known, source_value=source, target_value=target, line=number)
    if "dscp-lp" not in tables:
        yield from _joined(tables.get("dscp-dot1p", {}), tables.get("dot1p-lp", {}))


def _joined(first: dict[int, tuple[int, int]], second: dict[int, tuple[int, int]]) -> Iterator[Answer]:
    for dscp, (priority, number) in first.items():
        queue = second.get(priority)
        yield QosMapEntry(
            map_kind="dscp_tc",
            map_name="dscp-dot1p and dot1p-lp",
            source_value=dscp,
            target_value=queue[0] if queue else None,
            line=number,
        )
