"""The inventory as values: targets, how to log in to them, what they ought to be made of.

``None`` means *not said*. What is not said about a login is for ``~/.ssh/config`` to say; what is not said
about traffic is for the policy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal, TypeAlias

from fabric_audit.errors import UsageError
from fabric_audit.inventory.nodes import NodesError, expand, fold

NicRole: TypeAlias = Literal["compute", "storage", "management"]
QosOwner: TypeAlias = Literal["host", "dpu"]
Wiring: TypeAlias = Literal["rail", "rack", "dual-tor", "dual-plane", "free"]


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """Where a password is kept, never the password.

    ``name`` is an environment variable (``env``), a keyring service, looked up under the login's user
    (``keyring``), or the words to ask a person with (``prompt``).
    """

    kind: Literal["env", "keyring", "prompt"]
    name: str

    def __repr__(self) -> str:
        return f"Secret({self.kind}: {self.name})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """How to reach a target. ``jump`` lists hosts from the nearest on, each ``[user@]host[:port]`` or an alias."""

    address: str
    port: int | None = None
    user: str | None = None
    identity_file: str | None = None
    known_hosts: str | None = None
    """File of host keys; None: those that ``~/.ssh/config`` names, or ``~/.ssh/known_hosts``."""
    password: Secret | None = None
    jump: tuple[str, ...] = ()
    become: str | None = None
    """``sudo``: commands that need root are run through ``sudo -n``; None: they are not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nic:
    """One NIC port that a host ought to have, named by at least one of device, netdev and pci."""

    rail: int | None = None
    device: str | None = None
    """RDMA device, such as ``mlx5_0``."""
    netdev: str | None = None
    speed_bps: int | None = None
    role: NicRole = "compute"
    pci: str | None = None
    """PCI address, ``0000:1a:00.0``."""
    plane: int | None = None
    bond: str | None = None
    qos_owner: QosOwner = "host"
    """Who sets trust, PFC and DSCP maps: the host, or the DPU that the NIC is part of."""

    @property
    def name(self) -> str:
        """The name by which facts know it."""
        return self.device or self.netdev or self.pci or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One GPU host."""

    name: str
    login: Login
    model: str | None = None
    gpus: int | None = None
    nvlinks: int | None = None
    """NVLinks of each GPU; 0 where GPUs are joined by PCIe alone."""
    nics: tuple[Nic, ...] = ()
    unit: str | None = None
    platform: str = "linux"

    @property
    def compute_nics(self) -> tuple[Nic, ...]:
        """The NICs that carry training traffic, in the order of the inventory."""
        return tuple(nic for nic in self.nics if nic.role == "compute")


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """One switch; ``platform`` is the folder name of its OS."""

    name: str
    login: Login
    platform: str
    role: str | None = None
    unit: str | None = None


Target: TypeAlias = Host | Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """One cable of the plan. Its ends may be targets that the inventory does not hold."""

    a_target: str
    a_port: str
    b_target: str
    b_port: str
    length_m: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """What to send between pairs."""

    mode: str | None = None
    """``none``, ``smoke``, ``tournament``, ``adaptive``, ``sample:K``, ``soak:DURATION`` or ``incast:K``."""
    tools: tuple[str, ...] | None = None
    memory: tuple[str, ...] | None = None
    size_bytes: int | None = None
    qps: int | None = None
    duration_s: float | None = None
    traffic_class: int | None = None
    """Traffic class byte: four times the DSCP plus the ECN bits."""
    rails: Literal["parallel", "serial"] | None = None
    """All rails of a pair at once, or one after the other: then rails cannot disturb each other."""

    def over(self, defaults: "Traffic") -> "Traffic":
        """These values, and those of ``defaults`` where this says nothing."""
        said = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}
        return replace(defaults, **said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """The embedded pod that stands in for hosts and switches.

    ``faults``: ``name@target``. ``platforms``: switch or role → OS; what it leaves out runs the pod's usual one.
    """

    pod: str
    seed: int = 1
    faults: tuple[str, ...] = ()
    platforms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """Everything that an inventory file says. ``source`` is where it was read and no part of what it says."""

    fabric: str
    policy: str = "roce-lossless"
    """A shipped profile, or a path relative to the inventory's folder."""
    wiring: Wiring = "free"
    hosts: tuple[Host, ...] = ()
    switches: tuple[Switch, ...] = ()
    cables: tuple[Cable, ...] = ()
    traffic: Traffic = Traffic()
    tools: Mapping[str, str] = field(default_factory=dict)
    """Paths of programs on the hosts, by program name."""
    simulated: Simulated | None = None
    source: Path = field(default=Path(), compare=False)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Hosts, then switches."""
        return (*self.hosts, *self.switches)

    def host(self, name: str) -> Host:
        """The host of that name.

        Raises:
            KeyError: there is none.
        """
        for host in self.hosts:
            if host.name == name:
                return host
        raise KeyError(name)

    def limited_to(self, nodeset: str) -> "Inventory":
        """The same fabric with no other targets than these.

        Raises:
            UsageError: the node set cannot be read, or names a target that is not in the inventory.
        """
        try:
            wanted = frozenset(expand(nodeset))
        except NodesError as error:
            raise UsageError(f"--limit {nodeset!r}: {error.problem}; {error.remedy}") from None
        known = {target.name for target in self.targets}
        if unknown := wanted - known:
            raise UsageError(f"--limit {nodeset!r}: no target is called {fold(unknown)}; targets are {fold(known)}")
        return replace(
            self,
            hosts=tuple(host for host in self.hosts if host.name in wanted),
            switches=tuple(switch for switch in self.switches if switch.name in wanted),
            cables=tuple(c for c in self.cables if c.a_target in wanted or c.b_target in wanted),
        )
