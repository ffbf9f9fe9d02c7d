"""``fabric-audit plan``: what a run would do; touches no device."""

from typing import TYPE_CHECKING

import click

from fabric_audit.cli._options import chosen_checks, judging, loaded_inventory, loaded_policy

if TYPE_CHECKING:
    from fabric_audit.plan.model import Plan


@click.command()
@click.argument("inventory")
@judging
@click.option("--traffic", metavar="MODE", help="none, smoke, tournament; default: the inventory's.")
@click.option("--limit", metavar="NODESET", help="Only these targets.")
@click.option("--commands", "show_commands", is_flag=True, help="Print every command of every target, too.")
def command(
    inventory: str,
    policy: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    traffic: str | None,
    limit: str | None,
    show_commands: bool,
) -> int:
    """Show targets, commands, rounds, flows, bytes and time of a run. Opens no connection."""
    from fabric_audit.checks.model import needs_of
    from fabric_audit.cli._collecting import Wishes, planned
    from fabric_audit.cli._pod import as_planned

    loaded = as_planned(loaded_inventory(inventory))
    limited = loaded.limited_to(limit) if limit else loaded
    rules = loaded_policy(policy, loaded)
    needs = needs_of(chosen_checks(select, ignore))
    plan = planned(limited, rules, needs, Wishes(traffic=traffic))
    click.echo(described(plan, commands=show_commands))
    return 0


def described(plan: "Plan", *, commands: bool = False) -> str:
    """The plan in words."""
    from fabric_audit.inventory.nodes import fold

    lines = [f"fabric {plan.inventory.fabric}"]
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for target in plan.targets:
        groups.setdefault((target.kind, target.platform, target.sections), []).append(target.target)
    for (kind, platform, sections), names in groups.items():
        lines.append(f"  {fold(names)}: {len(names)} {kind}(s), {platform}, {len(sections)} commands each")
        if commands:
            lines += [f"      {section}" for section in sections]
    return "\n".join([*lines, *_traffic(plan)])


def _traffic(plan: "Plan") -> list[str]:
    load = plan.traffic
    if load is None:
        return ["no traffic"]
    tools, memory = ", ".join(load.tools), ", ".join(load.memory)
    rails = ", ".join(map(str, load.rails))
    flows = f"{load.pairs} flows at once, messages of {load.size_bytes} bytes on {load.qps} queue pairs"
    return [
        f"traffic {load.mode}: {load.rounds} rounds of {load.duration_s:g} s, about {load.seconds / 60:.1f} min",
        f"  tools {tools}; memory {memory}; rails {rails}",
        f"  {flows}, traffic class {load.traffic_class}",
        f"  at most {load.bytes_at_most / 1e12:.2f} TB in all",
    ]
