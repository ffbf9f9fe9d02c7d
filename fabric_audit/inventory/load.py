"""From an inventory file to an inventory, or to every fault of the file at once."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from fabric_audit.documents.nodes import Document
from fabric_audit.documents.read import UnreadableError, read_document
from fabric_audit.documents.validation import faults_of
from fabric_audit.errors import Fault, InventoryError
from fabric_audit.inventory import consistency
from fabric_audit.inventory.cables import read_cables
from fabric_audit.inventory.expansion import traffic_of
from fabric_audit.inventory.model import Cable, Host, Inventory, Simulated, Switch, Target
from fabric_audit.inventory.models import shipped_models
from fabric_audit.inventory.parts import Parts, parts_of
from fabric_audit.inventory.schema import CablePlan, InventoryFile, SimulatedEntry


def load_inventory(path: Path, *, platforms: Collection[str], policies: Collection[str] = ()) -> Inventory:
    """The inventory of that file.

    Args:
        path: a YAML file; paths in it are relative to its folder.
        platforms: names of switch platforms.
        policies: names of shipped policies; without them any name will do.

    Raises:
        InventoryError: all faults of the file, and of the cable plan it names.
        UsageError: a file that cannot be opened, is too large or is not UTF-8.
    """
    document = read_document(path)
    values = document.root.plain()
    if document.broken:
        raise InventoryError(document.faults)
    if not isinstance(values, dict | None):
        form = document.fault((), "this is no inventory", "begin with 'fabric: NAME', then 'hosts:' or 'switches:'")
        raise InventoryError((*document.faults, form))
    plain: dict[str, Any] = values or {}
    if too_many := tuple(consistency.too_many(document, plain)):
        raise InventoryError((*document.faults, *too_many))
    faults = list(document.faults)
    plan = _cable_plan(document, plain, path.parent, faults)
    context = {"platforms": platforms, "policies": policies}
    parts = parts_of(plain, _plain(plan).get("cables"), context)
    faults += faults_of(document, InventoryFile, plain, context=context)
    faults += consistency.faults(document, plain, shipped_models())
    faults += consistency.shared_ports(plan, parts.cables)
    placed = tuple(parts.targets(document, faults))
    faults += consistency.shared_addresses(document, placed)
    if faults:
        raise InventoryError(faults)
    file = InventoryFile.model_validate(plain, context=context)
    return _inventory(file, parts, tuple(target for _, target in placed), path)


def _cable_plan(document: Document, plain: dict[str, Any], folder: Path, faults: list[Fault]) -> Document:
    """Where the cables stand: in this document, or in a file of their own, whose name then leaves ``plain``."""
    if not isinstance(named := plain.get("cables"), str):
        return document
    del plain["cables"]
    try:
        plan = read_cables(folder / named)
    except UnreadableError as error:
        faults.append(document.fault(("cables",), error.problem, error.remedy))
        return document
    faults += plan.faults
    faults += faults_of(plan, CablePlan, plan.root.plain())
    return plan


def _inventory(file: InventoryFile, parts: Parts, targets: tuple[Target, ...], path: Path) -> Inventory:
    return Inventory(
        fabric=file.fabric or path.stem,
        policy=file.policy,
        wiring=file.wiring,
        hosts=tuple(target for target in targets if isinstance(target, Host)),
        switches=tuple(target for target in targets if isinstance(target, Switch)),
        cables=tuple(Cable(**cable.model_dump()) for _, cable in parts.cables),
        traffic=traffic_of(file.traffic),
        tools=file.tools,
        simulated=_simulated(file.simulated),
        source=path,
    )


def _simulated(pod: SimulatedEntry | None) -> Simulated | None:
    if pod is None:
        return None
    return Simulated(pod=pod.pod, seed=pod.seed, faults=tuple(pod.faults), platforms=pod.platforms)


def _plain(document: Document) -> dict[str, Any]:
    values = document.root.plain()
    return values if isinstance(values, dict) else {}
