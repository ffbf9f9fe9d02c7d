"""Buffer pools of Cumulus Linux: how large they are, who draws from them, and how full they have been."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Output, Provenance, section
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Row, Shown, numbers, shown, size_bytes
from fabric_audit.platforms.text import consistent

_LOSSLESS = "roce-reserved"


@section("nv-show-interface-qos-roce-status-pool-map", yields=(Queue, BufferPool), proven=Provenance.FIELD)
def parse_pool_map(output: Output) -> Iterator[Answer]:
    """``nv show interface qos-roce-status-pool-map``: RoCE pools under each port, all ports in one answer.

    Pools are the switch's: each is one row. A queue in a pool ``roce-reserved-egress`` is lossless, one in a lossy pool
    is not; that is a row of ``queue`` for each port. ``inf`` is no limit. How full a pool has been is told of each
    port, and left out: the status of the port has it.

    Source: Cumulus Linux 5.14 user guide, RDMA over Converged Ethernet - RoCE.
    """
    yield from of_whole_lines(output.stdout, _answers, (Queue, BufferPool), "no pool of any port")


def _answers(text: str) -> Iterator[Answer]:
    told = shown(text)
    if not any(table.interface for table in told.tables):
        raise ParseError(1, text.strip().partition("\n")[0], "`Interface: PORT` above its pools")
    yield from consistent(replace(pool, watermark_bytes=None) for pool in facts(told))
    for table in told.tables:
        if table.interface:
            yield from (fact for row in table.rows for fact in _queues(table.interface, row))


def facts(told: Shown) -> Iterator[BufferPool]:
    """Every pool of the tables whose title speaks of pools, or that stand under a port."""
    for table in told.tables:
        if table.title.lower().startswith("roce pool") or table.interface:
            yield from (_pool(row) for row in table.rows)


def _pool(row: Row) -> BufferPool:
    name = row.need("name")
    way = re.search(r"(ingress|egress)$", name)
    if not way:
        raise ParseError(row.line, name, "a pool of ingress or egress")
    share = re.fullmatch(r"(\d{1,3}(?:\.\d+)?) ?%", row.need("size"))
    members = numbers(row.need("switch-priorities" if way[1] == "ingress" else "traffic-class"), row.line)
    return BufferPool(
        pool=name,
        direction=way[1],
        mode=row.need("mode").lower(),
        size_bytes=None if share else size_bytes(row.need("size"), row.line),
        size_pct=float(share[1]) if share else None,
        members="".join(map(str, members)),
        watermark_bytes=size_bytes(row.cells.get("max-usage", ""), row.line),
        line=row.line,
    )


def _queues(port: str, row: Row) -> Iterator[Answer]:
    if row.need("name").endswith("egress"):
        for queue in numbers(row.need("traffic-class"), row.line):
            yield Queue(port=port, queue=queue, lossless=row.need("name").startswith(_LOSSLESS), line=row.line)
