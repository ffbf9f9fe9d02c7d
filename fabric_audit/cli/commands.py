"""``fabric-audit commands``: everything that is ever sent to a device, for a security review."""

import click


@click.command()
@click.option("--sudoers", metavar="USER", help="Print lines of sudoers(5) that allow USER the root ones, and end.")
def command(sudoers: str | None) -> int:
    """List every command that can ever be sent to a host or a switch.

    Hosts get one script on stdin of `exec /bin/sh -s`; its lines are shown after the script's own shell functions.
    Commands marked `root` are run through `sudo -n` where the inventory says `become: sudo`.
    """
    from fabric_audit.plan.script import preamble, verb
    from fabric_audit.plan.sudoers import sudoers as lines_of
    from fabric_audit.platforms.registry import all_sections, switch_platforms

    hosts = [s for s in all_sections().values() if s.kind != "switches" and s.ask is not None]
    if sudoers:
        click.echo("\n".join(lines_of(sudoers, hosts)))
        return 0
    click.echo("# Hosts: one script a group of sections, these functions first:\n")
    click.echo(preamble(traffic=True))
    for section in hosts:
        click.echo(f"{verb(section)}    # {section.platform}, {section.when.value}")
    for platform in switch_platforms().values():
        click.echo(f"\n# {platform.name} (netmiko {platform.driver}); the driver itself sends when a session opens:")
        for line in platform.setup:
            click.echo(f"{line}    # session set-up")
        for section in all_sections().values():
            if section.platform == platform.name and section.kind == "switches" and section.ask is not None:
                click.echo(f"{section.ask.text}    # {section.when.value}")  # type: ignore[union-attr]  # a CLI command
    return 0
