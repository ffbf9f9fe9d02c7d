"""Aggregates, BGP sessions and next hops of Junos."""

from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup, Lag, LagMember
from fabric_audit.platforms.as_numbers import as_number
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.juniper_junos.elements import Element, elements
from fabric_audit.platforms.switches.juniper_junos.names import physical
from fabric_audit.platforms.text import decimal

_STATES = {
    "Established": "established",
    "Idle": "idle",
    "Active": "active",
    "Connect": "connect",
    "OpenSent": "open_sent",
    "OpenConfirm": "open_confirm",
}
_FAMILIES = {"inet.0": "ipv4 unicast", "inet6.0": "ipv6 unicast", "bgp.evpn.0": "l2vpn evpn"}
_PROTOCOLS = {"BGP": "bgp", "OSPF": "ospf", "IS-IS": "isis", "Static": "static"}


def _needed(tree: Element, tag: str, output: Output) -> None:
    if not list(tree.find(tag)):
        raise ParseError(1, output.stdout.strip().partition("\n")[0], f"an element {tag}")


@section(
    "show-bgp-summary-xml",
    Cli("show bgp summary | display xml | no-more"),
    yields=(BgpNeighbor,),
    proven=Provenance.DOCUMENT,
)
def parse_bgp(output: Output) -> Iterator[Answer]:
    """``show bgp summary | display xml``: one ``bgp-peer`` per session, with a ``bgp-rib`` per table.

    ``elapsed-time`` carries its seconds as an attribute. A session over a link-local address is named
    ``fe80::...%et-0/0/0.0`` and tells its port by it. A session that is not up has no tables: then one row without a
    family.

    Source: element names as Juniper's PyEZ and NAPALM read them.
    """
    tree = elements(output.stdout)
    found = False
    for peer in tree.find("bgp-peer"):
        found = True
        yield from _sessions(peer)
    if not found:
        _needed(tree, "bgp-information", output)
        yield Missing(BgpNeighbor.TABLE, Why.ABSENT, "no bgp-peer")


def _sessions(peer: Element) -> Iterator[BgpNeighbor]:
    state = peer.need("peer-state")
    if state not in _STATES:
        raise ParseError(0, state, " or ".join(_STATES))
    address, _, scope = peer.need("peer-address").partition("+")[0].partition("%")
    seconds = peer.first("elapsed-time").attributes.get("seconds", "")
    for rib in list(peer.all("bgp-rib")) or [Element("bgp-rib")]:
        table = rib.word("name") or ""
        instance, _, base = table.rpartition(".inet")
        yield BgpNeighbor(
            vrf=instance or "default",
            neighbor=address,
            family=_FAMILIES.get(table, f"inet{base}" if base else table),
            port=physical(scope) if scope else None,
            remote_as=as_number(peer.word("peer-as") or ""),
            state=_STATES[state],
            prefixes_received=rib.integer("received-prefix-count"),
            prefixes_accepted=rib.integer("accepted-prefix-count"),
            uptime_s=decimal(seconds, 0, "seconds"),
            flaps=peer.integer("flap-count"),
            description=peer.word("description"),
        )


@section(
    "show-route-xml",
    Cli("show route active-path | display xml | no-more", heavy=True),
    yields=(EcmpGroup,),
    proven=Provenance.DOCUMENT,
    timeout_s=180.0,
)
def parse_routes(output: Output) -> Iterator[Answer]:
    """``show route active-path | display xml``: next hops of each active route in ``nh``.

    Direct and local routes have none. ``via`` is a unit; the port below it counts.

    Source: element names as Juniper's PyEZ and NAPALM read them.
    """
    tree = elements(output.stdout)
    found = False
    for table in tree.find("route-table"):
        name = table.need("table-name")
        for route in table.all("rt"):
            entry = route.first("rt-entry")
            hops = [hop for hop in entry.all("nh") if hop.word("via") and hop.word("to")]
            if not hops:
                continue
            found = True
            instance = name.rpartition(".inet")[0]
            yield EcmpGroup(
                vrf=instance or "default",
                prefix=route.need("rt-destination"),
                protocol=_PROTOCOLS.get(entry.word("protocol-name") or ""),
                ways=len(hops),
                ports=",".join(physical(hop.need("via")) for hop in hops),
                gateways=",".join(hop.need("to") for hop in hops),
            )
    if not found:
        _needed(tree, "route-information", output)
        yield Missing(EcmpGroup.TABLE, Why.ABSENT, "no route with a next hop")


@section(
    "show-lacp-interfaces-xml",
    Cli("show lacp interfaces | display xml | no-more"),
    yields=(Lag, LagMember),
    proven=Provenance.DOCUMENT,
)
def parse_lacp(output: Output) -> Iterator[Answer]:
    """``show lacp interfaces | display xml``: members of each aggregate with the state of their multiplexer.

    A member is bundled in the state ``Collecting distributing``. Aggregates without LACP are not listed.

    Source: element names as Juniper's PyEZ reads them.
    """
    tree = elements(output.stdout)
    found = False
    for node in tree.find("lacp-interface-information"):
        found = True
        name = node.need("lag-lacp-header", "aggregate-name")
        members = list(node.all("lag-lacp-protocol"))
        states = {member.need("name"): member.word("lacp-mux-state") or "" for member in members}
        yield Lag(lag=name, protocol="lacp", oper_up=any(_bundled(state) for state in states.values()))
        for port, state in states.items():
            bundled = _bundled(state)
            yield LagMember(lag=name, port=physical(port), bundled=bundled, reason=None if bundled else state)
    if not found:
        _needed(tree, "lacp-interface-information-list", output)
        yield Missing(Lag.TABLE, Why.ABSENT, "no aggregate with LACP")


def _bundled(state: str) -> bool:
    return state.lower() == "collecting distributing"
