"""What a simulated switch knows of what lies behind its ports: neighbours by LLDP, sessions, next hops."""

from dataclasses import dataclass

from fabric_audit.simulator.fabric import Fabric, Port, Switch

UPTIME_S = 8_640_000
"""A hundred days: since when switches, sessions and routes of a pod have been up."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the other end of a cable says of itself by LLDP."""

    system: str
    chassis: str
    port_id: str
    description: str


def told_by_lldp(fabric: Fabric, port: Port) -> Told:
    """The neighbour of a port. SONiC tells the alias of a port and not its name, as lldpmgrd configures it."""
    target, name = port.peer
    if target not in fabric.switches:
        nic = next(nic for nic in fabric.hosts[target].nics if nic.netdev == name)
        return Told(target, nic.mac, name, name)
    switch = fabric.switches[target]
    far = switch.ports[name]
    return Told(target, mac_of(switch), far.alias if switch.platform == "sonic" else name, " ".join(far.peer))


def mac_of(switch: Switch) -> str:
    """A switch's own MAC address."""
    return f"02:00:5f:00:00:{sum(switch.name.encode()) % 256:02x}"


def uplinks(fabric: Fabric, switch: Switch) -> list[tuple[Port, Port]]:
    """(own port, port at the other end) of every cable to another switch."""
    ports = [port for port in switch.ports.values() if port.peer[0] in fabric.switches]
    return [(port, fabric.switches[port.peer[0]].ports[port.peer[1]]) for port in ports]


def sessions(fabric: Fabric, switch: Switch) -> list[tuple[Port, Port, bool]]:
    """(own port, port at the other end, established) of every BGP session that is configured."""
    return [(near, far, near.session and near.up) for near, far in uplinks(fabric, switch) if near.peered]


def next_hops(fabric: Fabric, switch: Switch) -> dict[str, list[tuple[Port, Port]]]:
    """Prefix → the cables that lead there: to a switch's loopback over its own cables, to one beyond over all."""
    ways = [(near, far) for near, far in uplinks(fabric, switch) if near.up and near.session and near.routed]
    found: dict[str, list[tuple[Port, Port]]] = {}
    for other in fabric.switches.values():
        straight = [(near, far) for near, far in ways if far.switch == other.name]
        beyond = ways if other.role == switch.role == "leaf" and other is not switch else []
        if straight or beyond:
            found[f"{other.loopback}/32"] = straight or beyond
    return found
