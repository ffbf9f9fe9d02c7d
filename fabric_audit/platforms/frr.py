"""BGP sessions and next hops from FRRouting's JSON, which SONiC and Cumulus Linux route with."""

from collections.abc import Callable, Iterator

from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Missing, Why

_STATES = {
    "Established": "established",
    "Idle": "idle",
    "Active": "active",
    "Connect": "connect",
    "OpenSent": "open_sent",
    "OpenConfirm": "open_confirm",
}
_FAMILIES = {
    "ipv4Unicast": "ipv4 unicast",
    "ipv6Unicast": "ipv6 unicast",
    "l2VpnEvpn": "l2vpn evpn",
}
_PROTOCOLS = {"bgp", "ospf", "isis", "static", "connected"}


def bgp_sessions(text: str, is_port: Callable[[str], bool]) -> Iterator[Answer]:
    """``show bgp vrf all summary json``: sessions under VRF, address family and ``peers``.

    ``Idle (Admin)`` is idle. An unnumbered session is named by its own port, which ``is_port`` tells. ``pfxRcd``
    counts prefixes received and kept; ``connectionsDropped`` how often the session was lost.

    Source: FRRouting ``bgpd/bgp_vty.c``, bgp_show_summary.

    Raises:
        ParseError: the text is no JSON, or a session has no state that is known.
    """
    found = False
    for vrf, families in _by_vrf(document(text), set(_FAMILIES)):
        for word, table in families.members():
            if word in _FAMILIES:
                for name, peer in table.get("peers").members():
                    found = True
                    yield _session((vrf, _FAMILIES[word], name), table, peer, port=name if is_port(name) else None)
    if not found:
        yield Missing(BgpNeighbor.TABLE, Why.ABSENT, "no BGP neighbour in any VRF")


def _by_vrf(told: Node, marks: set[str]) -> Iterator[tuple[str, Node]]:
    """VRFs and their tables; an answer for one VRF has no level for it."""
    names = {name for name, _ in told.members()}
    if names & marks:
        yield "default", told
    else:
        yield from told.members()


def _session(key: tuple[str, str, str], table: Node, peer: Node, *, port: str | None) -> BgpNeighbor:
    vrf, family, name = key
    state = (peer.need("state").text() or "").partition(" ")[0]
    if state not in _STATES:
        raise peer.get("state").wrong(" or ".join(_STATES))
    uptime = peer.get("peerUptimeMsec").decimal()
    return BgpNeighbor(
        vrf=vrf,
        neighbor=name,
        family=family,
        port=port,
        remote_as=peer.get("remoteAs").integer(),
        local_as=table.get("as").integer(),
        state=_STATES[state],
        prefixes_accepted=peer.get("pfxRcd").integer(),
        uptime_s=None if uptime is None else uptime / 1000,
        flaps=peer.get("connectionsDropped").integer(),
        description=peer.get("desc").text() or None,
        line=peer.line,
    )


def next_hops(text: str) -> Iterator[Answer]:
    """``show ip route vrf all json``: the next hops of each prefix that are in the forwarding table.

    Only the selected route of a prefix counts, and of its next hops those with ``fib``. ``expected_ways`` is the number
    of next hops that the protocol offers, those that are not usable too.

    Source: FRRouting ``zebra/zebra_vty.c``, vty_show_ip_route.

    Raises:
        ParseError: the text is no JSON, or has another form.
    """
    found = False
    told = document(text)
    prefixes = any("/" in name for name, _ in told.members())
    for vrf, table in [("default", told)] if prefixes else told.members():
        for prefix, routes in table.members():
            for route in routes.rows():
                group = _group(vrf, prefix, route)
                if group:
                    found = True
                    yield group
    if not found:
        yield Missing(EcmpGroup.TABLE, Why.ABSENT, "no route with a next hop")


def _group(vrf: str, prefix: str, route: Node) -> EcmpGroup | None:
    hops = [hop for hop in route.get("nexthops").rows() if hop.get("interfaceName").there]
    protocol = route.get("protocol").text() or ""
    if not route.get("selected").flag() or not hops or protocol in ("connected", "local", "kernel"):
        return None
    used = [hop for hop in hops if hop.get("fib").flag() and not hop.get("duplicate").flag()]
    return EcmpGroup(
        vrf=vrf,
        prefix=prefix,
        protocol=protocol if protocol in _PROTOCOLS else None,
        ways=len(used),
        ports=",".join(hop.get("interfaceName").text() or "" for hop in used),
        gateways=",".join(hop.get("ip").text() or "" for hop in used),
        expected_ways=len([hop for hop in hops if not hop.get("duplicate").flag()]),
        line=route.line,
    )
