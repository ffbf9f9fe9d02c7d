"""``fabric-audit plan``: what a run would do; touches no device."""

import click

from fabric_audit.cli._options import chosen_checks, judging, loaded_inventory, loaded_policy


@click.command()
@click.argument("inventory")
@judging
@click.option("--traffic", metavar="MODE", help="Schedule, such as adaptive; default: the inventory's.")
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
    from fabric_audit.cli._plan_words import described
    from fabric_audit.cli._pod import as_planned

    loaded = as_planned(loaded_inventory(inventory))
    limited = loaded.limited_to(limit) if limit else loaded
    rules = loaded_policy(policy, loaded)
    needs = needs_of(chosen_checks(select, ignore))
    plan = planned(limited, rules, needs, Wishes(traffic=traffic))
    click.echo(described(plan, commands=show_commands))
    return 0
