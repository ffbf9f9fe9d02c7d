"""The inventory as facts."""

from collections.abc import Iterator

from fabric_audit.facts.intent import Cable, Fabric, IntendedNic, Target
from fabric_audit.facts.tables import Stamped
from fabric_audit.inventory.model import Host, Inventory, Nic

INVENTORY = "inventory.yaml"


def intended(inventory: Inventory, origin: str, traffic_ended: str | None = None) -> Iterator[Stamped]:
    """One row for the fabric, and one a target, a NIC and a cable that the inventory names.

    Args:
        inventory: what ought to exist.
        origin: where the evidence comes from: ``real`` or ``simulated``.
        traffic_ended: why less traffic was sent than planned.
    """
    whole = Fabric(name=inventory.fabric, wiring=inventory.wiring, origin=origin, traffic_ended=traffic_ended)
    yield Stamped(inventory.fabric, "inventory", INVENTORY, whole)
    for target in inventory.targets:
        host = target if isinstance(target, Host) else None
        fact = Target(
            kind="host" if host else "switch",
            platform=target.platform,
            role=None if host else target.role,  # type: ignore[union-attr]
            unit=target.unit,
            model=host.model if host else None,
            gpus=host.gpus if host else None,
            nvlinks=host.nvlinks if host else None,
        )
        yield Stamped(target.name, "inventory", INVENTORY, fact)
    for host in inventory.hosts:
        for nic in host.nics:
            yield Stamped(host.name, "inventory", INVENTORY, _nic(nic))
    for cable in inventory.cables:
        fact_of_cable = Cable(
            a_target=cable.a_target,
            a_port=cable.a_port,
            b_target=cable.b_target,
            b_port=cable.b_port,
            length_m=cable.length_m,
        )
        yield Stamped(cable.a_target, "inventory", INVENTORY, fact_of_cable)


def _nic(nic: Nic) -> IntendedNic:
    return IntendedNic(
        nic=nic.name,
        rail=nic.rail,
        device=nic.device,
        netdev=nic.netdev,
        speed_bps=nic.speed_bps,
        role=nic.role,
        plane=nic.plane,
        bond=nic.bond,
        qos_owner=nic.qos_owner,
    )
