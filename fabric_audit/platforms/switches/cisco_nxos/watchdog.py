"""The PFC watchdog of NX-OS as it runs: state and storms per queue."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Skipped, When, Why, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical
from fabric_audit.platforms.switches.cisco_nxos.rows import rows
from fabric_audit.platforms.text import integer, numbered, torn, whole

_HEADING = re.compile(r"(?P<port>\S+\d) Interface PFC watchdog: \[(?P<status>Enabled|Disabled)\]")
_QUEUE = re.compile(r"\|\s*QOS GROUP (?P<group>\d) \[(?P<state>[A-Za-z]+)\]\s+PFC \[(?P<pfc>YES|NO)\].*")
_STATES = {"active": "operational", "shutdown": "stormed", "na": "unknown"}


@dataclass(slots=True)
class _Queue:
    """One group of the text, as far as it was read."""

    number: int
    line: int
    state: str
    counted: dict[str, int | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Port:
    """One port of the text, as far as it was read."""

    name: str
    line: int
    enabled: bool
    quiet: bool = False
    queues: list[_Queue] = field(default_factory=list)


@section("show-queuing-pfc-queue-detail", yields=(PfcWatchdog,), proven=Provenance.DOCUMENT)
def parse_pfc_queue(output: Output) -> Iterator[Answer]:
    """``show queuing pfc-queue detail`` as text: per port and group its state, and what the watchdog did.

    ``Shutdown`` in brackets is the state now: the group is in a storm. ``Disable-action : Yes`` means that storms
    are only reported. ``Aggregate`` lines add the packets of earlier storms: the total that only grows.
    """
    port: _Port | None = None
    found = False
    for number, line in numbered(whole(output.stdout)):
        heading, queue = _HEADING.match(line.strip()), _QUEUE.match(line.strip())
        if heading:
            yield from _told(port)
            port, found = _Port(canonical(heading["port"]), number, heading["status"] == "Enabled"), True
        elif port and queue:
            port.queues.append(_Queue(int(queue["group"]), number, queue["state"]))
        elif port:
            _read(port, line.strip(), number)
    if not found:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "`NAME Interface PFC watchdog: [Enabled]`")
    if port and port.enabled and not port.queues:
        yield Skipped(port.line, port.name, "a QOS GROUP below the last port: the text may have been cut")
    else:
        yield from _told(port)
    yield from torn(output.stdout)


def _read(port: _Port, content: str, number: int) -> None:
    counted = re.fullmatch(r"\|\s*([A-Z][A-Za-z +]+?)\s*\|\s*([0-9,]+)\s*\|", content)
    if re.fullmatch(r"Disable-action\s*: (Yes|No)", content):
        port.quiet = content.endswith("Yes")
    elif counted and port.queues:
        port.queues[-1].counted[counted[1]] = integer(counted[2], number)


def _told(port: _Port | None) -> Iterator[Answer]:
    if port is None:
        return
    if not port.queues:
        yield _row(port, -1, None, {}, port.line)
    for queue in port.queues:
        if "Shutdown" not in queue.counted or "Restored" not in queue.counted:
            yield Skipped(queue.line, f"{port.name} QOS GROUP {queue.number}", "counters Shutdown and Restored")
            continue
        yield _row(port, queue.number, queue.state, queue.counted, queue.line)


def _row(port: _Port, queue: int, state: str | None, counted: dict[str, int | None], line: int) -> PfcWatchdog:
    out, into = counted.get("Aggregate pkts dropped"), counted.get("Aggregate Ingress pkts dropped")
    return PfcWatchdog(
        port=port.name,
        queue=queue,
        enabled=port.enabled,
        action="alert" if port.quiet else "drop",
        state=_STATES.get(state.lower(), "unknown") if state else None,
        storms_detected=counted.get("Shutdown"),
        storms_restored=counted.get("Restored"),
        dropped_packets=None if out is None or into is None else out + into,
        line=line,
    )


def _sum(*parts: int | None) -> int | None:
    told = [part for part in parts if part is not None]
    return sum(told) if told else None


@section(
    "show-queuing-pfc-queue-detail-json",
    Cli("show queuing pfc-queue detail | json"),
    yields=(PfcWatchdog,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_pfc_queue_json(output: Output) -> Iterator[Answer]:
    """``show queuing pfc-queue detail | json``: the same as the text, one row per port and group.

    ``glb-wd-status`` is the switch's own switch; a port's watchdog runs only where both are on.

    Source: the output model in Cisco's Nexus 9000 Show Command Reference, 9.3.
    """
    top = document(output.stdout)
    modules = list(rows(top, "module")) or [top]
    found = False
    for module in modules:
        globally = (module.get("glb-wd-status").text() or top.get("glb-wd-status").text() or "").lower()
        for port in rows(module, "queuing_interface"):
            found = True
            yield from _port_json(port, off=globally in ("disabled", "off"))
    if not found and not top.get("TABLE_module", "TABLE_queuing_interface", "glb-wd-status").there:
        raise top.wrong("TABLE_queuing_interface")
    if not found:
        yield Missing(PfcWatchdog.TABLE, Why.ABSENT, "no interface in TABLE_queuing_interface")


def _port_json(port: Node, *, off: bool) -> Iterator[PfcWatchdog]:
    name = canonical(port.need("if_name_str").text() or "")
    status = (port.need("wd-status").text() or "").lower()
    quiet = (port.get("disable-action").text() or "").lower() in ("yes", "true", "on")
    told = False
    for queue in rows(port, "qosgrp_stats"):
        number = queue.need("eq-qosgrp").integer()
        state = (queue.get("eq-qosgrp-state").text() or "").lower()
        for counted in rows(queue, "qosgrp_stats_entry"):
            told = True
            yield PfcWatchdog(
                port=name,
                queue=number if number is not None else -1,
                enabled=status in ("enabled", "on") and not off,
                action="alert" if quiet else "drop",
                state=_STATES.get(state, "unknown"),
                storms_detected=counted.need("q-shutdown").integer(),
                storms_restored=counted.need("q-restored").integer(),
                dropped_packets=_sum(
                    counted.get("q-aggr-pkt-dropped").integer(), counted.get("q-ing-aggr-pkt-dropped").integer()
                ),
                line=queue.line,
            )
    if not told:
        yield PfcWatchdog(
            port=name, queue=-1, enabled=status in ("enabled", "on") and not off, action="alert" if quiet else "drop"
        )
