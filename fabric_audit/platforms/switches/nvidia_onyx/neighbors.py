"""Whom Onyx sees, and what it says of itself, by LLDP."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import LldpPort, Neighbor
from fabric_audit.facts.system import System
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.partial import settled
from fabric_audit.platforms.switches.nvidia_onyx.tables import of_ports, with_member, word
from fabric_audit.platforms.text import mac_address

_MAC = re.compile(r"(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")
_SYSTEM = re.compile(r"(?:Mellanox|NVIDIA)\s+(?P<model>[A-Z0-9-]+),\s*(?P<os>[\w-]+),\s*(?:SWv)?(?P<version>\S+)")


@section(
    "show-lldp-remote-json", Cli("show lldp remote | json-print"), yields=(Neighbor,), proven=Provenance.CONSTRUCTED
)
def parse_neighbors(output: Output) -> Iterator[Answer]:
    """``show lldp remote | json-print``: neighbours per port, with ``Device ID``, ``Port ID`` and ``System Name``.

    Source: member names as Microsoft's and Intel's switch libraries read them.
    """
    rows = (
        _neighbor(port, row)
        for port, node in of_ports(document(output.stdout))
        for row in node.rows()
        if row.get("Port ID", "Port id").there
    )
    yield from settled(rows, (Neighbor,), "no neighbour on any port")


def _neighbor(port: str, row: Node) -> Neighbor:
    chassis = word(row.get("Device ID", "Chassis id", "Device id"))
    return Neighbor(
        port=port,
        system_name=word(row.get("System Name", "System name")) or "",
        port_id=_identifier(word(row.get("Port ID", "Port id")) or "", row.line),
        chassis_id=_identifier(chassis, row.line) if chassis else None,
        by="lldp",
        line=row.line,
    )


def _identifier(text: str, line: int) -> str:
    return mac_address(text, line) if _MAC.fullmatch(text) else text


@section(
    "show-lldp-interfaces-json", Cli("show lldp interfaces | json-print"), yields=(LldpPort,), proven=Provenance.FIELD
)
def parse_lldp_ports(output: Output) -> Iterator[Answer]:
    """``show lldp interfaces | json-print``: whether a port sends and takes in LLDP, and which TLVs it sends.

    A port with LLDP off exchanges no DCBX: PFC ``Auto`` stays Disabled there. TLVs ``PFC`` and ``PFC-CEE`` are DCBX.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    rows = (_lldp(port, row) for port, node in of_ports(document(output.stdout)) for row in node.rows())
    yield from settled(rows, (LldpPort,), "no port in the answer")


def _lldp(port: str, row: Node) -> LldpPort:
    ways = {way: (row.need(way).text() or "") for way in ("Transmit", "Receive")}
    if set(ways.values()) - {"Enabled", "Disabled"}:
        raise row.wrong("Transmit and Receive, Enabled or Disabled")
    sent = {name.strip() for name in (row.get("TLVs").text() or "").split(",")}
    return LldpPort(
        port=port,
        transmit=ways["Transmit"] == "Enabled",
        receive=ways["Receive"] == "Enabled",
        dcbx=any(name.startswith("PFC") for name in sent) if row.get("TLVs").there else None,
        line=row.line,
    )


@section("show-lldp-local-json", Cli("show lldp local | json-print"), yields=(System,), proven=Provenance.FIELD)
def parse_local(output: Output) -> Iterator[Answer]:
    """``show lldp local | json-print``: the switch's own name, model and release, as it tells them to neighbours.

    These are local data, no neighbours.

    Source: the fixtures of Mellanox's Ansible collection.
    """
    told = with_member(document(output.stdout), "System Name", "System name")
    told.need("Chassis id", "Chassis ID")
    described = _SYSTEM.match(told.get("System Description", "System description").text() or "")
    yield System(
        name=told.need("System Name", "System name").text() or "",
        os="nvidia_onyx",
        os_version=described["version"] if described else None,
        model=described["model"] if described else None,
        line=told.line,
    )
