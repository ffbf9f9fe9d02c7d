"""``fabric-audit check-config``: judge saved switch configurations; no device is asked."""

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric_audit.cli import ExitCode, nearest
from fabric_audit.cli._options import exit_code, failing_from, judging, known_formats
from fabric_audit.errors import UsageError
from fabric_audit.findings import Severity

if TYPE_CHECKING:
    from fabric_audit.capture.reader import Capture
    from fabric_audit.findings import Audit
    from fabric_audit.platforms.model import SwitchPlatform

DEFAULT_POLICY = "roce-lossless"
_TEXT = "text"


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option("--platform", metavar="OS", required=True, help="The switch OS of all files, such as arista_eos.")
@click.option("--ports", metavar="NODESET", help="Only these, Ethernet[1-32]/1 say; default: all but those shut down.")
@judging
@failing_from
@click.option("--format", "formats", default=_TEXT, show_default=True, callback=known_formats, help="Report formats.")
@click.option("--output", metavar="DIR", help="Folder for the reports; default, and -: stdout, one format alone.")
def command(
    files: tuple[str, ...],
    platform: str,
    ports: str | None,
    policy: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    formats: str,
    fail_on: str,
    output: str | None,
) -> int:
    """Judge saved switch configurations. No device is asked.

    Each FILE is one switch: what `show running-config` of its OS prints, SONiC's config_db.json, Cumulus' `nv config
    show` in any form, Junos with braces or as set lines; - is stdin. Every physical port that is not shut down is
    taken for a port of the RDMA fabric; --ports names fewer. What only a device could tell (state, counters) and what
    takes two ends (cables) is out of scope.

    Exit codes: 0 nothing failing, 1 findings, 2 usage, 3 a file or a line of it that is not understood.
    """
    from fabric_audit.api.planning import policy_named
    from fabric_audit.audit import audit_capture
    from fabric_audit.audit.configurations import UnreadableConfigurationError, saved
    from fabric_audit.checks.selection import chosen

    wanted = [word.strip() for word in formats.split(",") if word.strip()]
    if len(wanted) > 1 and output in (None, "-"):
        raise UsageError(f"{len(wanted)} formats do not fit on stdout; name a folder with --output DIR")
    checks, judged_by = chosen(select, ignore), policy_named(policy or DEFAULT_POLICY)
    known = _platform(platform)
    texts = {file: _bytes(file) for file in _named(files)}
    try:
        given = saved(known, texts, datetime.now(UTC))
    except UnreadableConfigurationError as error:
        click.echo(f"fabric-audit: {error}", err=True)
        return ExitCode.INCOMPLETE
    for file, lines in given.skipped.items():
        for one in lines:
            click.echo(f"{file}:{one.line}: not understood: {one.text!r}: expected {one.expected}", err=True)
    only = _ports(ports, given.ports)
    audit = audit_capture(given.capture, given.inventory, judged_by, checks, ports=only)
    audit = replace(audit, fail_on=Severity(fail_on))
    _write(audit, given.capture, wanted, None if output in (None, "-") else Path(str(output)))
    return exit_code(audit, fail_on)


def _platform(name: str) -> "SwitchPlatform":
    from fabric_audit.platforms.registry import switch_platforms

    known = switch_platforms()
    if name not in known:
        raise UsageError(f"no switch OS is called {name!r}{nearest(name, known)}; there are {', '.join(sorted(known))}")
    return known[name]


def _ports(nodeset: str | None, known: Collection[str]) -> tuple[str, ...]:
    """The ports that a person named."""
    from fabric_audit.inventory.nodes import NodesError, expand

    if nodeset is None:
        return ()
    try:
        wanted = expand(nodeset, ports=True)
    except NodesError as error:
        raise UsageError(f"--ports {nodeset!r}: {error}") from None
    for port in wanted:
        if port not in known:
            raise UsageError(f"--ports {nodeset!r}: no file names a port {port!r}{nearest(port, sorted(known))}")
    return wanted


def _named(files: Sequence[str]) -> Sequence[str]:
    if not files:
        raise UsageError("name the configurations to judge, or - for stdin")
    return files


def _bytes(file: str) -> bytes:
    """The file, without the mark that some editors put in front of UTF-8."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    return data.removeprefix(b"\xef\xbb\xbf")


def _write(audit: "Audit", capture: "Capture", formats: Sequence[str], folder: Path | None) -> None:
    """Reports to stdout or into the folder; then the verdict, and as last line the first report's path."""
    from fabric_audit.capture.writer import private_file
    from fabric_audit.report import RENDERERS, evidence_reader
    from fabric_audit.report.words import headline

    reader = evidence_reader(capture)
    if folder is None:
        for name in formats:
            sys.stdout.buffer.write(RENDERERS[name].render(audit, reader))
        sys.stdout.flush()
        return
    paths = [folder / RENDERERS[name].file_name for name in formats]
    for name, path in zip(formats, paths, strict=True):
        private_file(path, RENDERERS[name].render(audit, reader))
    click.echo(headline(audit, audit.fail_on))
    for path in paths[:1]:
        click.echo(str(path))
