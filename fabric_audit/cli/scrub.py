"""``fabric-audit scrub``: a copy of a capture that can be given away."""

from pathlib import Path

import click


@click.command()
@click.argument("capture", metavar="CAPTURE")
@click.option("--output", metavar="DIR", help="Where the copy goes; default: CAPTURE with -scrubbed behind its name.")
def command(capture: str, output: str | None) -> int:
    """Copy a capture without what identifies: names, addresses, MACs, GIDs, GUIDs, serials, free words.

    The same is replaced by the same, subnets stay subnets, and the copy is judged as the original: if a verdict
    differed, nothing would be handed out. Reports are not copied; `fabric-audit check` makes them from the copy.

    \b
      fabric-audit scrub reports/20261130T101500Z-pod3 --output /tmp/for-the-vendor
    """  # noqa: D301 - click's mark of a paragraph to leave alone is a backspace character
    from fabric_audit.api.scrubbing import scrub

    where = Path(capture)
    folder = Path(output) if output else where.with_name(f"{where.name}-scrubbed")
    scrub(where, folder)
    click.echo(str(folder))
    return 0
