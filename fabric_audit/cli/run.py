"""``fabric-audit run``: collect, then check."""

from typing import Any

import click

from fabric_audit.cli._options import audited, chosen_checks, collecting, exit_code, judging, reporting
from fabric_audit.cli._report import write_reports


@click.command()
@click.argument("inventory")
@judging
@collecting
@reporting
def command(
    inventory: str,
    policy: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    formats: str,
    fail_on: str,
    **wishes: Any,
) -> int:
    """Audit a fabric: collect from every host and switch, send traffic, judge, report.

    The last line on stdout is the report's path.
    """
    from fabric_audit.capture.reader import Capture
    from fabric_audit.cli._collecting import Wishes, collected

    checks = chosen_checks(select, ignore)
    folder = collected(inventory, policy, checks, Wishes(**wishes))
    capture = Capture.open(folder)
    audit = audited(capture, None, checks)
    write_reports(audit, capture, folder, formats, quiet=wishes["quiet"], fail_on=fail_on)
    return exit_code(audit, fail_on)
