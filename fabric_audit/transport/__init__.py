"""The only code that reaches a device. Below this seam an error becomes data.

``Transport.open`` may raise :class:`~fabric_audit.errors.TransportError`; ``Session.ask`` never does: what was said
until the error is kept in the :class:`Answer` beside it.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from fabric_audit.errors import TransportError
from fabric_audit.inventory.model import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a target said to one question."""

    stdout: bytes = b""
    stderr: bytes = b""
    rc: int | None = None
    error: TransportError | None = None
    duration_s: float = 0.0


class Talk:
    """A conversation with a host script while it runs.

    ``hears`` gets every line of stdout that begins with the mark, without it (``R``, ``W``, ``P slot pid start``);
    :meth:`say` sends a line to the script's stdin. Holding the session open keeps the script's lifeline.
    """

    def __init__(self, mark: str, hears: Callable[[str], None]) -> None:
        self.mark = mark
        self.hears = hears
        self._lock = Lock()
        self._send: Callable[[bytes], None] | None = None
        self._waiting: list[bytes] = []
        self._told = 0

    def attach(self, send: Callable[[bytes], None]) -> None:
        """Called by the session once stdin is open."""
        with self._lock:
            self._send = send
            waiting, self._waiting = self._waiting, []
            for data in waiting:
                send(data)

    def heard(self, stdout: bytearray) -> None:
        """Called by the session as stdout grows: whole lines that begin with the mark are told once."""
        end = stdout.rfind(b"\n") + 1
        prefix = self.mark.encode() + b" "
        for line in bytes(stdout[self._told : end]).split(b"\n"):
            if line.startswith(prefix):
                self.hears(line[len(prefix) :].decode("utf-8", "replace"))
        self._told = max(self._told, end)

    def say(self, line: str) -> None:
        """Send one line; kept until the session is attached, lost where it has ended: its own answer tells that."""
        data = f"{line}\n".encode()
        with self._lock, suppress(OSError):
            if self._send:
                self._send(data)
            else:
                self._waiting.append(data)


class Session(Protocol):
    """One open login."""

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        """Host: run ``text`` as a script. Switch: send ``text`` as one command. Never raises TransportError."""

    def close(self) -> None:
        """End the login; may be called twice."""


class Transport(Protocol):
    """Opens sessions to targets of one kind."""

    def open(self, target: Target) -> Session:
        """Log in.

        Raises:
            TransportError: with the true cause.
        """

    def close(self) -> None:
        """End everything this transport holds: bastions, threads."""
