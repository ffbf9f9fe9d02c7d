"""Lets the embedded pod stand in for the devices of a simulated inventory."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric_audit.errors import UsageError

if TYPE_CHECKING:
    from fabric_audit.inventory.model import Inventory


@contextmanager
def standing_in(inventory: "Inventory") -> Iterator[tuple["Inventory", str]]:
    """The inventory to reach, and its origin (``real`` or ``simulated``).

    Raises:
        UsageError: the inventory is simulated and the ``sim`` extra is not installed.
    """
    if inventory.simulated is None:
        yield inventory, "real"
        return
    try:
        import asyncssh  # noqa: F401 - only to know whether it is there
    except ImportError:
        raise UsageError("a simulated inventory needs: pip install 'fabric-audit[sim]'") from None
    from fabric_audit.cli._options import loaded_inventory
    from fabric_audit.simulator.child import running_pod

    with running_pod(inventory.simulated) as path:
        reachable = loaded_inventory(str(path))
        yield (
            replace(
                reachable,
                fabric=inventory.fabric,
                policy=inventory.policy,
                traffic=inventory.traffic.over(reachable.traffic),
                simulated=None,
                source=inventory.source,
            ),
            "simulated",
        )
