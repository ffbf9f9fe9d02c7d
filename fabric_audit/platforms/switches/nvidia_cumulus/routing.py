"""BGP sessions and next hops of Cumulus Linux, from FRR."""

from collections.abc import Iterator

from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup
from fabric_audit.platforms import frr
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.nvidia_cumulus.names import kind


@section(
    "show-bgp-summary-json",
    Cli("sudo -n vtysh -c 'show bgp vrf all summary json'"),
    yields=(BgpNeighbor,),
    proven=Provenance.DOCUMENT,
)
def parse_bgp_summary(output: Output) -> Iterator[Answer]:
    """``vtysh -c 'show bgp vrf all summary json'``: sessions under VRF, address family and ``peers``.

    See :func:`fabric_audit.platforms.frr.bgp_sessions`. Without a password-free sudo it is not supported.

    Source: FRRouting ``bgpd/bgp_vty.c``, bgp_show_summary.
    """
    yield from frr.bgp_sessions(output.stdout, lambda name: kind(name) in ("physical", "bond", "vlan"))


@section(
    "show-ip-route-json",
    Cli("sudo -n vtysh -c 'show ip route vrf all json'", heavy=True),
    yields=(EcmpGroup,),
    proven=Provenance.DOCUMENT,
    timeout_s=120.0,
)
def parse_routes(output: Output) -> Iterator[Answer]:
    """``vtysh -c 'show ip route vrf all json'``: the next hops of each prefix that are in the forwarding table.

    See :func:`fabric_audit.platforms.frr.next_hops`. Without a password-free sudo it is not supported.

    Source: FRRouting ``zebra/zebra_vty.c``, vty_show_ip_route.
    """
    yield from frr.next_hops(output.stdout)
