"""``fabric-audit report``: write the reports of a capture again, offline."""

from pathlib import Path

import click

from fabric_audit.cli._options import judging, reporting
from fabric_audit.cli._report import write_reports


@click.command()
@click.argument("capture", metavar="CAPTURE")
@judging
@reporting
def command(
    capture: str,
    policy: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    formats: str,
    fail_on: str,
    output: str | None,
    quiet: bool,
) -> int:
    """Write the reports of a capture. Unlike `check` it ends with 0 whatever the verdict is."""
    from fabric_audit.api.judging import audit_capture
    from fabric_audit.capture.reader import Capture

    opened = Capture.open(Path(capture))
    audit = audit_capture(opened, policy=policy, select=select, ignore=ignore)
    folder = opened.folder.parent if opened.folder.name == "capture" else opened.folder
    write_reports(audit, opened, Path(output) if output else folder, formats, quiet=quiet, fail_on=fail_on)
    return 0
