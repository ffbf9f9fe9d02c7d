"""Writes the reports and says the verdict."""

from dataclasses import replace
from pathlib import Path

import click

from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import private_file
from fabric_audit.findings import Audit, Severity


def write_reports(audit: Audit, capture: Capture, folder: Path, formats: str, *, quiet: bool, fail_on: str) -> None:
    """Write the formats, which exist, into ``folder``; print the verdict, and as last line the report's path."""
    from fabric_audit.report import RENDERERS, evidence_reader

    audit = replace(audit, fail_on=Severity(fail_on))
    paths = []
    for name in filter(None, (word.strip() for word in formats.split(","))):
        renderer = RENDERERS[name]
        path = folder / renderer.file_name
        private_file(path, renderer.render(audit, evidence_reader(capture)))
        paths.append(path)
    summary(audit, quiet=quiet)
    if paths:
        click.echo(str(paths[0]))


def summary(audit: Audit, *, quiet: bool) -> None:
    """The verdict in words, and what to fix first."""
    from fabric_audit.report.summary import summary as lines
    from fabric_audit.report.words import headline

    click.echo(headline(audit, audit.fail_on))
    if not quiet:
        for line in lines(audit):
            click.echo(f"  {line}")
