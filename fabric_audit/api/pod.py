"""Lets the embedded pod stand in for the devices of a simulated inventory."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from fabric_audit.errors import UsageError
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Inventory
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.simulator.child import running_pod
from fabric_audit.simulator.inventory import planned_text


def as_planned(inventory: Inventory) -> Inventory:
    """The targets that a simulated inventory would have, without starting them; any other inventory as it is."""
    if inventory.simulated is None:
        return inventory
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pod.yaml"
        path.write_text(planned_text(inventory.simulated.pod, inventory.simulated.platforms), "utf-8")
        return replace(_dressed(inventory, path), simulated=inventory.simulated)


@contextmanager
def standing_in(inventory: Inventory) -> Iterator[tuple[Inventory, str]]:
    """The inventory to reach, and its origin (``real`` or ``simulated``).

    Raises:
        UsageError: the inventory is simulated and the ``sim`` extra is not installed.
    """
    if inventory.simulated is None:
        yield inventory, "real"
        return
    if find_spec("asyncssh") is None:
        raise UsageError("a simulated inventory needs: pip install 'fabric-audit[sim]'")
    with running_pod(inventory.simulated) as path:
        yield _dressed(inventory, path), "simulated"


def _dressed(inventory: Inventory, path: Path) -> Inventory:
    """The pod's targets under the name, policy and traffic of the simulated inventory."""
    reachable = load_inventory(path, platforms=tuple(switch_platforms()))
    return replace(
        reachable,
        fabric=inventory.fabric,
        policy=inventory.policy,
        traffic=inventory.traffic.over(reachable.traffic),
        simulated=None,
        source=inventory.source,
    )
