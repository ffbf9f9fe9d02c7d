"""Classification of Onyx as it runs: ``show qos``."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, TrafficClassMap
from fabric_audit.platforms.code_points import code_points
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.partial import settled
from fabric_audit.platforms.switches.nvidia_onyx.names import kind
from fabric_audit.platforms.switches.nvidia_onyx.tables import objects, of_ports, with_member

TRUSTS = {"L2": "pcp", "L3": "dscp", "both": "dscp_pcp", "port": "port"}
_YIELDS = (Interface, DscpMap, PcpMap, TrafficClassMap, DscpRewrite)


@section("show-qos-interface-ethernet-json", Cli("show qos | json-print"), yields=_YIELDS, proven=Provenance.FIELD)
def parse_qos(output: Output) -> Iterator[Answer]:
    """``show qos [interface ethernet PORT] | json-print``: trust, maps and rewriting of each port.

    Trust L2 is 802.1p, L3 DSCP. A row of the first map is keyed by ``3(0) 3(1)``: code point 3 with either DEI, and
    holds the switch priority and the DSCP values that become it. The second map has the traffic class of each switch
    priority, and the DSCP written where ``DSCP rewrite`` is enabled.

    Sources: the fixtures of Mellanox's Ansible collection; JSON of the switch's API as kept by Samsung's UFM.
    """
    rows = (answer for port, node in of_ports(document(output.stdout)) if kind(port) for answer in _port(port, node))
    yield from settled(rows, _YIELDS, "no port in the answer")


def _port(port: str, node: Node) -> Iterator[Answer]:
    told = with_member(node, "Trust mode")
    word = told.need("Trust mode")
    if word.text() not in TRUSTS:
        raise word.wrong(" or ".join(TRUSTS))
    yield Interface(port=port, trust_mode=TRUSTS[word.text() or ""], kind=kind(port), line=word.line)
    rewritten = (told.get("DSCP rewrite").text() or "").startswith("enable")
    for one in objects(node):
        for name, value in one.members():
            points = re.findall(r"([0-7])\([01]\)", name)
            if points:
                yield from (fact for row in value.rows() for fact in _mapped(port, points, row))
            elif re.fullmatch("[0-7]", name):
                yield from (fact for row in value.rows() for fact in _led(port, int(name), row, rewritten=rewritten))


def _mapped(port: str, points: list[str], row: Node) -> Iterator[Answer]:
    target = row.need("switch-priority").integer()
    for pcp in sorted(set(points)):
        yield PcpMap(port=port, pcp=int(pcp), traffic_class=target, line=row.line)
    listed = row.need("DSCP").text()
    for dscp in code_points(listed, row.line) if listed else ():
        yield DscpMap(port=port, dscp=dscp, traffic_class=target, line=row.line)


def _led(port: str, priority: int, row: Node, *, rewritten: bool) -> Iterator[Answer]:
    if not row.get("TC").there:
        return
    yield TrafficClassMap(port=port, traffic_class=priority, queue=row.get("TC").integer(), line=row.line)
    if rewritten:
        yield DscpRewrite(port=port, traffic_class=priority, dscp=row.need("DSCP").integer(), line=row.line)
