"""``fabric-audit plan``: what a run would do; touches no device."""

import click

from fabric_audit.cli._options import judging


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
    from fabric_audit.api.planning import build_plan, load_inventory
    from fabric_audit.cli._plan_words import described

    loaded = load_inventory(inventory)
    plan = build_plan(loaded, policy=policy, select=select, ignore=ignore, traffic=traffic, limit=limit)
    click.echo(described(plan, commands=show_commands))
    return 0
