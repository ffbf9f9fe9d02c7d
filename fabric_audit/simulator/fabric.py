"""What a simulated pod is made of. Entities are mutable: faults change them, traffic counts on them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType

GBPS = 10**9
ROCE_DSCP = 26
CNP_DSCP = 48
LOSSLESS = 3
PLATFORMS = ("sonic", "nvidia_cumulus", "arista_eos", "cisco_nxos")
"""Operating systems that a simulated switch can run."""
USUAL = MappingProxyType({"leaf": "sonic", "spine": "arista_eos"})
"""Role → what its switches run where nothing else is asked for."""


class UnknownPodError(ValueError):
    """A pod's name that says nothing to build."""


@dataclass(slots=True)
class Nic:
    """One ConnectX-7 port of a host."""

    host: str
    rail: int
    device: str
    netdev: str
    mac: str
    ip: str
    gateway: str
    pci: str
    numa: int
    speed_bps: int = 400 * GBPS
    mtu: int = 9000
    pfc: frozenset[int] = frozenset({LOSSLESS})
    trust: str = "dscp"
    dscp_to_priority: dict[int, int] = field(default_factory=lambda: {dscp: dscp // 8 for dscp in range(64)})
    np: bool = True
    rp: bool = True
    traffic_class: int | None = None
    factor: float = 1.0
    """Share of the port's rate that the host behind it can use: PCIe, placement."""
    pci_width: int = 16
    pci_gts: float = 32.0
    read_request: int = 4096
    counters: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> tuple[str, str]:
        """Host and interface."""
        return self.host, self.netdev


@dataclass(slots=True)
class Host:
    """One GPU host."""

    name: str
    nics: list[Nic]
    gpus: int
    gpu_model: str = "NVIDIA H100 80GB HBM3"
    nvlinks: int = 18
    nvlink_faults: dict[tuple[int, int], str] = field(default_factory=dict)
    """(gpu, gpu) → what `nvidia-smi topo -m` shows instead of NV#."""
    peermem: bool = True
    open_modules: bool = False
    perftest: bool = True
    foreign_qps: int = 0
    acs: bool = False
    """ACS redirects peer-to-peer traffic on the PCIe switches."""
    iommu: str = ""
    """Default domain of IOMMU groups, as sysfs says it; empty without an IOMMU."""
    kernel_log: list[str] = field(default_factory=list)
    """Lines of the kernel log besides the ordinary ones."""
    throttle: dict[int, str] = field(default_factory=dict)
    """GPU → why its clocks are held down, in nvidia-smi's word."""
    firmware: str = "28.39.3560"

    def nic(self, rail: int) -> Nic:
        """The NIC on a rail."""
        return next(nic for nic in self.nics if nic.rail == rail)


@dataclass(slots=True)
class Port:
    """One switch port."""

    switch: str
    name: str
    alias: str
    lanes: str
    peer: tuple[str, str]
    """(target, port) at the other end of the cable."""
    speed_bps: int = 400 * GBPS
    mtu: int = 9216
    pfc: frozenset[int] = frozenset({LOSSLESS})
    ecn: bool = True
    watchdog: bool = True
    up: bool = True
    loss: float = 0.0
    """Share of packets lost on the cable, both ways."""
    mac: str = ""
    ip: str = ""
    """Address of a port to another switch, in a subnet of two."""
    peered: bool = True
    """A BGP session is configured with what is at the other end."""
    session: bool = True
    """Its BGP session is established."""
    routed: bool = True
    """It is among the next hops of what lies behind it."""
    fec: str = "rs"
    counters: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Switch:
    """One switch."""

    name: str
    platform: str
    role: str
    ports: dict[str, Port] = field(default_factory=dict)
    dscp_to_tc: dict[int, int] = field(default_factory=lambda: {dscp: dscp // 8 for dscp in range(64)})
    asn: int = 65000
    loopback: str = ""
    manners: set[str] = field(default_factory=set)
    """How its command line answers: ``slow``, or ``paged`` where AAA does not let paging be turned off."""


@dataclass(slots=True)
class Fabric:
    """A pod: hosts, switches, and the cables implied by the ports' peers."""

    pod: str
    wiring: str
    hosts: dict[str, Host]
    switches: dict[str, Switch]
    refusals: dict[str, str] = field(default_factory=dict)
    """target → how it refuses: ``down``, ``key``, ``hostkey``, ``silent``, ``password``."""

    def leaf_port(self, nic: Nic) -> Port:
        """The switch port at the other end of a NIC's cable."""
        return next(p for s in self.switches.values() for p in s.ports.values() if p.peer == nic.name)

    def nics(self) -> Iterator[Nic]:
        """All NICs."""
        for host in self.hosts.values():
            yield from host.nics

    def peer_of(self, port: Port) -> "Port | Nic":
        """What is at the other end of a switch port."""
        target, name = port.peer
        if target in self.switches:
            return self.switches[target].ports[name]
        return next(nic for nic in self.hosts[target].nics if nic.netdev == name)


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
    port = _next_port(switch, end)
    switch.ports[port.name] = port


def _uplink(fabric: Fabric, leaf: str, spine: str) -> None:
    a, b = fabric.switches[leaf], fabric.switches[spine]
    here, there = _next_port(a, (spine, "")), _next_port(b, (leaf, ""))
    here.peer, there.peer = (spine, there.name), (leaf, here.name)
    number = sum(bool(port.ip) for switch in fabric.switches.values() for port in switch.ports.values())
    here.ip, there.ip = (f"10.200.{(number + end) // 256}.{(number + end) % 256}" for end in (0, 1))
    a.ports[here.name], b.ports[there.name] = here, there


def _next_port(switch: Switch, peer: tuple[str, str]) -> Port:
    index = len(switch.ports)
    base = sum(switch.name.encode()) % 200
    mac = f"02:00:5f:{base:02x}:{index // 256:02x}:{index % 256:02x}"
    number = index + 1
    if switch.platform == "sonic":
        lanes = ",".join(str(index * 8 + lane) for lane in range(1, 9))
        return Port(switch.name, f"Ethernet{index * 8}", f"etp{number}", lanes, peer, mac=mac)
    if switch.platform == "nvidia_cumulus":
        return Port(switch.name, f"swp{number}", "", "", peer, mac=mac)
    if switch.platform == "cisco_nxos":
        return Port(switch.name, f"Ethernet1/{number}", f"Eth1/{number}", "", peer, mac=mac)
    return Port(switch.name, f"Ethernet{number}/1", f"Et{number}/1", "", peer, mtu=9214, mac=mac)
