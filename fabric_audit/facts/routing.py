"""What a change breaks while every link stays up: aggregation, routing sessions, load balancing, overlays."""

from fabric_audit.facts import Fact, counter, exact, key, table, volatile


@table
class Lag(Fact):
    """One link aggregation group of a switch or host; a missing member halves bandwidth and nothing goes down."""

    lag: str = key("name of the aggregate, such as Port-Channel10, Po10, ae0, bond0")
    protocol: str | None = exact("lacp, or static where nothing is negotiated", source="IEEE 802.1AX")
    oper_up: bool | None = exact("the aggregate carries traffic")
    min_links: int | None = exact("members that must be bundled, else the aggregate goes down")
    peer: str | None = exact("other chassis of a multi-chassis aggregate: MLAG or vPC domain, or Ethernet segment")


@table
class LagMember(Fact):
    """One port of a link aggregation group."""

    lag: str = key("name of the aggregate")
    port: str = key("member port, canonical")
    bundled: bool | None = exact("carries the aggregate's traffic", source="IEEE 802.1AX collecting, distributing")
    mode: str | None = exact("LACP activity: active, passive, or on where nothing is negotiated")
    reason: str | None = exact("why it is not bundled, in the platform's words")


@table
class BgpNeighbor(Fact):
    """One BGP session, as its own end sees it."""

    vrf: str = key("routing table it belongs to; default for the global one")
    neighbor: str = key("neighbour's address, or its interface where sessions have no address")
    family: str = key("address family, such as ipv4 unicast or l2vpn evpn; empty where the platform names none")
    port: str | None = exact("own interface, where the platform says which")
    remote_as: int | None = exact("neighbour's AS number, asdot written out", source="RFC 6793")
    local_as: int | None = exact("own AS number")
    state: str | None = exact("established, idle, active, connect, open_sent or open_confirm", source="RFC 4271 8.2.2")
    prefixes_received: int | None = exact("prefixes the neighbour announces")
    prefixes_accepted: int | None = exact("prefixes that passed the import policy")
    uptime_s: float | None = volatile("seconds in this state")
    flaps: int | None = counter("times the session was lost")
    description: str | None = exact("operator's text")


@table
class EcmpGroup(Fact):
    """The next hops one prefix is spread over: an uplink that is not in it carries nothing."""

    vrf: str = key("routing table; default for the global one")
    prefix: str = key("destination prefix")
    protocol: str | None = exact("what installed it: bgp, ospf, isis, static, connected")
    ways: int | None = exact("next hops in use")
    ports: str | None = exact("outgoing interfaces in order, comma separated, canonical")
    gateways: str | None = exact("next hop addresses in the same order, comma separated")
    expected_ways: int | None = exact("next hops the routing protocol offers, where the platform tells them apart")


@table
class LoadBalancing(Fact):
    """How a switch picks one of several links for a packet."""

    scope: str = key("ecmp, lag or all")
    mode: str | None = exact(
        "hash (static per flow), flowlet, per_packet (spraying) or adaptive (by link load); with the "
        "last two, packets of one flow may arrive out of order"
    )
    fields: str | None = exact("what is hashed: comma separated, such as src_ip,dst_ip,src_port,dst_port,roce_qpn")
    seed: str | None = exact("hash seed or rotation; equal at every tier it polarises")
    flowlet_gap_us: float | None = exact("idle time after which a flow may move, in microseconds")
    raw: str | None = exact("the platform's own words")


@table
class Vxlan(Fact):
    """One VXLAN tunnel endpoint: marks of the underlay must reach the host, DSCP of the host the underlay."""

    port: str = key("tunnel interface, such as Vxlan1, nve1, vtep")
    present: bool | None = exact("configured and on")
    source: str | None = exact("interface or address tunnels start from")
    udp_port: int | None = exact("UDP destination port", source="RFC 7348 section 5: 4789")
    vnis: int | None = exact("number of VXLAN network identifiers")
    dscp_mode: str | None = exact("outer DSCP: copy (uniform, taken from the inner packet), fixed (pipe) or unknown")
    ecn_copy: bool | None = exact(
        "CE marks of the outer header are copied to the inner one, and ECT outward", source="RFC 6040 section 4"
    )
