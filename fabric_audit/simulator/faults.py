"""Named faults: each changes one component of a fabric, as ``name@target`` says.

A target is ``gpu003`` (a host), ``gpu003/rail1`` (a NIC, or the cable of one), ``leaf01`` (a switch) or
``leaf01/Ethernet16`` (a port; ``leaf01/3``, the third one, whatever the switch calls it).
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fabric_audit.simulator.fabric import LOSSLESS, Fabric, Host, Nic, Port, Switch

Plant = Callable[[Fabric, str, random.Random], None]


class UnknownFaultError(ValueError):
    """A fault or a target that does not exist; the message names what does."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault. ``on`` is the form of its target."""

    name: str
    on: str
    words: str
    plant: Plant


def plant(fabric: Fabric, faults: tuple[str, ...], seed: int) -> None:
    """Plant faults, each written ``name@target``; sizes that a fault leaves open come from the seed.

    Raises:
        UnknownFaultError: no such fault or target.
    """
    dice = random.Random(seed)
    for written in faults:
        name, _, target = written.partition("@")
        fault = FAULTS.get(name) or MANNERS.get(name)
        if fault is None:
            raise UnknownFaultError(f"no fault is called {name!r}; there are {', '.join((*FAULTS, *MANNERS))}")
        fault.plant(fabric, target, dice)


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


def _nic_pfc_off(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _nic(fabric, target).pfc = frozenset()


def _switch_pfc_off(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _port(fabric, target).pfc = frozenset()


def _ecn_off(fabric: Fabric, target: str, _dice: random.Random) -> None:
    ports = _switch(fabric, target).ports.values() if "/" not in target else [_port(fabric, target)]
    for port in ports:
        port.ecn = False


def _slow_nic(fabric: Fabric, target: str, dice: random.Random) -> None:
    _nic(fabric, target).factor = round(dice.uniform(0.45, 0.75), 2)


def _lossy_link(fabric: Fabric, target: str, dice: random.Random) -> None:
    fabric.leaf_port(_nic(fabric, target)).loss = dice.choice((1e-2, 1e-3))


def _gdr_module_missing(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _host(fabric, target).peermem = False


def _nvlink_degraded(fabric: Fabric, target: str, dice: random.Random) -> None:
    host = _host(fabric, target)
    if host.gpus < 2:  # noqa: PLR2004 - a pair
        raise UnknownFaultError(f"{target} has fewer than two GPUs; take a pod with more rails, such as clos-8x2")
    a, b = sorted(dice.sample(range(host.gpus), 2))
    host.nvlink_faults[a, b] = dice.choice(("SYS", "NODE", f"NV{host.nvlinks - 2}"))


def _mtu_mismatch(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _port(fabric, target).mtu = 1500


def _wrong_priority(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _port(fabric, target).pfc = frozenset({LOSSLESS + 1})


def _dscp_unmapped(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _switch(fabric, target).dscp_to_tc[26] = 0


def _trust_pcp(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _nic(fabric, target).trust = "pcp"


def _dcqcn_off(fabric: Fabric, target: str, _dice: random.Random) -> None:
    nic = _nic(fabric, target)
    nic.np = nic.rp = False


def _watchdog_off(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _port(fabric, target).watchdog = False


def _uplink_without_session(fabric: Fabric, target: str, _dice: random.Random) -> None:
    port = _port(fabric, target)
    other = fabric.peer_of(port)
    if not isinstance(other, Port):
        raise UnknownFaultError(f"{target} leads to a host; an uplink leads to another switch")
    port.peered = False
    for end in (port, other):
        end.session = end.routed = False


def _traffic_class_override(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _nic(fabric, target).traffic_class = 0


def _perftest_missing(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _host(fabric, target).perftest = False


def _foreign_qp(fabric: Fabric, target: str, _dice: random.Random) -> None:
    _host(fabric, target).foreign_qps = 2


def _refusal(kind: str) -> Plant:
    def refuse(fabric: Fabric, target: str, _dice: random.Random) -> None:
        if target not in fabric.hosts and target not in fabric.switches:
            raise UnknownFaultError(f"no host or switch is called {target!r}")
        fabric.refusals[target] = kind

    return refuse


def _manner(kind: str) -> Plant:
    def answer_so(fabric: Fabric, target: str, _dice: random.Random) -> None:
        _switch(fabric, target).manners.add(kind)

    return answer_so


def _named(*faults: Fault) -> Mapping[str, Fault]:
    return MappingProxyType({fault.name: fault for fault in faults})


FAULTS = _named(
    Fault("nic-pfc-off", "NIC", "PFC is off on the NIC: it neither pauses nor can be paused", _nic_pfc_off),
    Fault("switch-pfc-off", "port", "PFC is off on one switch port", _switch_pfc_off),
    Fault("wrong-priority", "port", "PFC is on for the priority beside the lossless one", _wrong_priority),
    Fault("ecn-off", "switch or port", "the lossless queue does not mark", _ecn_off),
    Fault("dscp-unmapped", "switch", "the RoCE DSCP lands in a lossy queue", _dscp_unmapped),
    Fault("watchdog-off", "port", "no PFC watchdog on one port", _watchdog_off),
    Fault("uplink-without-session", "port", "a port to another switch has no BGP session", _uplink_without_session),
    Fault("trust-pcp", "NIC", "the NIC classifies by VLAN priority, not by DSCP", _trust_pcp),
    Fault("dcqcn-off", "NIC", "neither notification nor reaction point", _dcqcn_off),
    Fault("traffic-class-override", "NIC", "the driver forces every QP into traffic class 0", _traffic_class_override),
    Fault("slow-nic", "NIC", "the host gives the NIC less than its line rate", _slow_nic),
    Fault("lossy-link", "NIC", "the cable loses packets", _lossy_link),
    Fault("mtu-mismatch", "port", "the port's MTU is 1500", _mtu_mismatch),
    Fault("gdr-module-missing", "host", "nvidia_peermem is not loaded", _gdr_module_missing),
    Fault("nvlink-degraded", "host", "two GPUs reach each other with fewer NVLinks, or none", _nvlink_degraded),
    Fault("perftest-missing", "host", "no perftest is installed", _perftest_missing),
    Fault("foreign-qp", "host", "somebody's job holds queue pairs on its NICs", _foreign_qp),
    Fault("down", "target", "nothing listens there", _refusal("down")),
    Fault("silent", "target", "accepts TCP and says nothing", _refusal("silent")),
    Fault("refuses-login", "target", "refuses the key or password", _refusal("login")),
    Fault("changed-host-key", "target", "shows another host key than the one on record", _refusal("host_key")),
)
MANNERS = _named(
    Fault("slow-cli", "switch", "stops in the middle of its answers", _manner("slow")),
    Fault("paged-cli", "switch", "answers in pages: AAA does not let paging be turned off", _manner("paged")),
)
"""How a switch answers over SSH: nothing is wrong with what it says."""
