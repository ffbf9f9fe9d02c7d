"""Queues, buffers and drops of NX-OS from JSON."""

from collections.abc import Iterator

from fabric_audit.facts.buffers import PriorityGroup, QueueCounter
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.code_points import PCPS
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical
from fabric_audit.platforms.switches.cisco_nxos.queuing import SINCE_CLEAR, buffered, configured, drop
from fabric_audit.platforms.switches.cisco_nxos.rows import rows

_COUNTED = {
    ("Tx", "Pkts"): "tx_packets",
    ("Tx", "Byts"): "tx_bytes",
    ("Dropped", "Pkts"): "drop_packets",
    ("Dropped", "Byts"): "drop_bytes",
    ("WRED/AFD & Tail Drop", "Pkts"): "drop_packets",
    ("WRED/AFD & Tail Drop", "Byts"): "drop_bytes",
    ("ECN", "Pkts"): "ecn_marked_packets",
    ("ECN", "Byts"): "ecn_marked_bytes",
}


@section(
    "show-queuing-interface-json",
    Cli("show queuing interface | json"),
    yields=(Queue, QueueCounter, PriorityGroup, PfcCounter, Counter),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_queuing_json(output: Output) -> Iterator[Answer]:
    """``show queuing interface | json``: the same as the text, in ``TABLE_module``, ``TABLE_queuing_interface``.

    A port has two rows, Egress and Ingress. The groups of the CPU and of SPAN are named in words and left out.

    Source: the output model in Cisco's Nexus 9000 Show Command Reference, 9.3, and the keys that Cisco's nxapi tools
    and exporters read.
    """
    top = document(output.stdout)
    modules = list(rows(top, "module")) or [top]
    found = False
    for module in modules:
        for port in rows(module, "queuing_interface"):
            found = True
            name = canonical(port.need("if_name_str").text() or "")
            yield from _configured(name, port)
            yield from _counted(name, port)
            yield from _dropped(name, port)
            yield from _paused(name, port)
    if not found:
        top.need("TABLE_module", "TABLE_queuing_interface")
        yield Missing(QueueCounter.TABLE, Why.ABSENT, "no interface in TABLE_queuing_interface")


def _configured(name: str, port: Node) -> Iterator[Answer]:
    ingress = (port.get("dir").text() or "").lower().startswith("ingress")
    for row in rows(port, "qosgrp_cfg"):
        group = row.need("qosgrp").integer()
        if group is None:
            continue
        sizes = [row.get(field).integer() for field in ("buffer-size", "pause-threshold", "resume-threshold")]
        if ingress or any(size is not None for size in sizes):
            yield buffered(name, group, sizes, row.line)
        else:
            cells = [row.get("bandwidth").text() or "-", row.get("priority").text() or "-"]
            yield configured(name, group, cells, row.get("q-limit").text() or "-", row.line)


def _counted(name: str, port: Node) -> Iterator[Answer]:
    for group in rows(port, "qosgrp_egress_stats"):
        number = group.need("eq-qosgrp").text() or ""
        if not number.isdigit():
            continue
        counted: dict[str, int] = {}
        for entry in rows(group, "qosgrp_egress_stats_entry"):
            kind = (entry.need("eq-stat-type").text() or "", entry.need("eq-stat-units").text() or "")
            parts = (entry.get(f"eq-{way}-stat-value").integer() for way in ("uc", "oobfc-uc", "mc"))
            if kind in _COUNTED:
                counted[_COUNTED[kind]] = counted.get(_COUNTED[kind], 0) + sum(part or 0 for part in parts)
        yield QueueCounter(port=name, queue=int(number), group=False, scope=SINCE_CLEAR, line=group.line, **counted)


def _dropped(name: str, port: Node) -> Iterator[Answer]:
    for table, prefix in (("ingress_stats_entry", "ip"), ("egress_stats_entry", "ep")):
        for entry in rows(port, table):
            kind = f"{entry.need(f'{prefix}-stat-type').text()} {entry.need(f'{prefix}-stat-units').text()}"
            if "Drop" in kind:
                yield drop(name, kind, entry.need(f"{prefix}-stat-value").integer(), entry.line)


def _paused(name: str, port: Node) -> Iterator[Answer]:
    for row in rows(port, "pfc_stats"):
        priority = row.need("cos").integer()
        if priority is None or priority not in PCPS:
            raise row.get("cos").wrong("a priority from 0 to 7")
        yield PfcCounter(
            port=name,
            priority=priority,
            tx_frames=row.need("tx-pause-count").integer(),
            rx_frames=row.need("rx-pause-count").integer(),
            scope=SINCE_CLEAR,
            line=row.line,
        )
