"""Routing of a simulated EOS switch: addresses, BGP sessions, next hops."""

from fabric_audit.simulator.fabric import Fabric, Port, Switch
from fabric_audit.simulator.traffic import Traffic


def uplinks(fabric: Fabric, switch: Switch) -> list[tuple[Port, Port]]:
    """(own port, port at the other end) of every cable to another switch."""
    ports = [port for port in switch.ports.values() if port.peer[0] in fabric.switches]
    return [(port, fabric.switches[port.peer[0]].ports[port.peer[1]]) for port in ports]


def bgp_summary(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show ip bgp summary vrf all | json`."""
    peers = {
        far.ip: {
            "description": f"{far.switch} {far.name}",
            "version": 4,
            "peerState": "Established" if near.session and near.up else "Active",
            "asn": str(fabric.switches[far.switch].asn),
            "prefixReceived": 4 if near.session else 0,
            "prefixAccepted": 4 if near.session else 0,
        }
        for near, far in uplinks(fabric, switch)
    }
    default = {"routerId": switch.loopback, "vrf": "default", "asn": str(switch.asn), "peers": peers}
    return {"vrfs": {"default": default}}


def routes(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show ip route vrf all | json`: the loopback of each neighbour, over every cable that leads there."""
    vias: dict[str, list[dict[str, str]]] = {}
    for near, far in uplinks(fabric, switch):
        if near.up and near.session and near.routed:
            prefix = f"{fabric.switches[far.switch].loopback}/32"
            vias.setdefault(prefix, []).append({"interface": near.name, "nexthopAddr": far.ip})
    usual = {"routeType": "eBGP", "directlyConnected": False, "hardwareProgrammed": True}
    found = {prefix: usual | {"vias": hops} for prefix, hops in vias.items()}
    return {"vrfs": {"default": {"routingDisabled": False, "allRoutesProgrammedHardware": True, "routes": found}}}
