"""From an inventory to a plan; opens no connection."""

from dataclasses import replace
from pathlib import Path

from fabric_audit.api.pod import as_planned
from fabric_audit.checks.model import all_checks, needs_of
from fabric_audit.checks.selection import chosen
from fabric_audit.errors import UsageError
from fabric_audit.inventory.load import load_inventory as read_inventory
from fabric_audit.inventory.model import Inventory, Traffic
from fabric_audit.plan.budget import traffic_plan
from fabric_audit.plan.commands import build
from fabric_audit.plan.model import Plan
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.layers import shipped_policies
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy


def load_inventory(path: str | Path) -> Inventory:
    """Read an inventory file.

    Raises:
        InventoryError: with all faults of the file, each with its line and its remedy.
        UsageError: there is no such file, or it is no text.
    """
    if not Path(path).exists():
        raise UsageError(f"{path}: no such inventory; name a YAML file, such as inventories/demo.yaml")
    return read_inventory(Path(path), platforms=tuple(switch_platforms()), policies=shipped_policies())


def build_plan(
    inventory: Inventory,
    *,
    policy: Policy | str | None = None,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    traffic: str | None = None,
    observe_s: float = 0.0,
    limit: str | None = None,
) -> Plan:
    """What a run would ask of every target, and which load it would make. Look at it before you run it.

    Args:
        inventory: what exists.
        policy: what ought to be: a policy, the name of a shipped one or a file; default: the inventory's.
        select: checks or families to collect for; default: all.
        ignore: checks or families not to collect for.
        traffic: ``none``, ``smoke``, ``tournament``, …; default: the inventory's mode, else the policy's.
        observe_s: without traffic: seconds between two readings of the counters; 0 reads them once.
        limit: only these targets, as a node set: ``gpu[001-004],leaf01``.

    Raises:
        PolicyError: with all faults of the policy.
        UsageError: a name or a node set means nothing here.
    """
    there = as_planned(inventory)
    there = there.limited_to(limit) if limit else there
    rules = policy_of(policy, inventory)
    wanted = inventory.traffic.over(there.traffic).over(rules.traffic)
    if traffic is not None:
        wanted = Traffic(mode=traffic).over(wanted)
    plan = build(there, needs_of(chosen(select, ignore)))
    load = traffic_plan(there, wanted, rules.design.pod_bandwidth_floor)
    return replace(plan, policy=rules, traffic=load, observe_s=observe_s)


def policy_of(policy: Policy | str | None, inventory: Inventory) -> Policy:
    """A policy, that of a name, or the inventory's; the checks it names must exist.

    Raises:
        PolicyError: with all its faults.
    """
    if isinstance(policy, Policy):
        return policy
    return policy_named(policy) if policy else policy_named(inventory.policy, base=inventory.source.parent)


def policy_named(name: str, *, base: Path = Path()) -> Policy:
    """The shipped policy of that name, or the file, relative to ``base``; the checks it names must exist.

    Raises:
        PolicyError: with all its faults.
    """
    return load_policy(name, base=base, checks=tuple(check.id for check in all_checks()))
