"""Transports that fail as a test wants it, put between a collector and a simulated pod."""

from collections.abc import Callable
from dataclasses import dataclass, field

from fabric_audit.errors import TransportError
from fabric_audit.inventory.model import Target
from fabric_audit.transport import Answer, Session, Talk, Transport


@dataclass
class Troubled:
    """Opens sessions of ``within``; every login and every question goes past ``login`` and ``asked`` first.

    ``login(target)`` may raise. ``asked(target, text)`` may return an answer, which takes the place of the real one.
    """

    within: Transport
    login: Callable[[str], None] = lambda _target: None
    asked: Callable[[str, str], Answer | None] = lambda _target, _text: None
    logins: list[str] = field(default_factory=list)
    """Targets in the order of their logins."""

    def open(self, target: Target) -> Session:
        self.logins.append(target.name)
        self.login(target.name)
        return _TroubledSession(self, target.name, self.within.open(target))

    def close(self) -> None:
        self.within.close()


@dataclass
class _TroubledSession:
    transport: Troubled
    target: str
    within: Session

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        instead = self.transport.asked(self.target, text)
        return instead or self.within.ask(text, deadline_s=deadline_s, talk=talk)

    def close(self) -> None:
        self.within.close()


@dataclass
class Once:
    """Fails the first question of one target that contains a word, and then, if ``dead``, every login."""

    target: str
    word: str
    error: TransportError
    dead: TransportError | None = None
    happened: bool = False

    def login(self, target: str) -> None:
        if self.happened and self.dead is not None and target == self.target:
            raise self.dead

    def asked(self, target: str, text: str) -> Answer | None:
        if self.happened or target != self.target or self.word not in text:
            return None
        self.happened = True
        return Answer(error=self.error)
