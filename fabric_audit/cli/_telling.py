"""What the verbs that explain one file to a person share: reading it, telling the findings, the exit code."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

import click

from fabric_audit.cli import ExitCode
from fabric_audit.errors import FabricAuditError, ParseError
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    from rich.console import Console

    from fabric_audit.facts import Fact
    from fabric_audit.platforms.model import Answer, Output

P = ParamSpec("P")

_STYLES = {Verdict.FAIL: "bold red", Verdict.UNKNOWN: "yellow", Verdict.PASS: "green"}
_WORDS = {Verdict.FAIL: "wrong", Verdict.UNKNOWN: "open", Verdict.PASS: "good"}
_ORDER = (Verdict.FAIL, Verdict.UNKNOWN, Verdict.PASS)
_MOST_PLACES = 4  # that fit on a line
_WIDE = 200  # columns of a file or pipe, where nothing wraps


class UnreadableError(FabricAuditError):
    """A file that the verb cannot read as what it ought to be."""


def explaining(function: Callable[P, int]) -> Callable[P, int]:
    """A verb that ends with exit code 3 and the place where its file is not what it ought to be."""

    @wraps(function)
    def wrapped(*arguments: P.args, **options: P.kwargs) -> int:
        try:
            return function(*arguments, **options)
        except UnreadableError as error:
            click.echo(f"fabric-audit: {error}", err=True)
            return ExitCode.INCOMPLETE

    return wrapped


def console() -> "Console":
    """Where the answer goes: as wide as the terminal, or wide and plain in a pipe."""
    from rich.console import Console

    found = Console(highlight=False, soft_wrap=True)
    return found if found.is_terminal else Console(highlight=False, soft_wrap=True, width=_WIDE)


def text_of(file: str, command: str) -> str:
    """The text of a file, or of stdin for ``-``; ``command`` says what to pipe in where there is nothing.

    Raises:
        click.UsageError: no such file, or stdin is a terminal.
    """
    if file == "-":
        if sys.stdin.isatty():
            raise click.UsageError(f"name a file, or pipe it in: {command}")
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(file).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None


def facts_of(parse: "Callable[[Output], Iterator[Answer]]", text: str, name: str) -> "list[Fact]":
    """The facts of a text; what was left out is told on stderr.

    Raises:
        UnreadableError: the parser does not understand the text.
    """
    from fabric_audit.platforms.model import Missing, Output, Skipped

    facts: list[Fact] = []
    try:
        for answer in parse(Output(text)):
            if isinstance(answer, Skipped):
                click.echo(f"{name}:{answer.line}: left out: {answer.text!r}: expected {answer.expected}", err=True)
            elif isinstance(answer, Missing):
                click.echo(f"{name}: {answer.words}", err=True)
            else:
                facts.append(answer)
    except ParseError as error:
        raise UnreadableError(f"{name}: {error}") from None
    return facts


def tell(out: "Console", findings: Iterable[Finding]) -> None:
    """Findings, the worst first, each with why and what to do; a remedy that is the same again is not repeated."""
    from rich.text import Text

    told: set[str] = set()
    for finding in sorted(findings, key=lambda one: _ORDER.index(one.verdict) if one.verdict in _ORDER else 0):
        words = Text(f"{_WORDS.get(finding.verdict, str(finding.verdict)):6}", _STYLES.get(finding.verdict, ""))
        out.print(words.append(f" {finding.message}", "default"))
        if finding.verdict is Verdict.PASS:
            continue
        again = finding.remedy in told
        told.add(finding.remedy)
        remedy = () if again else (("do", finding.remedy), ("source", finding.remedy_source))
        for label, value in (("expected", finding.expected), *remedy):
            if value:
                out.print(Text(f"       {label}: ", "dim").append(value, "default"))
        if finding.evidence:
            more = ", ..." if len(finding.evidence) > _MOST_PLACES else ""
            where = ", ".join(map(str, finding.evidence[:_MOST_PLACES]))
            out.print(Text(f"       see: {where}{more}", "dim"))


def code_of(findings: Sequence[Finding]) -> ExitCode:
    """1 where something is wrong, 3 where something is open, else 0."""
    verdicts = {finding.verdict for finding in findings}
    if Verdict.FAIL in verdicts:
        return ExitCode.FINDINGS
    return ExitCode.INCOMPLETE if Verdict.UNKNOWN in verdicts else ExitCode.CLEAN
