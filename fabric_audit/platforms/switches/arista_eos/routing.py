"""Aggregates, BGP sessions and next hops of EOS."""

from collections.abc import Iterator

from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup, Lag, LagMember
from fabric_audit.platforms.as_numbers import as_number
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.arista_eos.names import canonical

_STATES = {
    "Established": "established",
    "Idle": "idle",
    "Active": "active",
    "Connect": "connect",
    "OpenSent": "open_sent",
    "OpenConfirm": "open_confirm",
}
_PROTOCOLS = {
    "eBGP": "bgp",
    "iBGP": "bgp",
    "bgp": "bgp",
    "ospf": "ospf",
    "isis": "isis",
    "static": "static",
    "connected": "connected",
}


@section(
    "show-ip-bgp-summary-json",
    Cli("show ip bgp summary vrf all | json"),
    yields=(BgpNeighbor,),
    proven=Provenance.DOCUMENT,
)
def parse_bgp_summary_json(output: Output) -> Iterator[Answer]:
    """``show ip bgp summary vrf all | json``: sessions under ``vrfs.VRF.peers``.

    ``upDownTime`` is a point in time of the switch's clock, not a duration; it is not read. Sessions over
    link-local addresses are named ``fe80::...%Et1`` and tell their port by it.

    Source: the model of Arista's eAPI, as ANTA and NAPALM read it.
    """
    found = False
    for vrf, table in document(output.stdout).need("vrfs").members():
        for neighbor, peer in table.get("peers").members():
            found = True
            yield _session(vrf, neighbor, table, peer)
    if not found:
        yield Missing(BgpNeighbor.TABLE, Why.ABSENT, "no BGP neighbour in any VRF")


def _session(vrf: str, neighbor: str, table: Node, peer: Node) -> BgpNeighbor:
    state = (peer.need("peerState").text() or "").partition("(")[0]
    if state not in _STATES:
        raise peer.get("peerState").wrong(" or ".join(_STATES))
    address, _, scope = neighbor.partition("%")
    return BgpNeighbor(
        vrf=vrf,
        neighbor=address,
        family="ipv4 unicast",
        port=canonical(scope) if scope else None,
        remote_as=as_number(peer.get("asn", "peerAsn").text() or ""),
        local_as=as_number(table.get("asn").text() or ""),
        state=_STATES[state],
        prefixes_received=peer.get("prefixReceived").integer(),
        prefixes_accepted=peer.get("prefixAccepted").integer(),
        description=peer.get("description").text() or None,
        line=peer.line,
    )


@section(
    "show-ip-route-json",
    Cli("show ip route vrf all | json", heavy=True),
    yields=(EcmpGroup,),
    proven=Provenance.DOCUMENT,
    timeout_s=120.0,
)
def parse_routes_json(output: Output) -> Iterator[Answer]:
    """``show ip route vrf all | json``: next hops of each prefix under ``vrfs.VRF.routes.PREFIX.vias``.

    Only routes with a next hop on an interface are rows: connected routes have none, overlay routes lead to a
    tunnel endpoint.

    Source: the model of Arista's eAPI, as ANTA and NAPALM read it.
    """
    found = False
    for vrf, table in document(output.stdout).need("vrfs").members():
        for prefix, route in table.get("routes").members():
            hops = [via for via in route.get("vias").rows() if via.get("interface").there]
            if route.get("directlyConnected").flag() or not hops:
                continue
            found = True
            yield EcmpGroup(
                vrf=vrf,
                prefix=prefix,
                protocol=_PROTOCOLS.get(route.get("routeType").text() or ""),
                ways=len(hops),
                ports=",".join(canonical(via.get("interface").text() or "") for via in hops),
                gateways=",".join(via.get("nexthopAddr").text() or "" for via in hops),
                line=route.line,
            )
    if not found:
        yield Missing(EcmpGroup.TABLE, Why.ABSENT, "no route with a next hop")


@section(
    "show-port-channel-detailed-json",
    Cli("show port-channel detailed | json"),
    yields=(Lag, LagMember),
    proven=Provenance.DOCUMENT,
)
def parse_port_channels_json(output: Output) -> Iterator[Answer]:
    """``show port-channel detailed | json``: members that are bundled and those that are not.

    ``activePorts`` carry traffic; a port of ``inactivePorts`` gives its reason in ``reasonUnconfigured``. An
    aggregate with no active port is down.

    Source: the model of Arista's eAPI, as ANTA reads it.
    """
    aggregates = document(output.stdout).need("portChannels")
    if aggregates.empty:
        yield Missing(Lag.TABLE, Why.ABSENT, "portChannels: {}")
    for name, node in aggregates.members():
        active, inactive = node.get("activePorts"), node.get("inactivePorts")
        protocols = {port.get("protocol").text() for _, port in active.members()}
        yield Lag(
            lag=name,
            protocol=protocols.pop() if len(protocols) == 1 else None,
            oper_up=any(True for _ in active.members()),
            line=node.line,
        )
        for members, bundled in ((active, True), (inactive, False)):
            for port, member in members.members():
                yield LagMember(
                    lag=name,
                    port=canonical(port),
                    bundled=bundled,
                    mode=member.get("lacpMode").text(),
                    reason=member.get("reasonUnconfigured").text() or None,
                    line=member.line,
                )
