"""Named faults: each changes one component of a fabric, as ``name@target`` or ``name:size@target`` says.

A target is ``gpu003`` (a host), ``gpu003/rail1`` (a NIC, or the cable of one), ``leaf01`` (a switch) or
``leaf01/Ethernet16`` (a port, or its cable; ``leaf01/3``, the third one, whatever the switch calls it). A file of this
folder holds the faults of one kind of component. ``harmless`` are no faults: what healthy pods show too, and what
nobody must be blamed for.
"""

import random
from collections.abc import Mapping
from types import MappingProxyType

from fabric_audit.simulator.fabric import Fabric
from fabric_audit.simulator.faults import cables, harmless, hosts, jobs, nics, reach, switches
from fabric_audit.simulator.faults.model import Fault, UnknownFaultError, places

__all__ = ["FAULTS", "HARMLESS", "MANNERS", "Fault", "UnknownFaultError", "places", "plant"]


def _named(*groups: tuple[Fault, ...]) -> Mapping[str, Fault]:
    return MappingProxyType({fault.name: fault for group in groups for fault in group})


FAULTS = _named(nics.FAULTS, hosts.FAULTS, jobs.FAULTS, cables.FAULTS, switches.FAULTS, reach.FAULTS)
HARMLESS = _named(harmless.CONDITIONS)
MANNERS = _named(reach.MANNERS)


def plant(fabric: Fabric, faults: tuple[str, ...], seed: int) -> None:
    """Plant faults, each written ``name@target``; sizes that a fault leaves open come from the seed.

    Raises:
        UnknownFaultError: no such fault, size or target.
    """
    dice = random.Random(seed)
    known = {**FAULTS, **HARMLESS, **MANNERS}
    for written in faults:
        words, _, target = written.partition("@")
        name, _, size = words.partition(":")
        if name not in known:
            raise UnknownFaultError(f"no fault is called {name!r}; there are {', '.join((*FAULTS, *MANNERS))}")
        known[name].plant(fabric, target, size, dice)
