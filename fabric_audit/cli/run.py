"""``fabric-audit run``: collect, then check."""

from typing import Any

import click

from fabric_audit.cli._options import audited, chosen_checks, exit_code, judging, reporting
from fabric_audit.cli._report import write_reports


@click.command()
@click.argument("inventory")
@judging
@click.option("--traffic", metavar="MODE", help="none, smoke, tournament; default: the inventory's, the policy's.")
@click.option(
    "--observe", "observe_s", type=float, default=0.0, help="Without traffic: read counters twice, so far apart."
)
@click.option("--limit", metavar="NODESET", help="Only these targets.")
@click.option("--jobs", type=click.IntRange(1, 1024), default=32, show_default=True, help="Targets asked at once.")
@click.option("--yes", is_flag=True, help="Accept the plan without being asked; overrides no safeguard.")
@click.option("--accept-new-host-keys", is_flag=True, help="Record unknown host keys; changed ones are refused.")
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
