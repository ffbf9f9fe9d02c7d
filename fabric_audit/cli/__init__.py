"""The command line: one file per verb, arguments in, exit code out.

Every verb's module holds a click command named ``command``; a new file is a new verb. Modules load nothing heavy
when imported: ``--help`` must answer at once.
"""

import os
import signal
import sys
from collections.abc import Iterable, Sequence
from enum import IntEnum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FrameType

import click

from fabric_audit import __version__
from fabric_audit.errors import CaptureError, UsageError


class ExitCode(IntEnum):
    """What scripts may rely on."""

    CLEAN = 0
    """Nothing failing at or above ``--fail-on``, evidence complete."""
    FINDINGS = 1
    """Something fails at or above ``--fail-on``; beats 3."""
    USAGE = 2
    """Usage, inventory, policy or capture wrong, or no terminal and no ``--yes``."""
    INCOMPLETE = 3
    """Evidence is incomplete: something is UNKNOWN."""
    INTERNAL = 4
    """A bug of ours."""
    INTERRUPTED = 130
    """Ended by SIGINT; hosts were cleaned up."""
    TERMINATED = 143
    """Ended by SIGTERM; hosts were cleaned up."""


class Terminated(BaseException):
    """SIGTERM arrived."""


class Verbs(click.Group):
    """The verbs found in this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, by name."""
        del ctx
        return sorted(m.name.replace("_", "-") for m in iter_modules(__path__) if not m.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One verb, imported when it is asked for."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = import_module(f"{__name__}.{cmd_name.replace('-', '_')}").command
        found.name = cmd_name
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb of a command line; a misspelt one is answered with the nearest."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            ctx.fail(f"no such verb {args[0]!r}{nearest(args[0], self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="fabric-audit")
def cli() -> None:
    """Audit the RDMA fabric of a GPU cluster, and name the component to blame.

    It logs in to GPU hosts and switches, reads PFC/ECN/DCQCN configuration and counters at every hop, drives
    ib_write_bw between pairs of hosts, and judges all of it against a policy. It reads, it never configures.

    \b
      fabric-audit run inventories/pod3.yaml            collect, then check
      fabric-audit plan inventories/pod3.yaml           what that would do; touches no device
      fabric-audit check reports/20261130T101500Z-pod3  judge what was collected, offline
      fabric-audit explain pfc.same-on-both-ends        what a check means

    Exit codes: 0 clean, 1 findings, 2 usage, 3 evidence incomplete, 4 internal error, 130/143 interrupted.
    """  # noqa: D301 - click's mark of a paragraph to leave alone is a backspace character


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the only place that turns exceptions into words and exit codes."""
    os.umask(0o077)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = cli.main(args=list(arguments), prog_name="fabric-audit", standalone_mode=False)
    except (Exception, KeyboardInterrupt, Terminated) as error:  # noqa: BLE001 - no traceback reaches a user
        return _explained(error)
    return code if isinstance(code, int) else ExitCode.CLEAN


def _explained(error: BaseException) -> ExitCode:
    match error:
        case click.ClickException():
            error.show()
        case UsageError() | CaptureError():
            _say(str(error))
        case click.Abort(__cause__=EOFError() as cause):
            return _internal(cause)  # click takes the end of any file for the user's wish to leave
        case click.Abort() | KeyboardInterrupt():
            _say("interrupted")
            return ExitCode.INTERRUPTED
        case Terminated():
            _say("terminated")
            return ExitCode.TERMINATED
        case BrokenPipeError():
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return ExitCode.CLEAN
        case _:
            return _internal(error)
    return ExitCode.USAGE


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise Terminated


def _say(words: str) -> None:
    click.echo(f"fabric-audit: {words}", err=True)


def _internal(error: BaseException) -> ExitCode:
    if os.environ.get("FABRIC_AUDIT_DEBUG"):
        raise error
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})" if trace else ""
    _say(f"internal error: {type(error).__name__}: {error}{where}; this is a bug, please report this line")
    return ExitCode.INTERNAL


def nearest(word: str, known: Iterable[str]) -> str:
    """``; did you mean 'x'?``, or nothing where no known word is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
