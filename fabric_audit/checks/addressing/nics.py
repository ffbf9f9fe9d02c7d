"""IP addresses of compute NICs."""

from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd

End: TypeAlias = tuple[str, str]
IpInterface: TypeAlias = IPv4Interface | IPv6Interface


@dataclass(frozen=True, slots=True)
class Addressed:
    """One address of one compute NIC."""

    end: End
    rail: int | None
    address: IpInterface
    row: Any


def addressed(address: "pd.DataFrame", fabric_port: "pd.DataFrame") -> list[Addressed]:
    """Addresses of compute NICs that are more than link-local."""
    nics = {(port.target, port.port): port.rail for port in rows(fabric_port, side="nic")}
    found = []
    for row in rows(address):
        end = (row.target, row.port)
        if end in nics:
            given = ip_interface(row.address)
            if not given.is_link_local:
                found.append(Addressed(end, nics[end], given, row))
    return found


def sharing_subnets(some: list[Addressed]) -> frozenset[str]:
    """Hosts on which two compute NICs have addresses in one subnet."""
    seen: dict[tuple[str, str], End] = {}
    found = set()
    for one in some:
        other = seen.setdefault((one.end[0], str(one.address.network)), one.end)
        if other != one.end:
            found.add(one.end[0])
    return frozenset(found)
