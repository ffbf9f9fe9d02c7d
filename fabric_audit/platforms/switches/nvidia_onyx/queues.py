"""Queues of Onyx: shares (ETS), ECN and RED, and the pools they draw from."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import settled
from fabric_audit.platforms.switches.nvidia_onyx.names import canonical, kind
from fabric_audit.platforms.switches.nvidia_onyx.tables import objects, of_ports, with_member

BYTES_PER_KB = 1000
"""Onyx's RoCE default of 150 and 1500 KB is Cumulus Linux's 150,000 and 1,500,000 bytes on the same ASIC."""
_SORTS = {"strict": "strict", "wrr": "dwrr"}


@section(
    "show-dcb-ets-interface-json",
    Cli("show dcb ets | json-print"),
    yields=(Queue,),
    proven=Provenance.FIELD,
)
def parse_ets(output: Output) -> Iterator[Answer]:
    """``show dcb ets [interface ethernet PORT] | json-print``: scheduling per traffic class of each port.

    ``S.Mode`` is Strict or WRR, ``W(%)`` the share in percent; a strict class has 0 there. Classes come in any order.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    told = document(output.stdout)
    rows = (_share(port, name, row) for port, node in of_ports(told) for name, row in _classes(node))
    yield from settled(rows, (Queue,), "no port with traffic classes")


def _classes(node: Node) -> Iterator[tuple[str, Node]]:
    for one in objects(node):
        for name, value in one.members():
            if re.fullmatch("[0-7]", name):
                for row in value.rows():
                    if row.get("S.Mode").there:
                        yield name, row


def _share(port: str, name: str, row: Node) -> Queue:
    mode = _SORTS.get((row.need("S.Mode").text() or "").lower())
    if mode is None:
        raise row.get("S.Mode").wrong("Strict or WRR")
    return Queue(
        port=port,
        queue=int(name),
        scheduler=mode,
        weight_pct=row.need("W(%)").decimal() if mode == "dwrr" else None,
        line=row.line,
    )


@section(
    "show-interfaces-ethernet-congestion-control-json",
    yields=(Queue, Counter),
    proven=Provenance.FIELD,
)
def parse_congestion_control(output: Output) -> Iterator[Answer]:
    """``show interfaces ethernet PORT congestion-control | json-print``: ECN and RED per traffic class.

    ``Mode`` is none, ECN (marks) or RED (drops). Thresholds are absolute, in KB, or relative, in percent of the queue.
    ECN-marked packets are counted for the port, packets that RED dropped for a class.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    yield from settled(_congestion(document(output.stdout), output.item), (Queue, Counter), "no traffic class")


def _congestion(told: Node, item: str) -> Iterator[Answer]:
    port = canonical(item) if item else ""
    for one in objects(told):
        named = one.get("Interface ethernet").text()
        if named:
            port = canonical(f"ethernet {named}")
            yield from _marked(port, one)
        traffic_class = re.fullmatch(r"TC-([0-7])", one.get("header").text() or "")
        if traffic_class:
            if not kind(port):
                raise one.wrong("a member `Interface ethernet` before the traffic classes")
            yield _detecting(port, int(traffic_class[1]), one)
            yield from _red_drops(port, traffic_class[1], one)


def _marked(port: str, one: Node) -> Iterator[Answer]:
    value = one.get("ECN marked packets")
    if value.there:
        yield _counter(port, "ECN marked packets", value, CounterClass.CONGESTION)


def _red_drops(port: str, number: str, one: Node) -> Iterator[Answer]:
    value = one.get("RED dropped packets")
    if value.there:
        yield _counter(port, f"TC-{number} RED dropped packets", value, CounterClass.LOSS)


def _counter(port: str, name: str, value: Node, counter_class: CounterClass) -> Counter:
    return Counter(
        port=port,
        name=name,
        value=value.integer(),
        counter_class=counter_class,
        unit="packets",
        scope="since_clear",
        source="show interfaces ethernet congestion-control",
        line=value.line,
    )


def _detecting(port: str, queue: int, one: Node) -> Queue:
    mode = (one.need("Mode").text() or "").lower()
    if mode not in ("none", "ecn", "red"):
        raise one.get("Mode").wrong("none, ECN or RED")
    if mode != "ecn":
        return Queue(port=port, queue=queue, ecn=False, wred_drops=mode == "red", line=one.line)
    low, high = (one.need(f"{end} threshold") for end in ("Minimum", "Maximum"))
    return Queue(
        port=port,
        queue=queue,
        ecn=True,
        wred_drops=False,
        ecn_min_bytes=_kilobytes(low),
        ecn_max_bytes=_kilobytes(high),
        ecn_min_pct=_percent(low),
        ecn_max_pct=_percent(high),
        ecn_raw=f"{low.text()} to {high.text()}",
        line=one.line,
    )


def _kilobytes(node: Node) -> int | None:
    found = re.fullmatch(r"(\d+) ?KB", node.text() or "")
    return int(found[1]) * BYTES_PER_KB if found else None


def _percent(node: Node) -> float | None:
    text = node.text() or ""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", text)
    if not found and not re.fullmatch(r"\d+ ?KB", text):
        raise node.wrong("a threshold such as 150 KB or 9%")
    return float(found[1]) if found else None


@section(
    "show-traffic-pool-json",
    Cli("show traffic pool | json-print"),
    yields=(BufferPool,),
    proven=Provenance.FIELD,
)
def parse_traffic_pools(output: Output) -> Iterator[Answer]:
    """``show traffic pool [NAME] | json-print``: pools with their share of the buffer and their switch priorities.

    ``Memory actual`` is rounded (``5.9M``) and not read; ``Memory [%]`` is exact.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    found = False
    for name, value in with_member(document(output.stdout), "Exception list").members():
        if name != "Exception list":
            for row in value.rows():
                found = True
                yield _pool(name, row)
    if not found:
        yield Missing(BufferPool.TABLE, Why.ABSENT, "no traffic pool")


def _pool(name: str, row: Node) -> BufferPool:
    sort = row.need("Type").text()
    listed = row.get("Switch Priorities").text() or ""
    if sort not in ("lossless", "lossy") or not re.fullmatch(r"(?:[0-7][ ,]*)*|N/A|-", listed):
        raise ParseError(row.line, f"{sort} {listed}", "a type lossless or lossy, and switch priorities")
    return BufferPool(
        pool=name,
        mode=sort,
        size_pct=row.get("Memory [%]").decimal(),
        members="".join(sorted(set(re.findall("[0-7]", listed)))),
        line=row.line,
    )
