"""LLDP neighbours."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Neighbor
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows
from fabric_audit.platforms.text import plain

_TOTAL = re.compile(r"^\s*Total entries displayed:\s+(\d+)\s*$", re.MULTILINE)
_CHATTER = r"Capability codes:|-+$|\s*Total entries displayed:"


@section("show-lldp-table", Cli("show lldp table"), yields=(Neighbor,), proven=Provenance.DOCUMENT)
def show_lldp_table(output: Output) -> Iterator[Answer]:
    """``show lldp table``: one row a neighbour; a line with their number ends it, and a text without it was cut.

    The name and the port description are empty where the neighbour does not announce them. Source: sonic-utilities
    scripts/lldpshow.
    """
    required = ("LocalPort", "RemoteDevice", "RemotePortID", "RemotePortDescr")
    rows = 0
    for answer in read_rows(output.stdout, required, _neighbor, (Neighbor,), _CHATTER):
        rows += isinstance(answer, Neighbor)
        yield answer
    total = _TOTAL.search(plain(output.stdout))
    if total is None or int(total[1]) != rows:
        found = total[0].strip() if total else ""
        yield Skipped(output.stdout.count("\n") + 1, found, f"Total entries displayed: {rows}, as there are rows")


def _neighbor(row: Row) -> Iterator[Answer]:
    yield Neighbor(
        port=row["LocalPort"],
        system_name=row.get("RemoteDevice"),
        port_id=row["RemotePortID"],
        port_description=row.get("RemotePortDescr") or None,
        by="lldp",
        line=row.line,
    )
