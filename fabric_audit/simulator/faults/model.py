"""What a fault is, and the components that it can have."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fabric_audit.simulator.fabric import Fabric, Host, Nic, Port, Switch

On: TypeAlias = Literal["host", "NIC", "cable", "port", "uplink", "switch", "switch or port", "target"]
"""The form of a target. A cable is called by the NIC or switch port at one of its ends."""


class UnknownFaultError(ValueError):
    """A fault or a target that does not exist; the message names what does."""


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable: the end that a target names, and the other one."""

    near: Nic | Port
    far: Nic | Port

    @property
    def ends(self) -> tuple[Nic | Port, Nic | Port]:
        """Both."""
        return self.near, self.far


@dataclass(frozen=True, slots=True)
class Uplink:
    """A cable between switches: the end that a target names, and the other one."""

    near: Port
    far: Port


@dataclass(frozen=True, slots=True)
class Plot:
    """What a fault is given besides its component."""

    fabric: Fabric
    size: Any
    dice: random.Random


Change: TypeAlias = Callable[[Any, Plot], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault."""

    name: str
    on: On
    words: str
    change: Change
    sizes: tuple[Any, ...] = ()
    """How bad it can be; the seed chooses where the target does not say."""
    lacks: Callable[[Any], str] = lambda _thing: ""
    """Why a component cannot have it; empty where it can."""

    def plant(self, fabric: Fabric, target: str, size: str, dice: random.Random) -> None:
        """Change the component.

        Raises:
            UnknownFaultError: no such target or size, or the target cannot have the fault.
        """
        thing = _FIND[self.on](fabric, target)
        if reason := self.lacks(thing):
            raise UnknownFaultError(f"{target} cannot have {self.name}: {reason}")
        chosen = {str(one): one for one in self.sizes}
        if size and size not in chosen:
            raise UnknownFaultError(f"{self.name} has no size {size!r}; it has {', '.join(chosen) or 'none'}")
        drawn = dice.choice(self.sizes) if self.sizes else None
        self.change(thing, Plot(fabric, chosen.get(size, drawn), dice))


def sets(**values: Any) -> Change:
    """Gives attributes of the component these values."""

    def change(thing: Any, _plot: Plot) -> None:
        for name, value in values.items():
            setattr(thing, name, value)

    return change


def sized(name: str) -> Change:
    """Gives one attribute of the component the size."""

    def change(thing: Any, plot: Plot) -> None:
        setattr(thing, name, plot.size)

    return change


def needs_gpus(count: int) -> Callable[[Host], str]:
    """For faults between GPUs."""
    words = f"it has fewer than {count} GPUs; take a pod with more rails, such as clos-8x2"
    return lambda host: words if host.gpus < count else ""


def places(fabric: Fabric, fault: Fault) -> tuple[str, ...]:
    """Every target of a fabric that can have a fault."""
    return tuple(target for target in _names(fabric, fault.on) if not fault.lacks(_FIND[fault.on](fabric, target)))


def _names(fabric: Fabric, on: On) -> Iterator[str]:
    if on in {"host", "target"}:
        yield from fabric.hosts
    if on in {"NIC", "cable"}:
        yield from (f"{nic.host}/{nic.netdev}" for nic in fabric.nics())
    if on in {"switch", "switch or port", "target"}:
        yield from fabric.switches
    if on in {"port", "switch or port", "uplink", "cable"}:
        ports = [port for switch in fabric.switches.values() for port in switch.ports.values()]
        leading = [port for port in ports if on in {"port", "switch or port"} or port.peer[0] in fabric.switches]
        yield from (f"{port.switch}/{port.name}" for port in leading)


def _host(fabric: Fabric, target: str) -> Host:
    if target not in fabric.hosts:
        raise UnknownFaultError(f"no host is called {target!r}; hosts are {next(iter(fabric.hosts))} and so on")
    return fabric.hosts[target]


def _nic(fabric: Fabric, target: str) -> Nic:
    host, _, rail = target.partition("/")
    nic = next((nic for nic in _host(fabric, host).nics if nic.netdev == rail), None)
    if nic is None:
        raise UnknownFaultError(f"no NIC is called {target!r}; write a host and a rail, such as gpu001/rail0")
    return nic


def _switch(fabric: Fabric, target: str) -> Switch:
    if target not in fabric.switches:
        raise UnknownFaultError(f"no switch is called {target!r}; switches are {', '.join(fabric.switches)}")
    return fabric.switches[target]


def _port(fabric: Fabric, target: str) -> Port:
    switch, _, name = target.partition("/")
    ports = _switch(fabric, switch).ports
    if name.isdecimal() and 1 <= int(name) <= len(ports):
        name = list(ports)[int(name) - 1]
    if name not in ports:
        raise UnknownFaultError(f"{switch} has no port {name!r}; its ports are {', '.join(list(ports)[:3])} and so on")
    return ports[name]


def _switch_or_port(fabric: Fabric, target: str) -> Switch | Port:
    return _port(fabric, target) if "/" in target else _switch(fabric, target)


def _cable(fabric: Fabric, target: str) -> Cable:
    if target.partition("/")[0] not in fabric.switches:
        nic = _nic(fabric, target)
        return Cable(nic, fabric.leaf_port(nic))
    port = _port(fabric, target)
    if not port.peer[0]:
        raise UnknownFaultError(f"no cable is in {target}")
    return Cable(port, fabric.peer_of(port))


def _uplink(fabric: Fabric, target: str) -> Uplink:
    cable = _cable(fabric, target)
    if not isinstance(cable.near, Port) or not isinstance(cable.far, Port):
        raise UnknownFaultError(f"{target} leads to no other switch")
    return Uplink(cable.near, cable.far)


def _any(fabric: Fabric, target: str) -> str:
    if target not in fabric.hosts and target not in fabric.switches:
        raise UnknownFaultError(f"no host or switch is called {target!r}")
    return target


_FIND: dict[On, Callable[[Fabric, str], Any]] = {
    "host": _host,
    "NIC": _nic,
    "cable": _cable,
    "port": _port,
    "uplink": _uplink,
    "switch": _switch,
    "switch or port": _switch_or_port,
    "target": _any,
}
