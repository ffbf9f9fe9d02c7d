"""Watermarks: the most bytes that queues, priority groups and pools ever held."""

import re
from collections.abc import Callable, Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool, PriorityGroup, QueueCounter
from fabric_audit.platforms.json_lines import JsonObject, json_documents
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.partial import settled, whole
from fabric_audit.platforms.switches.sonic.polling import WATERMARK_S
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows

_Fact = Callable[[Row, int, int | None], Answer]


def _cells(prefix: str, make: _Fact) -> Callable[[Row], Iterator[Answer]]:
    """One fact for each column ``PREFIX<index>`` of a row."""

    def read(row: Row) -> Iterator[Answer]:
        titles = [title for title in row.cells if re.fullmatch(rf"{prefix}\d{{1,3}}", title)]
        if not titles:
            raise ParseError(row.line, "  ".join(row.cells), f"columns {prefix}0, {prefix}1 and so on")
        for title in titles:
            yield make(row, int(title.removeprefix(prefix)), row.count(title))

    return read


def _queue(row: Row, queue: int, value: int | None) -> QueueCounter:
    return _shared(row, queue, value, group=False)


def _group(row: Row, pg: int, value: int | None) -> QueueCounter:
    return _shared(row, pg, value, group=True)


def _shared(row: Row, number: int, value: int | None, *, group: bool) -> QueueCounter:
    return QueueCounter(
        port=row.port("Port"),
        queue=number,
        group=group,
        watermark_bytes=value,
        scope="since_clear",
        refresh_s=WATERMARK_S,
        line=row.line,
    )


def _headroom(row: Row, pg: int, value: int | None) -> PriorityGroup:
    return PriorityGroup(port=row.port("Port"), pg=pg, headroom_watermark_bytes=value, line=row.line)


@section(
    "show-queue-watermark-unicast",
    Cli("show queue watermark unicast"),
    yields=(QueueCounter,),
    proven=Provenance.FIELD,
    timeout_s=60.0,
)
def show_queue_watermark_unicast(output: Output) -> Iterator[Answer]:
    """``show queue watermark unicast``: the most bytes each queue ever held in the shared pool.

    Like all watermarks: bytes since the last ``sonic-clear``, of whichever user, or since the box cleared them
    itself; read every 60 s. A table for each ASIC. Source: sonic-utilities scripts/watermarkstat.
    """
    title = "Egress shared pool occupancy"
    yield from read_rows(output.stdout, ("Port",), _cells("UC", _queue), (QueueCounter,), heading=title)


@section(
    "show-priority-group-watermark-shared",
    Cli("show priority-group watermark shared"),
    yields=(QueueCounter,),
    proven=Provenance.FIELD,
    timeout_s=60.0,
)
def show_priority_group_watermark_shared(output: Output) -> Iterator[Answer]:
    """``show priority-group watermark shared``: the most bytes each priority group ever held in the shared pool."""
    title = "Ingress shared pool occupancy"
    yield from read_rows(output.stdout, ("Port",), _cells("PG", _group), (QueueCounter,), heading=title)


@section(
    "show-priority-group-watermark-headroom",
    Cli("show priority-group watermark headroom"),
    yields=(PriorityGroup,),
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
def show_priority_group_watermark_headroom(output: Output) -> Iterator[Answer]:
    """``show priority-group watermark headroom``: the most headroom each priority group ever used.

    More than zero: the group filled up to where it sends pause. SAI counter XOFF_ROOM_WATERMARK_BYTES.
    """
    title = "Ingress headroom per PG"
    yield from read_rows(output.stdout, ("Port",), _cells("PG", _headroom), (PriorityGroup,), heading=title)


@section(
    "show-priority-group-watermark-headroom-json",
    yields=(PriorityGroup,),
    proven=Provenance.DOCUMENT,
)
def show_priority_group_watermark_headroom_json(output: Output) -> Iterator[Answer]:
    """``show priority-group watermark headroom --json``: a list with one object a port; images since 2025."""
    yield from settled(_of_documents(output.stdout), (PriorityGroup,), "the JSON names no port")


def _of_documents(text: str) -> Iterator[Answer]:
    for document in json_documents(text):
        for member in document if isinstance(document, list) else [document]:
            yield from whole(_from_object(member))


def _from_object(member: object) -> Iterator[Answer]:
    if not isinstance(member, JsonObject) or "Port" not in member.members:
        raise ParseError(1, str(member), "an object with Port, PG0, PG1 and so on")
    cells = {name: str(value) for name, value in member.members.items()}
    yield from _cells("PG", _headroom)(Row(member.lines["Port"], cells))


@section(
    "show-buffer-pool-watermark",
    Cli("show buffer_pool watermark"),
    yields=(BufferPool,),
    proven=Provenance.DOCUMENT,
)
def show_buffer_pool_watermark(output: Output) -> Iterator[Answer]:
    """``show buffer_pool watermark``: the most bytes each pool ever held."""

    def read(row: Row) -> Iterator[Answer]:
        yield BufferPool(pool=row.name("Pool"), watermark_bytes=row.count("Bytes"), line=row.line)

    yield from read_rows(output.stdout, ("Pool", "Bytes"), read, (BufferPool,), heading="Shared pool maximum occupancy")


@section(
    "show-headroom-pool-watermark",
    Cli("show headroom-pool watermark"),
    yields=(BufferPool,),
    proven=Provenance.DOCUMENT,
)
def show_headroom_pool_watermark(output: Output) -> Iterator[Answer]:
    """``show headroom-pool watermark``: the most shared headroom ever used; only where the pool shares headroom."""

    def read(row: Row) -> Iterator[Answer]:
        yield BufferPool(pool=row.name("Pool"), headroom_watermark_bytes=row.count("Bytes"), line=row.line)

    yield from read_rows(
        output.stdout, ("Pool", "Bytes"), read, (BufferPool,), heading="Headroom pool maximum occupancy"
    )
