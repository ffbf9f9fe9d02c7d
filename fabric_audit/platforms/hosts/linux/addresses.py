"""IP addresses of a host and the neighbours it has resolved."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Address, NeighborEntry
from fabric_audit.platforms.hosts.linux.ip_link import hardware_address, name_of
from fabric_audit.platforms.hosts.linux.iproute import answers, tells_json
from fabric_audit.platforms.hosts.linux.iproute_text import answers_of_text, interfaces, neighbors
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Why, section


@section("ip-addr", Run("ip", "-j", "addr", "show"), yields=(Address,), proven=Provenance.FIELD)
def parse_ip_addr(output: Output) -> Iterator[Answer]:
    """``ip -j addr``: IPv4 and IPv6 addresses with prefix length and scope.

    Addresses that the kernel refused (``dadfailed``: another host has the same) are left out: it does not use them.
    Source: iproute2 ``ip/ipaddress.c``, ``print_addrinfo``.
    """
    if tells_json(output.stdout) or not output.stdout.strip():
        yield from answers(output, _addresses, "addresses", Address)
    else:
        yield from answers_of_text(output, interfaces, _addresses, Address)


def _addresses(one: Mapping[str, Any]) -> Iterator[Answer]:
    rows = one.get("addr_info")
    if not isinstance(rows, list):
        raise ParseError(0, str(dict(one)), "an interface with its addr_info")
    for row in rows:
        if isinstance(row, dict) and row and not row.get("dadfailed"):
            yield _address(name_of(one), row)


def _address(port: str, row: Mapping[str, Any]) -> Address:
    length = row.get("prefixlen")
    if type(length) is not int:
        raise ParseError(0, str(dict(row)), "an address with its prefixlen")
    scope = row.get("scope")
    return Address(
        port=port,
        address=f"{ip(row.get('local'))}/{length}",
        scope=str(scope) if scope else None,
    )


def ip(value: object) -> str:
    """An IP address as the standard library writes it.

    Raises:
        ParseError: it is none.
    """
    try:
        return str(ip_address(str(value)))
    except ValueError:
        raise ParseError(0, str(value), "an IP address") from None


@section("ip-neigh", Run("ip", "-j", "neigh", "show"), yields=(NeighborEntry,), proven=Provenance.DOCUMENT)
def parse_ip_neigh(output: Output) -> Iterator[Answer]:
    """``ip -j neigh``: the ARP and neighbour discovery tables.

    ``lladdr`` is missing while an address is being resolved (``INCOMPLETE``) and after that failed (``FAILED``).
    Before iproute2 4.17 this is plain text, and nothing at all where there is no neighbour.
    Source: iproute2 ``ip/ipneigh.c``.
    """
    if output.stdout.strip() and not tells_json(output.stdout):
        yield from answers_of_text(output, neighbors, _neighbor, NeighborEntry)
    elif output.stdout.strip() or output.stderr.strip() or output.rc:
        yield from answers(output, _neighbor, "neighbours", NeighborEntry)
    else:
        yield Missing("neighbor_entry", Why.ABSENT, "no neighbours")


def _neighbor(one: Mapping[str, Any]) -> Iterator[Answer]:
    port, states = one.get("dev"), one.get("state")
    if not isinstance(port, str) or not isinstance(states, list):
        raise ParseError(0, str(dict(one)), "a neighbour with dst, dev and state")
    yield NeighborEntry(
        port=port,
        address=ip(one.get("dst")),
        mac=hardware_address(one.get("lladdr")),
        state=",".join(map(str, states)),
    )
