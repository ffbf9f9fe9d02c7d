"""Lets the embedded pod stand in for the devices of a simulated inventory."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fabric_audit.errors import UsageError

if TYPE_CHECKING:
    from fabric_audit.inventory.model import Inventory


def as_planned(inventory: "Inventory") -> "Inventory":
    """The targets that a simulated inventory would have, without starting them; any other inventory as it is."""
    if inventory.simulated is None:
        return inventory
    from tempfile import TemporaryDirectory

    from fabric_audit.simulator.inventory import planned_text

    with TemporaryDirectory() as folder:
        path = Path(folder) / "pod.yaml"
        path.write_text(planned_text(inventory.simulated.pod), "utf-8")
        return _dressed(inventory, path)


@contextmanager
def standing_in(inventory: "Inventory") -> Iterator[tuple["Inventory", str]]:
    """The inventory to reach, and its origin (``real`` or ``simulated``).

    Raises:
        UsageError: the inventory is simulated and the ``sim`` extra is not installed.
    """
    if inventory.simulated is None:
        yield inventory, "real"
        return
    from importlib.util import find_spec

    if find_spec("asyncssh") is None:
        raise UsageError("a simulated inventory needs: pip install 'fabric-audit[sim]'")
    from fabric_audit.simulator.child import running_pod

    with running_pod(inventory.simulated) as path:
        yield _dressed(inventory, path), "simulated"


def _dressed(inventory: "Inventory", path: Path) -> "Inventory":
    """The pod's targets under the name, policy and traffic of the simulated inventory."""
    from fabric_audit.cli._options import loaded_inventory

    reachable = loaded_inventory(str(path))
    return replace(
        reachable,
        fabric=inventory.fabric,
        policy=inventory.policy,
        traffic=inventory.traffic.over(reachable.traffic),
        simulated=None,
        source=inventory.source,
    )
