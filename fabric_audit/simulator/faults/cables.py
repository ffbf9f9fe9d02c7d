"""Faults of one cable, with the modules at its ends."""

from fabric_audit.simulator.cabling import next_port
from fabric_audit.simulator.fabric import GBPS, Nic
from fabric_audit.simulator.faults.model import Cable, Change, Fault, Plot, sized


def _both(name: str, unit: int = 1) -> Change:
    def change(cable: Cable, plot: Plot) -> None:
        for end in cable.ends:
            setattr(end, name, plot.size * unit)

    return change


def _towards(cable: Cable, plot: Plot) -> None:
    cable.near.loss = plot.size


def _from(cable: Cable, plot: Plot) -> None:
    cable.far.loss = plot.size


def _down(cable: Cable, _plot: Plot) -> None:
    for end in cable.ends:
        end.up = False


def _fec(cable: Cable, plot: Plot) -> None:
    """Ends with different FEC do not come up."""
    cable.near.fec = "none"
    _down(cable, plot)


def _bit_errors(nic: Nic, plot: Plot) -> None:
    nic.ber, nic.raw_ber = plot.size, 2e-4


def _flapping(nic: Nic, _plot: Plot) -> None:
    nic.flapping = True


def _elsewhere(nic: Nic, plot: Plot) -> None:
    """To a free port of another leaf; the old port is left without a cable."""
    old = plot.fabric.leaf_port(nic)
    leaves = [switch for switch in plot.fabric.switches.values() if switch.role == "leaf" and switch.name != old.switch]
    there = plot.dice.choice(leaves)
    old.peer, old.up = ("", ""), False
    port = next_port(there, nic.name)
    there.ports[port.name] = port


LOSS = (1e-2, 1e-3, 1e-4)

FAULTS = (
    Fault("lossy-link", "cable", "the cable loses packets both ways", _both("loss"), LOSS),
    Fault("lossy-towards", "cable", "the cable loses packets on their way to the end that is named", _towards, LOSS),
    Fault("lossy-from", "cable", "the cable loses packets on their way from the end that is named", _from, LOSS),
    Fault("link-down", "cable", "the link is down at both ends", _down),
    Fault("link-slow", "cable", "both ends run at a lower rate, in Gb/s", _both("speed_bps", GBPS), (200, 100)),
    Fault("fec-mismatch", "cable", "the end that is named has no FEC, and so the link does not come up", _fec),
    Fault("link-flapping", "NIC", "the link goes down for a moment in every test", _flapping),
    Fault("link-flapped", "NIC", "the link went down that often since the host began", sized("flaps"), (90, 400)),
    Fault("bit-errors", "NIC", "FEC leaves bit errors", _bit_errors, (1e-10, 1e-11, 1e-13)),
    Fault("module-hot", "NIC", "the module is too hot", sized("module_c"), (78.0, 90.0)),
    Fault("cable-on-wrong-leaf", "NIC", "the cable leads to another leaf", _elsewhere),
)
