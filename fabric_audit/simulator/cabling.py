"""Builds a fabric from a pod's name: hosts, switches, and the cables between them."""

import re
from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

from fabric_audit.simulator.fabric import Fabric, Host, Nic, Port, Switch

PLATFORMS = ("sonic", "nvidia_cumulus", "arista_eos", "cisco_nxos")
"""Operating systems that a simulated switch can run."""
USUAL = MappingProxyType({"leaf": "sonic", "spine": "arista_eos"})
"""Role → what its switches run where nothing else is asked for."""


class UnknownPodError(ValueError):
    """A pod's name that says nothing to build."""


def build(pod: str, platforms: Mapping[str, str] = USUAL) -> Fabric:
    """Build a pod from its name: ``clos-<hosts>x<rails>`` wired by rail, with ``-rack`` wired by rack.

    Two leaves (one a rail when there are more than two) and two spines, four 400G uplinks from each leaf to each
    spine; every host has one GPU and one NIC a rail. ``platforms`` says what switches run, by name or by role.

    Raises:
        UnknownPodError: the name is of another form or asks for more than 4,096 hosts or 16 rails, or ``platforms``
            names a switch or an operating system that there is not.
    """
    found = re.fullmatch(r"clos-(\d{1,4})x(\d{1,2})(-rack)?", pod)
    if not found or not (1 <= int(found[1]) <= 4096 and 1 <= int(found[2]) <= 16):  # noqa: PLR2004 - the limits
        raise UnknownPodError(f"no pod is called {pod!r}; clos-8x2 is 8 hosts with 2 rails, clos-8x2-rack by rack")
    hosts, rails, rack = int(found[1]), int(found[2]), bool(found[3])
    fabric = Fabric(pod, "rack" if rack else "rail", {}, {})
    leaves = [f"leaf{n:02d}" for n in range(1, max(2, 1 if rack else rails) + 1)]
    for number, name in enumerate(leaves, 1):
        runs = _platform(name, "leaf", platforms)
        fabric.switches[name] = Switch(name, runs, "leaf", asn=65100 + number, loopback=f"10.255.1.{number}")
    for number, name in enumerate(("spine01", "spine02"), 1):
        runs = _platform(name, "spine", platforms)
        fabric.switches[name] = Switch(name, runs, "spine", asn=65000, loopback=f"10.255.2.{number}")
    if unknown := platforms.keys() - fabric.switches.keys() - USUAL.keys():
        raise UnknownPodError(f"no switch and no role is called {min(unknown)!r}; write leaf, spine or a switch's name")
    for number in range(1, hosts + 1):
        host = _host(number, rails)
        fabric.hosts[host.name] = host
        for nic in host.nics:
            leaf = leaves[(number - 1) * len(leaves) // hosts] if rack else leaves[nic.rail % len(leaves)]
            nic.home = "" if rack else leaf
            _cable(fabric, leaf, nic.name)
    for leaf, spine in product(leaves, ("spine01", "spine02")):
        for _ in range(4):
            _uplink(fabric, leaf, spine)
    return fabric


def _platform(name: str, role: str, platforms: Mapping[str, str]) -> str:
    runs = platforms.get(name) or platforms.get(role) or USUAL[role]
    if runs not in PLATFORMS:
        raise UnknownPodError(f"no simulated switch runs {runs!r}; {name} can run {', '.join(PLATFORMS)}")
    return runs


def _host(number: int, rails: int) -> Host:
    name = f"gpu{number:03d}"
    high, low = divmod(number, 250)
    nics = [
        Nic(
            host=name,
            rail=rail,
            device=f"mlx5_{rail}",
            netdev=f"rail{rail}",
            mac=f"02:00:5e:{rail:02x}:{number // 256:02x}:{number % 256:02x}",
            ip=f"10.{rail + 1}.{high}.{low + 1}",
            gateway=f"10.{rail + 1}.255.254",
            pci=f"0000:{0x1A + 0x10 * (rail % 14):02x}:00.0",
            numa=rail * 2 // max(2, rails),
        )
        for rail in range(rails)
    ]
    return Host(name, nics, gpus=rails)


def _cable(fabric: Fabric, leaf: str, end: tuple[str, str]) -> None:
    switch = fabric.switches[leaf]
    port = next_port(switch, end)
    switch.ports[port.name] = port


def _uplink(fabric: Fabric, leaf: str, spine: str) -> None:
    a, b = fabric.switches[leaf], fabric.switches[spine]
    here, there = next_port(a, (spine, "")), next_port(b, (leaf, ""))
    here.peer, there.peer = (spine, there.name), (leaf, here.name)
    number = sum(bool(port.ip) for switch in fabric.switches.values() for port in switch.ports.values())
    here.ip, there.ip = (f"10.200.{(number + end) // 256}.{(number + end) % 256}" for end in (0, 1))
    a.ports[here.name], b.ports[there.name] = here, there


def next_port(switch: Switch, peer: tuple[str, str]) -> Port:
    """A port of the switch that is not in use yet, cabled to ``peer``."""
    index = len(switch.ports)
    base = sum(switch.name.encode()) % 200
    mac = f"02:00:5f:{base:02x}:{index // 256:02x}:{index % 256:02x}"
    number = index + 1
    if switch.platform == "sonic":
        lanes = ",".join(str(index * 8 + lane) for lane in range(1, 9))
        return Port(switch.name, f"Ethernet{index * 8}", f"etp{number}", lanes, peer, switch.platform, mac=mac)
    if switch.platform == "nvidia_cumulus":
        return Port(switch.name, f"swp{number}", "", "", peer, switch.platform, mac=mac)
    if switch.platform == "cisco_nxos":
        return Port(switch.name, f"Ethernet1/{number}", f"Eth1/{number}", "", peer, switch.platform, mac=mac)
    return Port(switch.name, f"Ethernet{number}/1", f"Et{number}/1", "", peer, switch.platform, mtu=9214, mac=mac)
