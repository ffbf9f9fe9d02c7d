"""From entries to targets: one entry becomes as many hosts or switches as its node set names."""

from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.inventory.addresses import render
from fabric_audit.inventory.model import Host, Login, Nic, Switch, Traffic
from fabric_audit.inventory.schema import (
    Defaults,
    HostEntry,
    LoginEntry,
    ModelEntry,
    NicEntry,
    SwitchEntry,
    TrafficEntry,
)

STRAIGHT = "{name}"
"""The address where nothing else is said: the target's name."""


def hosts_of(entry: HostEntry, defaults: Defaults, model: ModelEntry) -> Iterator[Host]:
    """The hosts of one entry, made of what it says, else of what its model says.

    Raises:
        AddressError: the address template does not fit a name.
    """
    nics = nics_of(entry, model)
    for position, name in enumerate(entry.name):
        yield Host(
            name=name,
            login=_login(entry, defaults.hosts, name, position),
            model=entry.model or defaults.hosts.model,
            gpus=model.gpus if entry.gpus is None else entry.gpus,
            nvlinks=model.nvlink if entry.nvlink is None else entry.nvlink,
            nics=nics,
            unit=entry.unit or defaults.hosts.unit,
            platform=entry.platform,
        )


def switches_of(entry: SwitchEntry, defaults: Defaults) -> Iterator[Switch]:
    """The switches of one entry.

    Raises:
        AddressError: the address template does not fit a name.
    """
    shared = defaults.switches
    for position, name in enumerate(entry.name):
        yield Switch(
            name=name,
            login=_login(entry, shared, name, position),
            platform=entry.platform or shared.platform or "",
            role=entry.role or shared.role,
            unit=entry.unit or shared.unit,
        )


def nics_of(entry: ModelEntry, model: ModelEntry) -> tuple[Nic, ...]:
    """The NICs of an entry, else of its model, with their devices and rails filled in.

    ``devices`` renames the compute NICs in order. Where no compute NIC says its rail, they are numbered in order.
    """
    nics = [_nic(nic) for nic in (entry.nics if entry.nics is not None else model.nics) or ()]
    compute = [index for index, nic in enumerate(nics) if nic.role == "compute"]
    for index, device in zip(compute, entry.devices or model.devices or (), strict=False):
        nics[index] = replace(nics[index], device=device)
    if all(nics[index].rail is None for index in compute):
        for rail, index in enumerate(compute):
            nics[index] = replace(nics[index], rail=rail)
    return tuple(nics)


def traffic_of(said: TrafficEntry) -> Traffic:
    """What the keys of ``traffic`` say."""
    return Traffic(
        mode=said.mode,
        tools=None if said.tools is None else tuple(said.tools),
        memory=None if said.memory is None else tuple(said.memory),
        size_bytes=said.size,
        qps=said.qps,
        duration_s=said.duration,
        traffic_class=said.traffic_class,
        rails=said.rails,
    )


def _nic(entry: NicEntry) -> Nic:
    return Nic(
        rail=entry.rail,
        device=entry.device,
        netdev=entry.netdev,
        speed_bps=entry.speed,
        role=entry.role,
        pci=entry.pci,
        plane=entry.plane,
        bond=entry.bond,
        qos_owner=entry.qos_owner,
    )


def _login(entry: LoginEntry, shared: LoginEntry, name: str, position: int) -> Login:
    become = entry.become or shared.become
    return Login(
        address=render(entry.address or shared.address or STRAIGHT, name, position),
        port=entry.port or shared.port,
        user=entry.user or shared.user,
        identity_file=entry.identity_file or shared.identity_file,
        known_hosts=entry.known_hosts or shared.known_hosts,
        password=entry.password or shared.password,
        jump=tuple(shared.jump or () if entry.jump is None else entry.jump),
        become=None if become == "none" else become,
    )
