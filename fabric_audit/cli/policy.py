"""``fabric-audit policy``: what ought to be."""

from pathlib import Path

import click


@click.group()
def command() -> None:
    """Look at policies: the shipped ones, and every effective value of one with its origin."""


@command.command("list")
def list_policies() -> int:
    """List the shipped policies."""
    from fabric_audit.policy.layers import shipped_policies
    from fabric_audit.policy.load import load_policy

    for name in shipped_policies():
        click.echo(f"{name:28} {load_policy(name, base=Path()).title}")
    return 0


@command.command("show")
@click.argument("name")
def show(name: str) -> int:
    """Print every effective value of a policy: what it is, where it was written, what that rests on."""
    from fabric_audit.policy.load import load_policy
    from fabric_audit.policy.show import policy_show

    for row in policy_show(load_policy(name, base=Path())):
        click.echo(f"{row.name:40} {row.value:24} {row.source}  ({row.origin})")
    return 0
