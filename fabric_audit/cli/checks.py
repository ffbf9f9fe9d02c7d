"""``fabric-audit checks``: all checks, a line each."""

import click


@click.command()
@click.option("--select", metavar="CHECK", multiple=True, help="Only these families or checks.")
@click.option("--ignore", metavar="CHECK", multiple=True, help="Not these families or checks.")
def command(select: tuple[str, ...], ignore: tuple[str, ...]) -> int:
    """List what is checked; `fabric-audit explain NAME` prints the manual of one."""
    from fabric_audit.checks.selection import chosen

    checks = chosen(select, ignore)
    width = max((len(check.id) for check in checks), default=0)
    for check in checks:
        click.echo(f"{check.id:{width}}  {check.title}")
    return 0
