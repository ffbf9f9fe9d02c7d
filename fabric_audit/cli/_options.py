"""Options that several verbs share, and the exit code."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from fabric_audit.cli import ExitCode
from fabric_audit.errors import UsageError
from fabric_audit.findings import Audit, Severity, Verdict

F = TypeVar("F", bound=Callable[..., Any])


def judging(function: F) -> F:
    """Options of verbs that check."""
    for option in reversed(
        (
            click.option("--policy", metavar="NAME|FILE", help="Policy; default: the inventory's."),
            click.option("--select", metavar="CHECK", multiple=True, help="Only these families or checks."),
            click.option("--ignore", metavar="CHECK", multiple=True, help="Not these families or checks."),
        )
    ):
        function = option(function)
    return function


def failing_from(function: F) -> F:
    """The option that says from which severity on a finding fails the whole."""
    severities = click.Choice([str(s) for s in Severity])
    option = click.option("--fail-on", type=severities, default="major", show_default=True, help="Exit 1 from here on.")
    return option(function)


def reporting(function: F) -> F:
    """Options of verbs that report."""
    for option in reversed(
        (
            click.option(
                *("--format", "formats"),
                default="html,json",
                show_default=True,
                callback=known_formats,
                help="Report formats.",
            ),
            failing_from,
            click.option(
                "--output", metavar="DIR", help="Run folder; default: a new one in reports/, or the capture's own."
            ),
            click.option("-q", "--quiet", is_flag=True, help="Say only the verdict and the report's path."),
        )
    ):
        function = option(function)
    return function


def known_formats(_context: click.Context, _parameter: click.Parameter, formats: str) -> str:
    """Refuse a format that does not exist before anything is collected, not after."""
    from fabric_audit.api.judging import renderer

    for name in filter(None, (word.strip() for word in formats.split(","))):
        renderer(name)
    return formats


def collecting(function: F) -> F:
    """Options of verbs that reach devices; each is a field of ``Wishes``."""
    for option in reversed(
        (
            click.option("--traffic", metavar="MODE", help="Schedule, such as adaptive; default: the inventory's."),
            click.option(
                "--observe", "observe_s", metavar="SECONDS", type=float, default=0.0, help="Read counters twice."
            ),
            click.option("--limit", metavar="NODESET", help="Only these targets."),
            click.option(
                "--jobs", type=click.IntRange(1, 1024), default=32, show_default=True, help="Targets at once."
            ),
            click.option("--yes", is_flag=True, help="Accept the plan without being asked; overrides no safeguard."),
            click.option("--accept-new-host-keys", is_flag=True, help="Record unknown host keys; changed: refused."),
            click.option("--guard", metavar="CMD", help="Must succeed first; hosts stand in $FABRIC_AUDIT_NODESET."),
            click.option("--allow-busy", metavar="NODESET", help="Load these hosts though others use them."),
            click.option("--reason", metavar="TEXT", help="Why; stands in the report."),
            click.option("--max-time", metavar="DURATION", callback=_duration, help="Send traffic no longer."),
            click.option("--max-bytes", metavar="SIZE", callback=_size, help="Send no more."),
            click.option("--resume", metavar="CAPTURE", help="Complete an interrupted run."),
        )
    ):
        function = option(function)
    return function


def _duration(_context: click.Context, _parameter: click.Parameter, text: str | None) -> float | None:
    from fabric_audit.documents.quantities import QuantityError, duration_s

    try:
        return None if text is None else duration_s(text)
    except QuantityError as error:
        raise UsageError(f"--max-time {text!r} is no duration; write {error}") from None


def _size(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    from fabric_audit.documents.quantities import QuantityError, size_bytes

    try:
        return None if text is None else size_bytes(text)
    except QuantityError as error:
        raise UsageError(f"--max-bytes {text!r} is no size; write {error}") from None


def exit_code(audit: Audit, fail_on: str) -> ExitCode:
    """What the audit means to a script."""
    if audit.failing(Severity(fail_on)):
        return ExitCode.FINDINGS
    judged = any(result.verdict not in (Verdict.OUT_OF_SCOPE, Verdict.SKIPPED) for result in audit.results)
    return ExitCode.CLEAN if judged and not audit.incomplete else ExitCode.INCOMPLETE
