"""``fabric-audit diff``: what is different in the later of two captures, offline."""

from pathlib import Path

import click

from fabric_audit.cli._diff import code_of, failing_from, known_formats, write_comparison
from fabric_audit.cli._options import judging
from fabric_audit.findings import Severity


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@judging
@click.option("--format", "formats", default="html,json", show_default=True, help="Formats of the comparison.")
@click.option(
    "--fail-on",
    type=click.Choice([str(s) for s in Severity]),
    default="major",
    show_default=True,
    help="Exit 1 for what is new from here on.",
)
@click.option("--output", metavar="DIR", help="Where to write; default: beside AFTER.")
@click.option("-q", "--quiet", is_flag=True, help="Say only the verdict and the path of the comparison.")
def command(
    before: str,
    after: str,
    policy: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    formats: str,
    fail_on: str,
    output: str | None,
    quiet: bool,
) -> int:
    """Tell what is different between two captures: new, fixed, changed, slower, and not known any more.

    BEFORE and AFTER are run folders, or the captures in them. Both are judged by one policy: that of AFTER, unless
    --policy names another. Exit code 1: something new fails at or above --fail-on; 3: evidence was lost; 0 otherwise.
    """
    from fabric_audit.api.judging import compare
    from fabric_audit.capture.reader import Capture

    names = known_formats(formats)
    later = Capture.open(Path(after))
    found = compare(before, later, policy=policy, select=select, ignore=ignore)
    comparison = failing_from(found, fail_on)
    folder = later.folder.parent if later.folder.name == "capture" else later.folder
    write_comparison(comparison, Path(output) if output else folder, names, quiet=quiet)
    return code_of(comparison)
