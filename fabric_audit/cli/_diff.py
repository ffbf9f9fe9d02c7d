"""Steps of verbs that compare two captures."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from fabric_audit.capture.writer import private_file
from fabric_audit.cli import ExitCode, nearest
from fabric_audit.errors import UsageError
from fabric_audit.findings import Comparison, Severity

_MOST = 5  # lines of each kind: what fits on a screen


def known_formats(formats: str) -> tuple[str, ...]:
    """Names of the formats that were asked for.

    Raises:
        UsageError: one does not exist for comparisons.
    """
    from fabric_audit.report.comparison import COMPARISONS

    names = tuple(filter(None, (word.strip() for word in formats.split(","))))
    for name in names:
        if name not in COMPARISONS:
            words = f"a comparison has no format called {name!r}{nearest(name, COMPARISONS)}"
            raise UsageError(f"{words}; there are {', '.join(COMPARISONS)}")
    return names


def write_comparison(comparison: Comparison, folder: Path, formats: Sequence[str], *, quiet: bool) -> None:
    """Write the formats into ``folder``; print what is different, and as last line the first file's path."""
    from fabric_audit.report.comparison import COMPARISONS

    paths = []
    for name in formats:
        renderer = COMPARISONS[name]
        path = folder / renderer.file_name
        private_file(path, renderer.render(comparison))
        paths.append(path)
    tell(comparison, quiet=quiet)
    if paths:
        click.echo(str(paths[0]))


def tell(comparison: Comparison, *, quiet: bool) -> None:
    """What is different, on a terminal."""
    from fabric_audit.report.comparison.summary import summary
    from fabric_audit.report.comparison.words import headline

    click.echo(headline(comparison))
    if not quiet:
        for line in summary(comparison, most=_MOST):
            click.echo(f"  {line}")


def failing_from(comparison: Comparison, fail_on: str) -> Comparison:
    """The same, with the severity from which on something new fails the change."""
    return replace(comparison, after=replace(comparison.after, fail_on=Severity(fail_on)))


def code_of(comparison: Comparison) -> ExitCode:
    """What the comparison means to a script."""
    from fabric_audit.report.comparison.words import Course, course

    codes = {Course.WORSE: ExitCode.FINDINGS, Course.LESS_KNOWN: ExitCode.INCOMPLETE}
    return codes.get(course(comparison, comparison.after.fail_on), ExitCode.CLEAN)
