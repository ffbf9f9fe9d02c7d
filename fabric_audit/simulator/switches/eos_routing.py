"""Routing of a simulated EOS switch: BGP sessions, next hops."""

from fabric_audit.simulator.fabric import Fabric, Switch
from fabric_audit.simulator.switches.links import next_hops, sessions
from fabric_audit.simulator.traffic import Traffic


def bgp_summary(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show ip bgp summary vrf all | json`."""
    peers = {
        far.ip: {
            "description": f"{far.switch} {far.name}",
            "version": 4,
            "peerState": "Established" if established else "Active",
            "asn": str(fabric.switches[far.switch].asn),
            "prefixReceived": 4 if established else 0,
            "prefixAccepted": 4 if established else 0,
        }
        for _, far, established in sessions(fabric, switch)
    }
    default = {"routerId": switch.loopback, "vrf": "default", "asn": str(switch.asn), "peers": peers}
    return {"vrfs": {"default": default}}


def routes(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show ip route vrf all | json`."""
    usual = {"routeType": "eBGP", "directlyConnected": False, "hardwareProgrammed": True}
    found = {
        prefix: usual | {"vias": [{"interface": near.name, "nexthopAddr": far.ip} for near, far in hops]}
        for prefix, hops in next_hops(fabric, switch).items()
    }
    return {"vrfs": {"default": {"routingDisabled": False, "allRoutesProgrammedHardware": True, "routes": found}}}
