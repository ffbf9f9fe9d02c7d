"""``fabric-audit run``: collect, then check."""

from pathlib import Path
from typing import Any

import click

from fabric_audit.cli._options import collecting, exit_code, judging, reporting
from fabric_audit.cli._report import write_reports


@click.command()
@click.argument("inventory")
@judging
@collecting
@reporting
@click.option("--baseline", metavar="CAPTURE", help="Tell what is different since this capture, too; see: diff --help.")
def command(
    inventory: str,
    policy: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    formats: str,
    fail_on: str,
    baseline: str | None,
    **wishes: Any,
) -> int:
    """Audit a fabric: collect from every host and switch, send traffic, judge, report.

    The last line on stdout is the report's path. With --baseline the exit code is that of diff.
    """
    from fabric_audit.api.judging import audit_capture
    from fabric_audit.capture.reader import Capture
    from fabric_audit.cli._collecting import Wishes, collected

    earlier = Capture.open(Path(baseline)) if baseline else None
    folder = collected(inventory, policy, select, ignore, Wishes(**wishes))
    capture = Capture.open(folder)
    audit = audit_capture(capture, select=select, ignore=ignore)
    if earlier is None:
        write_reports(audit, capture, folder, formats, quiet=wishes["quiet"], fail_on=fail_on)
        return exit_code(audit, fail_on)
    from fabric_audit.api.judging import compare
    from fabric_audit.cli._diff import code_of, failing_from, write_comparison
    from fabric_audit.report.comparison import COMPARISONS

    comparison = failing_from(compare(earlier, capture, select=select, ignore=ignore, judged=audit), fail_on)
    both = [name for name in (word.strip() for word in formats.split(",")) if name in COMPARISONS]
    write_comparison(comparison, folder, both, quiet=wishes["quiet"])
    write_reports(audit, capture, folder, formats, quiet=wishes["quiet"], fail_on=fail_on)
    return code_of(comparison)
