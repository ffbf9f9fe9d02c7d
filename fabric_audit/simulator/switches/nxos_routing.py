"""Routing of a simulated NX-OS switch, in the JSON that its show commands print."""

from fabric_audit.simulator.fabric import Fabric, Switch
from fabric_audit.simulator.switches.links import next_hops, sessions, uplinks
from fabric_audit.simulator.traffic import Traffic

_AGE = "P100DT2H"


def bgp_summary(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show bgp ipv4 unicast summary vrf all | json`."""
    peers = [
        {
            "neighborid": far.ip,
            "neighborversion": "4",
            "msgrecvd": "172812" if established else "0",
            "msgsent": "172810" if established else "0",
            "neighbortableversion": "18" if established else "0",
            "inq": "0",
            "outq": "0",
            "neighboras": str(fabric.switches[far.switch].asn),
            "time": _AGE,
            "state": "Established" if established else "Active",
            "prefixreceived": "4" if established else "0",
        }
        for _, far, established in sessions(fabric, switch)
    ]
    family = {
        "safi": "1",
        "af-name": "IPv4 Unicast",
        "tableversion": "18",
        "configuredpeers": str(len(peers)),
        "capablepeers": str(sum(peer["state"] == "Established" for peer in peers)),
        "TABLE_neighbor": {"ROW_neighbor": peers},
    }
    af = {"af-id": "1", "TABLE_saf": {"ROW_saf": family}}
    vrf = {"vrf-name-out": "default", "vrf-router-id": switch.loopback, "vrf-local-as": str(switch.asn)}
    return {"TABLE_vrf": {"ROW_vrf": vrf | {"TABLE_af": {"ROW_af": af}}}}


def routes(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show ip route vrf all | json`."""
    prefixes = [
        _prefix(f"{near.ip}/32", [{"ipnexthop": near.ip, "ifname": near.alias, "clientname": "local"}], attached=True)
        for near, _ in uplinks(fabric, switch)
    ]
    for prefix, hops in next_hops(fabric, switch).items():
        paths = [
            {"ipnexthop": far.ip, "ifname": near.alias, "clientname": f"bgp-{switch.asn}", "type": "external"}
            for near, far in hops
        ]
        prefixes.append(_prefix(prefix, paths, attached=False))
    family = {"addrf": "ipv4", "TABLE_prefix": {"ROW_prefix": prefixes}}
    return {"TABLE_vrf": {"ROW_vrf": {"vrf-name-out": "default", "TABLE_addrf": {"ROW_addrf": family}}}}


def _prefix(prefix: str, hops: list[dict[str, str]], *, attached: bool) -> dict[str, object]:
    told = {"uptime": _AGE, "pref": "0" if attached else "20", "metric": "0", "ubest": "true"}
    paths = [hop | told for hop in hops]
    return {
        "ipprefix": prefix,
        "ucast-nhops": str(len(paths)),
        "mcast-nhops": "0",
        "attached": str(attached).lower(),
        "TABLE_path": {"ROW_path": paths if len(paths) > 1 else paths[0]},
    }
