"""The lab's layout: hosts, rails, addresses, and the ``ip`` commands that make them inside the guest."""

from dataclasses import dataclass

GUEST_PORT = 22
SWITCH_NAME = "switch"
SWITCH_ADDRESS = "127.0.1.250"
MTU = 1500
"""Of every port, so that RDMA runs at 1024 bytes path MTU: small packets, of which a low rate still sends many."""
MESSAGE_BYTES = 16 << 10
"""The lab's message: 16 packets, then an acknowledgement, so that one is never long in coming.

perftest retransmits what is not acknowledged within 67 ms (``-u 14``: 4.096 us times two to the 14th).
"""
SLOWEST_SENDER_MBIT = 8.5
"""A host must not send slower than that.

Soft-RoCE keeps up to 64 packets of a queue pair in the host's own queue (``RXE_INFLIGHT_SKBS_PER_QP_HIGH`` in the
kernel's rxe_param.h). If they leave it slower than the 67 ms above, a queue pair that is closed with messages under
way retransmits for ever, and perftest hangs where no signal reaches it.
"""

_GUEST_NETWORK = "10.0.2"  # qemu's user network; it reaches nothing outside
SWITCH_GUEST_ADDRESS = f"{_GUEST_NETWORK}.15"
_LARGEST = 16  # more hosts boot, but share too little CPU to be worth measuring
_FORWARD_LLDP = 0x4000  # bridge group_fwd_mask: bit 14 is 01:80:c2:00:00:0e, the LLDP address


@dataclass(frozen=True)
class Host:
    """One RDMA host of the lab.

    Attributes:
        number: 1 for the first host; names and addresses follow from it.
        shell: login shell of every user.
        perftest: whether the perftest programs are installed.
    """

    number: int
    shell: str = "/bin/bash"
    perftest: bool = True

    @property
    def name(self) -> str:
        return f"node{self.number}"

    @property
    def address(self) -> str:
        """Where its sshd answers on the machine that runs the lab; the port is the lab's."""
        return f"127.0.1.{self.number}"

    @property
    def guest_address(self) -> str:
        return f"{_GUEST_NETWORK}.{100 + self.number}"

    def rail_address(self, rail: int) -> str:
        """Its IPv4 address on a rail."""
        return f"10.77.{rail}.{self.number}"

    def switch_port(self, rail: int) -> str:
        """The switch's port towards this host."""
        return f"{self.name}r{rail}"


def rail_interface(rail: int) -> str:
    """Every host's network interface on a rail; eth0 is for management."""
    return f"eth{rail + 1}"


@dataclass(frozen=True)
class Fabric:
    """Hosts around one switch, one port per host and rail.

    Attributes:
        hosts: numbered from 1 without gaps.
        rails: RDMA devices per host, ``<device_prefix>0`` onwards.
        rate_mbit: what every rail port lets through, either way; 0 takes :func:`default_rate`.
    """

    hosts: tuple[Host, ...]
    rails: int = 1
    device_prefix: str = "mlx5_"
    rate_mbit: float = 0

    def __post_init__(self) -> None:
        if not 2 <= len(self.hosts) <= _LARGEST:
            raise ValueError(f"a lab has 2 to {_LARGEST} hosts, not {len(self.hosts)}")
        if [host.number for host in self.hosts] != list(range(1, len(self.hosts) + 1)):
            raise ValueError("hosts are numbered from 1 without gaps")
        if not self.rate_mbit:
            object.__setattr__(self, "rate_mbit", default_rate(len(self.hosts)))

    def host(self, name: str) -> Host:
        """The host of that name; KeyError says which there are."""
        for host in self.hosts:
            if host.name == name:
                return host
        raise KeyError(f"no host {name} here: {', '.join(host.name for host in self.hosts)}")

    def device(self, rail: int) -> str:
        return f"{self.device_prefix}{rail}"


def default_rate(hosts: int) -> float:
    """A port rate in Mbit/s that all pairs of a round reach at once.

    A packet costs about 0.1 ms of emulated CPU (measured: 1024 bytes path MTU, from the first host's queue to the
    second host's acknowledgement), and 20 Mbit/s are 2,300 packets a second: four hosts need a quarter of two idle
    cores, eight need half. The rest goes to perftest, which polls, and to whatever else keeps the machine busy.
    """
    return 20 if hosts <= 8 else 10


def switch_commands(fabric: Fabric) -> list[str]:
    """Lines for ``ip -batch`` in the guest's first network namespace, which is the switch."""
    lines = [
        "link set lo up",
        "link add management type bridge forward_delay 0 mcast_snooping 0",
        "link set eth0 master management up",
        f"addr add {SWITCH_GUEST_ADDRESS}/24 dev management",
        "link set management up",
    ]
    for rail in range(fabric.rails):
        options = f"forward_delay 0 mcast_snooping 0 group_fwd_mask {_FORWARD_LLDP:#x}"
        lines += [f"link add rail{rail} type bridge {options}", f"link set rail{rail} mtu {MTU} up"]
    for host in fabric.hosts:
        lines.append(f"netns add {host.name}")
        lines += _cable(f"{host.name}m", "management", host, "eth0")
        for rail in range(fabric.rails):
            lines += _cable(host.switch_port(rail), f"rail{rail}", host, rail_interface(rail))
    return lines


def _cable(port: str, bridge: str, host: Host, interface: str) -> list[str]:
    return [
        f"link add {port} mtu {MTU} type veth peer name {interface} mtu {MTU} netns {host.name}",
        f"link set {port} master {bridge} up",
    ]


def host_commands(fabric: Fabric, host: Host) -> list[str]:
    """Lines for ``ip -batch`` in the host's own network namespace."""
    lines = ["link set lo up", f"addr add {host.guest_address}/24 dev eth0", "link set eth0 up"]
    for rail in range(fabric.rails):
        interface = rail_interface(rail)
        lines += [f"addr add {host.rail_address(rail)}/24 dev {interface}", f"link set {interface} up"]
    return lines
