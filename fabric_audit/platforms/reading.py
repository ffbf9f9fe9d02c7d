"""Reads one section's output: parser, exit status and the target's refusals become one answer."""

import re
from dataclasses import dataclass
from typing import Protocol

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.facts.tables import out_of_range
from fabric_audit.platforms.model import Each, Missing, Output, Section, Skipped, Why
from fabric_audit.platforms.registry import switch_platforms

_NO_PROGRAM = {126: "not executable", 127: "command not found"}  # POSIX sh 2.8.2
_TIMED_OUT = 124  # coreutils timeout(1)
_KILLED = 137  # 128 + SIGKILL: timeout -k had to


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one section: the state is one of those of :class:`fabric_audit.findings.CoverageRow`."""

    state: str
    facts: tuple[Fact, ...] = ()
    missing: tuple[Missing, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    reason: str = ""


def read(section: Section, output: Output) -> Reading:
    """Parse ``output`` as ``section``; a failure of any kind is a state, never an exception."""
    refused = refusal(section, output)
    if refused:
        return refused
    try:
        return _sorted_out(section, output)
    except ParseError as error:
        return Reading("parse_error", reason=str(error))


class Span(Protocol):
    """Where a section stands in the two streams of one exec; ``rc`` is None where it was cut short."""

    @property
    def item(self) -> str:
        """Device of a walk."""

    @property
    def rc(self) -> int | None:
        """Exit status."""

    @property
    def out(self) -> tuple[int, int]:
        """Byte range of stdout."""

    @property
    def err(self) -> tuple[int, int]:
        """Byte range of stderr."""


def read_span(section: Section, span: Span, stdout: bytes, stderr: bytes, *, error: str = "") -> Reading:
    """Parse one section of a host exec; ``error`` says why the exec was cut short, if it was."""
    if span.rc is None:
        return Reading("not_delivered", reason=error or "the answer was cut short")
    output = Output(
        stdout=stdout[slice(*span.out)].decode("utf-8", "replace"),
        stderr=stderr[slice(*span.err)].decode("utf-8", "replace"),
        rc=span.rc,
        item=span.item,
    )
    return read_in_any_case(section, output)


def read_in_any_case(section: Section, output: Output) -> Reading:
    """:func:`read`, but a parser's bug is text that was not understood: it neither ends a run nor lets it pass."""
    try:
        return read(section, output)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other sections' evidence must not be lost with it
        return Reading("parse_error", reason=f"a bug of the parser: {type(error).__name__}: {error}")


def refusal(section: Section, output: Output) -> Reading | None:
    """The target's own no, where the output is one."""
    if section.kind == "switches":
        return _cli_refusal(section, output.stdout)
    words = first_line(output.stderr) or first_line(output.stdout)
    if isinstance(section.ask, Each) and not output.item and words.startswith("no devices: "):
        return Reading("parsed", missing=tuple(Missing(table, Why.ABSENT, words) for table in section.tables))
    if output.rc in _NO_PROGRAM:
        return Reading("not_supported", reason=words or _NO_PROGRAM[output.rc])
    if output.rc in (_TIMED_OUT, _KILLED) and section.kind != "workloads":
        return Reading("not_delivered", reason=f"took longer than {section.timeout_s:g} s")
    if re.match(r"sudo: (a password is required|.*may not run|.*not in the sudoers)", words):
        return Reading("not_delivered", reason=words)
    return None


def first_line(text: str) -> str:
    """The first line that is not blank."""
    return text.lstrip().split("\n", 1)[0].rstrip()


def _cli_refusal(section: Section, text: str) -> Reading | None:
    for mark in switch_platforms()[section.platform].errors:
        found = re.search(mark, text, re.MULTILINE)
        if found:
            start = text.rfind("\n", 0, found.start()) + 1
            return Reading("not_supported", reason=first_line(text[start:]))
    return None


def _sorted_out(section: Section, output: Output) -> Reading:
    facts: list[Fact] = []
    missing: list[Missing] = []
    skipped: list[Skipped] = []
    for answer in section.parse(output):
        if isinstance(answer, Skipped):
            skipped.append(answer)
        elif isinstance(answer, Missing):
            missing.append(answer)
        elif wrong := out_of_range(answer):
            shown = f"{answer.TABLE}.{wrong} = {getattr(answer, wrong)}"[:200]
            skipped.append(Skipped(answer.line or 0, shown, "a number that a register can hold"))
        else:
            facts.append(answer)
    if not facts and not missing:
        first = skipped[0] if skipped else Skipped(0, first_line(output.stdout), "an output with something in it")
        raise ParseError(first.line, first.text, first.expected)
    if not facts and missing and all(m.why is Why.NOT_SUPPORTED and not m.field for m in missing):
        return Reading("not_supported", missing=tuple(missing), reason=missing[0].words)
    state = "partial" if skipped else "parsed"
    reason = f"{len(skipped)} lines not understood, first: {skipped[0].text!r}" if skipped else ""
    return Reading(state, tuple(facts), tuple(missing), tuple(skipped), reason)
