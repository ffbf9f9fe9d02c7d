"""FRRouting, which routes on SONiC and on Cumulus Linux: the JSON that `vtysh` prints (bgp_vty.c, zebra_vty.c)."""

from fabric_audit.simulator.fabric import Fabric, Port, Switch
from fabric_audit.simulator.switches.links import UPTIME_S, next_hops, sessions, uplinks
from fabric_audit.simulator.traffic import Traffic

_AGE = "14w2d00h"


def bgp_summary(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show bgp vrf all summary json`."""
    peers = {
        far.ip: _peer(fabric, switch, far, established=established) for _, far, established in sessions(fabric, switch)
    }
    failed = sum(peer["state"] != "Established" for peer in peers.values())
    table = {
        "routerId": switch.loopback,
        "as": switch.asn,
        "vrfId": 0,
        "vrfName": "default",
        "tableVersion": 18,
        "ribCount": 11,
        "peerCount": len(peers),
        "peers": peers,
        "failedPeers": failed,
        "totalPeers": len(peers),
        "dynamicPeers": 0,
        "bestPath": {"multiPathRelax": "true"},
    }
    return {"default": {"ipv4Unicast": table}}


def _peer(fabric: Fabric, switch: Switch, far: Port, *, established: bool) -> dict[str, object]:
    since = UPTIME_S * 1000 if established else 0
    return {
        "hostname": far.switch,
        "remoteAs": fabric.switches[far.switch].asn,
        "localAs": switch.asn,
        "version": 4,
        "msgRcvd": 172_812 if established else 0,
        "msgSent": 172_810 if established else 0,
        "outq": 0,
        "inq": 0,
        "peerUptime": _AGE if established else "never",
        "peerUptimeMsec": since,
        "pfxRcd": 4 if established else 0,
        "pfxSnt": 6 if established else 0,
        "state": "Established" if established else "Active",
        "peerState": "OK",
        "connectionsEstablished": int(established),
        "connectionsDropped": 0,
        "desc": f"{far.switch} {far.name}",
        "idType": "ipv4",
    }


def routes(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show ip route vrf all json`."""
    index = {name: number for number, name in enumerate(switch.ports, 3)}
    found: dict[str, object] = {}
    for near, _ in uplinks(fabric, switch):
        network = f"{_even(near.ip)}/31"
        hop = {"flags": 3, "fib": True, "directlyConnected": True, **_through(near, index)}
        found[network] = [_route(network, "connected", 0, [hop])]
    for prefix, hops in next_hops(fabric, switch).items():
        ways = [
            {"flags": 3, "fib": True, "ip": far.ip, "afi": "ipv4", **_through(near, index), "weight": 1}
            for near, far in hops
        ]
        found[prefix] = [_route(prefix, "bgp", 20, ways)]
    return {"default": found}


def _through(port: Port, index: dict[str, int]) -> dict[str, object]:
    return {"interfaceIndex": index[port.name], "interfaceName": port.name, "active": True}


def _route(prefix: str, protocol: str, distance: int, hops: list[dict[str, object]]) -> dict[str, object]:
    return {
        "prefix": prefix,
        "prefixLen": int(prefix.partition("/")[2]),
        "protocol": protocol,
        "vrfId": 0,
        "vrfName": "default",
        "selected": True,
        "destSelected": True,
        "distance": distance,
        "metric": 0,
        "installed": True,
        "table": 254,
        "internalNextHopNum": len(hops),
        "internalNextHopActiveNum": len(hops),
        "uptime": _AGE,
        "nexthops": hops,
    }


def _even(address: str) -> str:
    """The network of a subnet of two addresses."""
    head, _, last = address.rpartition(".")
    return f"{head}.{int(last) & ~1}"
