"""``fabric-audit collect``: the first half of a run."""

from typing import Any

import click

from fabric_audit.cli._options import collecting, judging


@click.command()
@click.argument("inventory")
@judging
@collecting
@click.option("--output", metavar="DIR", help="Run folder; default: reports/<UTC>-<fabric>/.")
@click.option("-q", "--quiet", is_flag=True, help="Say only the capture's path.")
def command(inventory: str, policy: str | None, select: tuple[str, ...], ignore: tuple[str, ...], **wishes: Any) -> int:
    """Ask every host and switch, send traffic, keep everything; judge nothing.

    The last line on stdout is the capture's path; `fabric-audit check` judges it.
    """
    from fabric_audit.cli._collecting import Wishes, collected

    folder = collected(inventory, policy, select, ignore, Wishes(**wishes))
    click.echo(str(folder / "capture"))
    return 0
