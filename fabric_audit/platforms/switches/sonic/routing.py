"""BGP sessions and next hops of SONiC, from FRR in its own container."""

from collections.abc import Iterator

from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup
from fabric_audit.platforms import frr
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.sonic.ports import kind_of


@section(
    "show-bgp-summary-json",
    Cli("sudo -n vtysh -c 'show bgp vrf all summary json'"),
    yields=(BgpNeighbor,),
    proven=Provenance.DOCUMENT,
)
def show_bgp_summary(output: Output) -> Iterator[Answer]:
    """``vtysh -c 'show bgp vrf all summary json'``: sessions under VRF, address family and ``peers``.

    ``/usr/bin/vtysh`` of SONiC runs the one in the container of BGP. See
    :func:`fabric_audit.platforms.frr.bgp_sessions`. Boxes with several ASICs want ``-n`` and say so.

    Sources: FRRouting ``bgpd/bgp_vty.c``; sonic-buildimage dockers/docker-fpm-frr/base_image_files/vtysh.
    """
    yield from frr.bgp_sessions(output.stdout, lambda name: kind_of(name) in ("physical", "bond", "vlan"))


@section(
    "show-ip-route-json",
    Cli("sudo -n vtysh -c 'show ip route vrf all json'", heavy=True),
    yields=(EcmpGroup,),
    proven=Provenance.DOCUMENT,
    timeout_s=120.0,
)
def show_ip_route(output: Output) -> Iterator[Answer]:
    """``vtysh -c 'show ip route vrf all json'``: the next hops of each prefix that are in the forwarding table.

    See :func:`fabric_audit.platforms.frr.next_hops`.

    Source: FRRouting ``zebra/zebra_vty.c``, vty_show_ip_route.
    """
    yield from frr.next_hops(output.stdout)
