"""Which questions go to which target: from the tables that checks need, and nothing else."""

from collections.abc import Collection, Iterable

from fabric_audit.inventory.model import Host, Inventory, Switch, Target
from fabric_audit.plan.model import Plan, Question, TargetPlan
from fabric_audit.platforms.model import Section, When
from fabric_audit.platforms.registry import all_sections

ALWAYS = frozenset({"system", "tool"})
"""Tables collected whatever is checked: who answered, and with which clock."""


def build(inventory: Inventory, needs: Collection[str]) -> Plan:
    """The questions without traffic.

    Args:
        inventory: what exists.
        needs: names of fact tables that the checks read, derived ones resolved to what they are made of.
    """
    wanted = frozenset(needs) | ALWAYS
    targets = tuple(target_plan(target, wanted) for target in inventory.targets)
    offered = {table for section in all_sections().values() for table in section.tables}
    return Plan(
        inventory=inventory,
        needs=wanted,
        targets=targets,
        out_of_scope=tuple(sorted(wanted - offered)),
    )


def target_plan(target: Target, needs: frozenset[str]) -> TargetPlan:
    """What one target is asked."""
    sections = [s for s in sections_for(target) if needs.intersection(s.tables)]
    kind = "host" if isinstance(target, Host) else "switch"
    group = _host_questions if isinstance(target, Host) else _switch_questions
    return TargetPlan(
        target=target.name,
        kind=kind,
        platform=target.platform,
        baseline=tuple(group(target.name, [s for s in sections if s.when is When.BASELINE], "")),
        counters=tuple(group(target.name, [s for s in sections if s.when is When.COUNTERS], "counters")),
    )


def sections_for(target: Target) -> Iterable[Section]:
    """All sections that can be asked of a target, in the order of the tree."""
    if isinstance(target, Switch):
        kinds: tuple[str, ...] = ("switches",)
    else:
        kinds = ("hosts", "nics", "workloads") if target.gpus == 0 else ("gpus", "hosts", "nics", "workloads")
    for section in all_sections().values():
        if section.ask is None or section.when is When.REQUEST or section.kind not in kinds:
            continue
        if section.kind != "switches" or section.platform == target.platform:
            yield section


def _host_questions(target: str, sections: list[Section], command: str) -> Iterable[Question]:
    groups: dict[str, list[Section]] = {}
    for section in sections:
        groups.setdefault(command or section.platform, []).append(section)
    for name, members in groups.items():
        yield Question(target=target, command=name, sections=tuple(members))


def _switch_questions(target: str, sections: list[Section], _command: str) -> Iterable[Question]:
    for section in sections:
        yield Question(target=target, command=section.name, sections=(section,))
