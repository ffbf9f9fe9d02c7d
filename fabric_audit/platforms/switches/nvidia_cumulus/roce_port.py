"""RoCE as it is programmed on the ports of a Cumulus switch: ``qos roce status``."""

from collections.abc import Iterator

from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import RoceMode
from fabric_audit.facts.qos import DscpMap, PcpMap, Queue, TrafficClassMap
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import of_whole_lines, settled, whole
from fabric_audit.platforms.switches.nvidia_cumulus import pools
from fabric_audit.platforms.switches.nvidia_cumulus.roce import (
    PRIORITIES,
    landings,
    marking_in_force,
    pfc_in_force,
    queues,
    roce_mode,
    scheduler,
    trust,
)
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Shown, shown
from fabric_audit.platforms.switches.nvidia_cumulus.shown_json import of_ports, shown_json

_STATUS = r"nv show interface \S+ qos roce status"
_PORT = (RoceMode, PfcPort, Interface, Queue, DscpMap, PcpMap, TrafficClassMap, BufferPool)


@section("nv-show-interface-qos-roce-status", yields=_PORT, proven=Provenance.DOCUMENT)
def parse_status(output: Output) -> Iterator[Answer]:
    """``nv show interface PORT qos roce status`` as text: what is programmed on one port.

    The port is that of the echoed command, else that of ``--item``. ``yes`` and ``enabled`` mean the same. Thresholds
    are rounded to what the ASIC can do (153.00 KB for 150,000 bytes). The maps show RoCE and CNP only.

    Source: Cumulus Linux user guide, RDMA over Converged Ethernet - RoCE.
    """
    yield from of_whole_lines(
        output.stdout, lambda text: _of_port(shown(text).answers(_STATUS), output.item), _PORT, "no RoCE settings"
    )


@section(
    "nv-show-interface-qos-roce-status-json",
    Cli("nv show interface qos-roce-status -o json"),
    yields=_PORT,
    proven=Provenance.CONSTRUCTED,
    timeout_s=120.0,
)
def parse_status_json(output: Output) -> Iterator[Answer]:
    """``nv show interface qos-roce-status -o json``: the status of all ports, since release 5.14.

    Source: names of the NVUE object model in the NVUE command reference; no output with values was seen.
    """
    yield from settled(_of_ports(output.stdout), (RoceMode,), "no port has RoCE settings")


def _of_ports(text: str) -> Iterator[Answer]:
    for port, node in of_ports(document(text), "qos", "roce", "status"):
        told = shown_json(node)
        if "mode" in told.leaves or any(path.startswith("pfc.") for path in told.leaves):
            yield from whole(_of_port(told, port))


def _of_port(told: Shown, item: str) -> Iterator[Answer]:
    port = told.port(item)
    yield roce_mode(told, port)
    yield from _pfc_port(told, port)
    trusted = told.line("trust.trust-mode")
    yield Interface(port=port, trust_mode=trust(told.value("trust.trust-mode"), trusted), line=trusted)
    yield from _port_maps(told, port)
    yield from _port_queues(told, port)
    yield from pools.facts(told)


def _pfc_port(told: Shown, port: str) -> Iterator[Answer]:
    pfc = pfc_in_force(told)
    if pfc is None:
        yield Missing(PfcPort.TABLE, Why.PARSE_ERROR, "mode lossless, and nothing of pfc-priority")
        return
    priorities, obeyed, sent = pfc
    digits = "".join(map(str, priorities))
    yield PfcPort(
        port=port,
        mode="on" if priorities else "off",
        admin_priorities=digits,
        oper_priorities=None if None in (obeyed, sent) else digits if obeyed and sent else "",
        rx_enabled=obeyed,
        tx_enabled=sent,
        source="nv show interface qos roce status",
        line=told.line("pfc.pfc-priority", "mode"),
    )


def _port_maps(told: Shown, port: str) -> Iterator[Answer]:
    for kind, value, target, line in landings(told):
        if kind == "dscp_tc":
            yield DscpMap(port=port, dscp=value, traffic_class=target, line=line)
        else:
            yield PcpMap(port=port, pcp=value, traffic_class=target, line=line)
    for priority, queue, _, line in queues(told):
        yield TrafficClassMap(port=port, traffic_class=priority, queue=queue, line=line)


def _port_queues(told: Shown, port: str) -> Iterator[Answer]:
    weights = {queue: (*scheduler(text, line), line) for _, queue, text, line in queues(told)}
    marking = marking_in_force(told)
    for queue in PRIORITIES:
        sort, weight, line = weights.get(queue, (None, None, told.line("mode")))
        share = None if weight is None else float(weight)
        if marking and queue in marking[0]:
            known = marking[1]
            yield Queue(port=port, queue=queue, scheduler=sort, weight_pct=share, ecn=True, line=marking[2], **known)  # type: ignore[arg-type]  # each has its field's type
        elif marking or queue in weights:
            yield Queue(
                port=port, queue=queue, scheduler=sort, weight_pct=share, ecn=False if marking else None, line=line
            )
