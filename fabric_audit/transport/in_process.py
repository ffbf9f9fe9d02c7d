"""A simulated pod without sockets: the same answers, through the same seam."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias

from fabric_audit.errors import DeadlineError, TransportError
from fabric_audit.inventory.model import Target
from fabric_audit.transport import Answer, Session, Talk

Said: TypeAlias = tuple[Literal["out", "err"], bytes] | tuple[Literal["rc"], int]
"""A piece of an answer as it comes, and at last the exit status."""
Hear: TypeAlias = Callable[[], Awaitable[str | None]]
"""The next line on stdin; None at its end."""


class Pod(Protocol):
    """What stands in for all devices: a host script or a CLI command in, an answer out."""

    def refuses(self, target: str) -> TransportError | None:
        """Why a target cannot be logged in to, None where it can."""

    def answer(self, target: str, text: str, hear: Hear) -> AsyncIterator[Said]:
        """Answer one question, as it would come over SSH."""


class InProcess:
    """Asks a pod that runs in an event loop of its own thread."""

    def __init__(self, pod: Pod, now: Callable[[], float] = time.monotonic) -> None:
        """``now`` is the clock by which answers take as long as they do, in seconds."""
        self._pod = pod
        self._now = now
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="pod", daemon=True)
        self._thread.start()

    def open(self, target: Target) -> Session:
        """Log in.

        Raises:
            TransportError: the pod refuses.
        """
        refused = self._pod.refuses(target.name)
        if refused is not None:
            raise refused
        return _PodSession(self._pod, target.name, self.loop, self._now)

    def close(self) -> None:
        """Stop the pod's loop."""
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join()
            self.loop.close()


class _PodSession:
    def __init__(self, pod: Pod, target: str, loop: asyncio.AbstractEventLoop, now: Callable[[], float]) -> None:
        self._pod = pod
        self._target = target
        self._loop = loop
        self._now = now

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        """See :class:`fabric_audit.transport.Session`."""
        began = self._now()
        heard = _Heard(talk)
        work: Coroutine[Any, Any, None] = self._listen(text, heard, talk)
        try:
            asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, deadline_s), self._loop).result()
            error = None
        except TimeoutError:
            error = DeadlineError(f"no end of its answer within {deadline_s:g} s")
        return Answer(
            stdout=bytes(heard.stdout),
            stderr=bytes(heard.stderr),
            rc=heard.rc,
            error=error,
            duration_s=self._now() - began,
        )

    async def _listen(self, text: str, heard: "_Heard", talk: Talk | None) -> None:
        lines: asyncio.Queue[str | None] = asyncio.Queue()
        if talk is None:
            lines.put_nowait(None)
        else:
            talk.attach(partial(self._hand_over, lines))
        async for said in self._pod.answer(self._target, text, lines.get):
            heard.take(said)

    def _hand_over(self, lines: "asyncio.Queue[str | None]", data: bytes) -> None:
        self._loop.call_soon_threadsafe(lines.put_nowait, data.decode().rstrip("\n"))

    def close(self) -> None:
        """Nothing is held."""


class _Heard:
    def __init__(self, talk: Talk | None) -> None:
        self._talk = talk
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.rc: int | None = None

    def take(self, said: Said) -> None:
        match said:
            case ("out", bytes() as data):
                self.stdout += data
                if self._talk is not None:
                    self._talk.heard(self.stdout)
            case ("err", bytes() as data):
                self.stderr += data
            case ("rc", int() as rc):
                self.rc = rc
