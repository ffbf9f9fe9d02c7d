"""What a run shows while it goes: a live view on a terminal, plain lines elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from fabric_audit.collect.progress import Progress as Told
from fabric_audit.collect.progress import Silent

if TYPE_CHECKING:
    from fabric_audit.plan.model import Plan


@contextmanager
def progress(plan: "Plan", *, quiet: bool) -> Iterator[Told]:
    """The view that fits: none when quiet, live on a terminal, lines otherwise. All of it goes to stderr."""
    console = Console(stderr=True, highlight=False)
    if quiet:
        yield Silent()
    elif console.is_terminal:
        with Live(console, plan.traffic.rounds if plan.traffic else 0) as live:
            yield live
    else:
        yield Lines(console)


class Lines:
    """One line a phase and a failure; a line every so many rounds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = Lock()

    def _line(self, words: str) -> None:
        with self._lock:
            self._console.print(words, markup=False, soft_wrap=True)

    def phase(self, name: str, targets: int) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        self._line(f"{name}: {targets} targets")

    def done(self, target: str) -> None:
        """Nothing: silence is good news."""

    def failed(self, target: str, words: str) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        self._line(f"  {target}: {words}")

    def traffic_round(self, number: int, of: int, words: str) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        self._line(f"round {number} of {of}: {words}")


class Live(Lines):
    """Bars for targets and rounds; failures scroll above them."""

    def __init__(self, console: Console, rounds: int) -> None:
        super().__init__(console)
        columns = (TextColumn("{task.description:32}"), BarColumn(), MofNCompleteColumn())
        self._bars = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console, transient=True)
        self._targets = self._bars.add_task("log in", total=None)
        self._rounds = self._bars.add_task("rounds", total=rounds, visible=bool(rounds))

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def phase(self, name: str, targets: int) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        self._bars.reset(self._targets, description=name, total=targets)

    def done(self, target: str) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        del target
        self._bars.advance(self._targets)

    def failed(self, target: str, words: str) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        super().failed(target, words)
        self._bars.advance(self._targets)

    def traffic_round(self, number: int, of: int, words: str) -> None:
        """See :class:`fabric_audit.collect.progress.Progress`."""
        self._bars.update(self._rounds, completed=number - 1, total=of, description=f"round {number}: {words}")
