"""The keys of an inventory file. What entries leave out, ``defaults`` say; the rest is not said."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from fabric_audit.documents.validation import Section, Text, shown, wrong
from fabric_audit.inventory.fields import (
    Address,
    Count,
    Duration,
    Jumps,
    Memory,
    Mode,
    Nodes,
    Pci,
    PlantedFault,
    Platform,
    PolicyName,
    Port,
    Program,
    SecretReference,
    Size,
    Speed,
    Tool,
    Word,
)
from fabric_audit.inventory.model import NicRole, QosOwner, Wiring


class LoginEntry(Section):
    """How to log in; of an entry or of the defaults."""

    address: Address | None = Field(None, description="an address, as in '{name}.pod3.example.net'")
    port: Port | None = Field(None, description="a TCP port, such as 22")
    user: Word | None = Field(None, description="a user's name")
    identity_file: Text | None = Field(None, description="the path of a private key, such as ~/.ssh/id_ed25519")
    known_hosts: Text | None = Field(None, description="the path of a file of host keys, such as ~/.ssh/known_hosts")
    password: SecretReference | None = None
    jump: Jumps | None = Field(None, description="a jump host, or a list of them from the nearest on")
    become: Literal["sudo", "none"] | None = Field(None, description="sudo or none")


def _nic(value: object) -> object:
    if not isinstance(value, dict):
        raise wrong(f"{shown(value)} is no NIC", "write each one out, as in {rail: 0, device: mlx5_0, speed: 400G}")
    if not value.keys() & {"device", "netdev", "pci"}:
        raise wrong("this NIC has no name", "add device, netdev or pci")
    return value


class NicEntry(Section):
    """One NIC port."""

    rail: Count | None = Field(None, description="a rail's number, from 0")
    device: Word | None = Field(None, description="an RDMA device, such as mlx5_0")
    netdev: Word | None = Field(None, description="an interface, such as ens1f0np0")
    speed: Speed | None = None
    role: NicRole = Field("compute", description="compute, storage or management")
    pci: Pci | None = Field(None, description="a PCI address in quotes, such as '0000:1a:00.0'")
    plane: Count | None = Field(None, description="a plane's number, from 0")
    bond: Word | None = Field(None, description="the bond it is a member of, such as bond0")
    qos_owner: QosOwner = Field("host", description="host or dpu")


Nics = list[Annotated[NicEntry, BeforeValidator(_nic)]]


class ModelEntry(Section):
    """What hosts of a model are made of."""

    gpus: Count | None = Field(None, description="how many GPUs a host has")
    nvlink: Count | None = Field(None, description="how many NVLinks each GPU has, 0 for none")
    nics: Nics | None = Field(None, description="a list of NICs, as in [{rail: 0, device: mlx5_0, speed: 400G}]")
    devices: list[Word] | None = Field(
        None, description="a list: the RDMA devices of the model's compute NICs, in order"
    )


class HostDefaults(LoginEntry):
    """What hosts share."""

    model: Text | None = Field(None, description="a model's name")
    unit: Text | None = Field(None, description="a unit's name in quotes")


class HostEntry(HostDefaults, ModelEntry):
    """Hosts that are alike."""

    name: Nodes = Field(description="name: a host, or a node set such as 'gpu[001-032]'")
    platform: Literal["linux"] = Field("linux", description="linux")


class SwitchDefaults(LoginEntry):
    """What switches share."""

    platform: Platform | None = Field(None, description="a switch OS, such as sonic")
    role: Word | None = Field(None, description="a role, such as leaf or spine")
    unit: Text | None = Field(None, description="a unit's name in quotes")


class SwitchEntry(SwitchDefaults):
    """Switches that are alike."""

    name: Nodes = Field(description="name: a switch, or a node set such as 'leaf[01-08]'")


class Defaults(Section):
    """What entries need not repeat."""

    hosts: HostDefaults = Field(HostDefaults(), description="keys and values that all hosts share")
    switches: SwitchDefaults = Field(SwitchDefaults(), description="keys and values that all switches share")


class CableEntry(Section):
    """One cable."""

    a_target: Word = Field(description="a_target: one end's host or switch")
    a_port: Word = Field(description="a_port: one end's port")
    b_target: Word = Field(description="b_target: the other end's host or switch")
    b_port: Word = Field(description="b_port: the other end's port")
    length_m: Annotated[float, Field(gt=0, le=100_000)] | None = Field(None, description="a length in metres")


class CablePlan(Section):
    """A cable plan in a file of its own."""

    cables: list[CableEntry]


class TrafficEntry(Section):
    """What to send."""

    mode: Mode | None = Field(None, description="none, smoke, tournament, adaptive, sample:K or soak:DURATION")
    tools: list[Tool] | None = Field(
        None, min_length=1, description="a list of perftest programs, such as [ib_write_bw]"
    )
    memory: list[Memory] | None = Field(None, min_length=1, description="a list of host, gpu, gpu_host, host_gpu")
    size: Size | None = None
    qps: Annotated[int, Field(ge=1, le=16384)] | None = Field(None, description="how many queue pairs, such as 4")
    duration: Duration | None = None
    traffic_class: Annotated[int, Field(ge=0, le=255)] | None = Field(
        None, description="a traffic class byte, four times the DSCP plus ECN bits, such as 106"
    )
    rails: Literal["parallel", "serial"] | None = Field(None, description="parallel or serial")


class SimulatedEntry(Section):
    """The embedded pod."""

    pod: Text = Field(description="pod: the name of an embedded pod, such as clos-8x2")
    seed: Annotated[int, Field(ge=0)] = Field(1, description="a whole number")
    faults: list[PlantedFault] = Field([], description="a list of NAME@TARGET")
    platforms: dict[Word, Platform] = Field({}, description="what switches run, as in {leaf: sonic}")


class InventoryFile(Section):
    """The whole file."""

    fabric: Text | None = Field(None, description="the fabric's name in quotes")
    policy: PolicyName = Field("roce-lossless", description="a shipped policy, or the path of a policy file")
    wiring: Wiring = Field("free", description="rail, rack, dual-tor, dual-plane or free")
    defaults: Defaults = Field(Defaults(), description="hosts and switches, and what they share")
    models: dict[str, ModelEntry] = Field({}, description="models by name, as in hgx: {gpus: 8, nics: […]}")
    hosts: list[HostEntry] = Field([], description="a list of hosts, as in {name: 'gpu[001-032]'}")
    switches: list[SwitchEntry] = Field([], description="a list of switches, as in {name: leaf01, platform: sonic}")
    cables: list[CableEntry] = Field([], description="the path of a CSV file, or a list of cables")
    traffic: TrafficEntry = Field(TrafficEntry(), description="what to send, as in {mode: smoke}")
    tools: dict[str, Program] = Field({}, description="programs and their paths on the hosts")
    simulated: SimulatedEntry | None = Field(None, description="a pod to simulate, as in {pod: clos-8x2}")
