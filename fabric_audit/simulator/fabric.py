"""What a simulated pod is made of. Entities are mutable: faults change them, traffic counts on them."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

GBPS = 10**9
ROCE_DSCP = 26
CNP_DSCP = 48
LOSSLESS = 3
PCIE_EFFICIENCY = 0.86
"""Share of a PCIe link's raw rate that is payload: 128b/130b, and 24 bytes beside every 256 (PCI Express Base 4.2)."""
NCCL_CONF = MappingProxyType({"NCCL_IB_TC": "106", "NCCL_IB_HCA": "mlx5"})


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
    cnp_dscp: int = CNP_DSCP
    link_pause: bool = False
    """802.3x pause of the whole link is on."""
    factor: float = 1.0
    """Share of the port's rate that the host behind it can use: placement, a slot shared with another card."""
    sends: float = 1.0
    """Share of the port's rate that the host can read from its memory for it."""
    receives: float = 1.0
    """Share of the port's rate that the host can write to its memory for it."""
    pci_width: int = 16
    pci_gts: float = 32.0
    read_request: int = 4096
    relaxed: bool = True
    """It may set the relaxed ordering attribute."""
    up: bool = True
    fec: str = "rs"
    part: str = "MT4129"
    ipv4: bool = True
    """Its interface has its IPv4 address."""
    roce_v2: bool = True
    more_addresses: int = 0
    """Addresses that the interface got before its IPv4 address, each with GIDs of its own."""
    ruled: bool = True
    """What is sent from its address leaves by it; else it has a host address alone, and no rule leads to its table."""
    loss: float = 0.0
    """Share of packets lost on the cable on their way to it."""
    raw_ber: float = 5e-10
    """Bit error ratio before FEC; 5e-10 is what a good 400G link has."""
    ber: float = 0.0
    """Bit error ratio that FEC leaves."""
    module_c: float = 52.0
    """Case temperature of its module."""
    flaps: int = 1
    """How often its link went down since the host began."""
    flapping: bool = False
    """Its link goes down for a moment in every test."""
    pauses: float = 0.0
    """Share of the time of a test in which it pauses the switch that sends to it, whatever the rate."""
    unready: int = 0
    """Packets of each test for which no buffer was posted."""
    reordered: int = 0
    """Packets of each test that arrived out of order, and in the end all did."""
    cleared: int = 0
    """Somebody clears its counters after so many tests; 0 for nobody."""
    tests: int = 0
    """How many it took part in."""
    home: str = ""
    """The leaf that knows its subnet; empty where all do."""
    counters: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> tuple[str, str]:
        """Host and interface."""
        return self.host, self.netdev

    def most_bps(self, side: str) -> float:
        """The rate that the host can read or write for it, ``side`` ``tx`` or ``rx``, as far as the port's goes."""
        pcie = self.pci_width * self.pci_gts * GBPS * PCIE_EFFICIENCY
        asked = 1.0 if side == "rx" else min(1.0, 0.7 + 0.3 * self.read_request / 4096)
        own = self.sends if side == "tx" else self.receives * (1.0 - self.pauses)
        return min(pcie, self.speed_bps * self.factor * own * asked)


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
    kernel: str = "5.15.0-119-generic"
    driver: str = "550.90.07"
    gpu_width: dict[int, int] = field(default_factory=dict)
    """GPU → PCIe lanes in use, where they are fewer than 16."""
    far: set[int] = field(default_factory=set)
    """GPUs whose NIC sits below another root port."""
    p2p_blocked: set[tuple[int, int]] = field(default_factory=set)
    memory_faults: dict[int, str] = field(default_factory=dict)
    """GPU → what is wrong with its memory: ``uncorrected``, ``remap_pending``, ``remap_failed`` or ``ecc_off``."""
    memlock: str = "unlimited"
    clock_off_s: float = 0.0
    nccl_conf: dict[str, str] = field(default_factory=lambda: dict(NCCL_CONF))
    prefix: int = 16
    """Length of the prefix of its rails' subnets; below 16 they are one subnet."""
    arp_ignore: int = 1
    busy: bool = False
    """Somebody else's job runs on it."""

    def nic(self, rail: int) -> Nic:
        """The NIC on a rail."""
        return next(nic for nic in self.nics if nic.rail == rail)

    def gpu_bps(self, gpu: int) -> float:
        """The rate at which a GPU's memory can be reached by its NIC."""
        pcie = self.gpu_width.get(gpu, 16) * 32 * GBPS * PCIE_EFFICIENCY
        detour = 0.45 if self.acs or gpu in self.far else 1.0
        return pcie * detour


@dataclass(slots=True)
class Port:
    """One switch port."""

    switch: str
    name: str
    alias: str
    lanes: str
    peer: tuple[str, str]
    """(target, port) at the other end of the cable; empty where there is none."""
    platform: str = "sonic"
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
    trust: str = "dscp"
    link_pause: bool = False
    lossless_buffer: bool = True
    """Its lossless priority group has a profile with headroom."""
    drops: float = 0.0
    """Share of packets that it has no buffer for."""
    storms: bool = False
    """Its watchdog fires in every test."""
    counters: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Switch:
    """One switch."""

    name: str
    platform: str
    role: str
    ports: dict[str, Port] = field(default_factory=dict)
    dscp_to_tc: dict[int, int] = field(default_factory=lambda: {dscp: dscp // 8 for dscp in range(64)})
    tc_to_queue: dict[int, int] = field(default_factory=lambda: {tc: tc for tc in range(8)})
    tc_to_group: dict[int, int] = field(default_factory=lambda: {tc: tc if tc == LOSSLESS else 0 for tc in range(8)})
    cnp_strict: bool = True
    ecn_bytes: tuple[int, int] = (150_000, 1_500_000)
    """Fill of the lossless queue at which marking begins and is certain."""
    ecn_marks: bool = True
    """Random detection marks packets; else it drops them."""
    headroom_bytes: int = 340_200
    shared_headroom_bytes: int = 32_768_000
    """What all lossless groups share beside their own headroom."""
    alpha: int = -1
    """Dynamic threshold of the lossless group, as a power of two."""
    watchdog_ms: int = 200
    watchdog_action: str = "drop"
    defined: bool = True
    """The profile that its lossless queues name exists."""
    sprays: bool = False
    """Sends packets of one flow over all equal links."""
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
    """target → how it refuses: ``down``, ``login``, ``host_key``, ``silent``."""
    wall: Callable[[], float] = time.time
    """The time of day of all targets, in seconds since 1970."""

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
