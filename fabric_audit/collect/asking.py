"""Asks targets, and puts what they say into the capture."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from fabric_audit.capture.frames import split
from fabric_audit.capture.model import Entry
from fabric_audit.capture.scrub import mask
from fabric_audit.capture.writer import CaptureWriter
from fabric_audit.collect.sessions import Sessions
from fabric_audit.errors import LoginError, TransportError
from fabric_audit.inventory.model import Host, Target
from fabric_audit.plan.model import Question
from fabric_audit.plan.script import Script, verbs
from fabric_audit.platforms.model import Cli
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.platforms.secrets import ANYWHERE
from fabric_audit.transport import Answer, Talk

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


def new_mark() -> str:
    """A word that no output contains by accident or on purpose."""
    return f"@@{secrets.token_hex(12)}"


def without_secrets(answer: Answer, patterns: Sequence[str]) -> tuple[Answer, int]:
    """What a target answered, as it may be kept, and how many secrets were in it.

    The words of an error are masked, too: a driver quotes what it could not understand. Those of a refused login are
    this program's own, and say which password was tried, not what it is.
    """
    stdout, in_stdout = mask(answer.stdout, patterns)
    stderr, in_stderr = mask(answer.stderr, patterns)
    error = copy(answer.error)
    if error is not None and not isinstance(error, LoginError):
        words, _ = mask(str(error).encode("utf-8", "replace"), patterns)
        error.args = (words.decode(),)
    return replace(answer, stdout=stdout, stderr=stderr, error=error), in_stdout + in_stderr


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Asks questions in a run's name."""

    run: str
    sessions: Sessions
    writer: CaptureWriter
    clock: Clock = utc_now

    def ask(self, target: Target, question: Question, phase: str) -> tuple[Entry, Answer]:
        """One question to one target; what comes, or why nothing does, goes into the capture."""
        if isinstance(target, Host):
            script = Script(
                command=question.command,
                body=verbs(question.sections),
                run=self.run,
                become=target.login.become or "",
            )
            return self.run_script(target, script, phase, question.deadline_s)
        return self._ask_switch(target, question, phase)

    def run_script(
        self, host: Host, script: Script, phase: str, deadline_s: float, talk: Talk | None = None
    ) -> tuple[Entry, Answer]:
        """One exec on a host."""
        mark = talk.mark if talk else new_mark()
        started, told = self._answered(host, script.text(mark), deadline_s, talk)
        answer, masked = without_secrets(told, ANYWHERE)
        frames = split(answer.stdout, answer.stderr, mark)
        entry = self._entry(host, phase, script.command, "\n".join(script.body), started, answer)
        stored = self.writer.add(replace(entry, frames=frames, masked=masked), answer.stdout, answer.stderr)
        return stored, answer

    def _ask_switch(self, target: Target, question: Question, phase: str) -> tuple[Entry, Answer]:
        (section,) = question.sections
        if not isinstance(section.ask, Cli):
            raise TypeError(f"{section.id} is no CLI command")
        started, told = self._answered(target, section.ask.text, question.deadline_s, None)
        answer, masked = without_secrets(told, (*ANYWHERE, *switch_platforms()[target.platform].secrets))
        entry = self._entry(target, phase, question.command, section.ask.text, started, answer)
        stored = self.writer.add(replace(entry, section=section.id, masked=masked), answer.stdout, answer.stderr)
        return stored, answer

    def _answered(self, target: Target, text: str, deadline_s: float, talk: Talk | None) -> tuple[datetime, Answer]:
        started, began = self.clock(), time.monotonic()
        try:
            session = self.sessions.of(target)
        except TransportError as error:
            return started, Answer(error=error, duration_s=time.monotonic() - began)
        answer = session.ask(text, deadline_s=deadline_s, talk=talk)
        if answer.error is not None:
            self.sessions.after(target, session, answer)
        return started, answer

    def _entry(self, target: Target, phase: str, command: str, text: str, started: datetime, answer: Answer) -> Entry:
        error = answer.error
        words = f"{error}; {error.remedy}" if error and error.remedy else str(error or "")
        return Entry(
            target=target.name,
            phase=phase,
            command=command,
            text=text,
            started=started.isoformat(),
            duration_s=round(answer.duration_s, 3),
            rc=answer.rc,
            error=words,
            cause=error.cause if error else "",
            path=self.writer.path_for(phase, target.name, command),
        )


Answered: TypeAlias = tuple[Entry, Answer]
"""What stands in the journal, and the bytes."""


def ask_all(asker: Asker, target: Target, questions: Iterable[Question], phase: str) -> tuple[Answered, ...]:
    """All questions to one target, in order; after a failed login the rest is not tried."""
    answered = []
    for question in questions:
        answered.append(asker.ask(target, question, phase))
        if asker.sessions.failure(target.name) is not None:
            break
    return tuple(answered)
