"""Buffers of one Cumulus port: ``nv show interface PORT qos buffer``."""

import re
from collections.abc import Iterator

from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Row, Shown, shown, size_bytes

_YIELDS = (BufferPool, PriorityGroup)


@section("nv-show-interface-qos-buffer", yields=_YIELDS, proven=Provenance.DOCUMENT)
def parse_buffer(output: Output) -> Iterator[Answer]:
    """``nv show interface PORT qos buffer`` as text, since 5.4: use of the pools by one port.

    A pool's row is that port's share of it: named ``PORT ingress 1``, with the dynamic threshold as NVUE writes it.
    The table of priority groups, with xon, xoff and headroom, has heads that are cut with an ellipsis and cannot be
    told apart; it is missing, and says so.

    Source: Cumulus Linux user guide, Monitoring Interfaces and Buffers.
    """
    yield from of_whole_lines(output.stdout, lambda text: _facts(shown(text), output.item), _YIELDS, "no pool")


def _facts(told: Shown, item: str) -> Iterator[Answer]:
    port = told.port(item)
    for table in told.tables:
        way = re.search(r"- (Ingress|Egress) Port", table.title)
        for row in table.rows if way else ():
            yield _pool(f"{port} {way[1].lower()} {row.need('Pool ID')}" if way else "", row)
    yield Missing(PriorityGroup.TABLE, Why.NOT_SUPPORTED, "the heads of the table of priority groups are cut short")


def _pool(name: str, row: Row) -> BufferPool:
    limit = row.need("Shared Max")
    return BufferPool(
        pool=name,
        direction=name.split()[1],
        mode=row.need("Mode").lower(),
        size_bytes=size_bytes(row.need("Reserved Size"), row.line),
        alpha_raw=limit if limit.startswith("ALPHA") else None,
        watermark_bytes=size_bytes(row.need("Max Usage"), row.line),
        line=row.line,
    )
