"""Hosts over SSH: one kept connection, one script an exec, every wait with a deadline."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import paramiko
from paramiko.ssh_exception import ChannelException, SSHException

from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError, TransportError
from fabric_audit.inventory.model import Target
from fabric_audit.transport import Answer, Session, Talk
from fabric_audit.transport.dialler import Dialler
from fabric_audit.transport.endpoints import UserConfig, endpoint

SHELL = "exec /bin/sh -s"
"""Works under sh, bash, dash, busybox, tcsh and fish as login shell."""
MAX_CHANNELS = 4
"""Execs at once on one connection: sshd's default MaxSessions is 10 and channels close late."""
MAX_OUTPUT = 256 * 2**20
"""Bytes after which an answer is cut: no section prints as much, a runaway does."""
_READ = 1 << 18
_AGAIN_S = (0.1, 0.3, 1.0)
"""Pauses before a refused channel is asked for again: where MaxSessions is low, sshd may still hold the last one."""


class HostSsh:
    """Opens sessions to hosts."""

    def __init__(self, dialler: Dialler, config: UserConfig) -> None:
        self._dialler = dialler
        self._config = config

    def open(self, target: Target) -> Session:
        """Log in.

        Raises:
            TransportError: with the true cause.
        """
        where = endpoint(target.name, target.login, self._config)
        return HostSession(self._dialler.connect(where), channel_s=self._dialler.timeouts.channel_s)

    def close(self) -> None:
        """End the bastions."""
        self._dialler.close()


class HostSession:
    """One login on one host."""

    def __init__(self, transport: paramiko.Transport, *, channel_s: float) -> None:
        self._transport = transport
        self._channel_s = channel_s
        self._free = threading.BoundedSemaphore(MAX_CHANNELS)

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        """Run a script; see :class:`fabric_audit.transport.Session`."""
        began = time.monotonic()
        with self._free:
            heard = _Heard(talk)
            rc, error = self._run(text, began + deadline_s, deadline_s, talk, heard)
        return Answer(
            stdout=bytes(heard.stdout),
            stderr=bytes(heard.stderr),
            rc=rc,
            error=error,
            duration_s=time.monotonic() - began,
        )

    def _run(
        self, text: str, until: float, deadline_s: float, talk: Talk | None, heard: "_Heard"
    ) -> tuple[int | None, TransportError | None]:
        channel = None
        try:
            channel = self._channel()
            channel.settimeout(self._channel_s)
            channel.exec_command(SHELL)
            channel.sendall(text.encode())
            if talk is None:
                channel.shutdown_write()
            else:
                talk.attach(channel.sendall)
            if not heard.until_end(channel, until):
                return None, _unfinished(heard, deadline_s)
            return _status(channel, until)
        except (SSHException, EOFError, OSError) as error:
            return None, self._cause(error)
        finally:
            if channel is not None:
                channel.close()

    def _channel(self) -> paramiko.Channel:
        for pause in _AGAIN_S:
            try:
                return self._transport.open_session(timeout=self._channel_s)
            except ChannelException:
                time.sleep(pause)
        return self._transport.open_session(timeout=self._channel_s)

    def _cause(self, error: Exception) -> TransportError:
        words = str(error).strip() or type(error).__name__
        if isinstance(error, TimeoutError) or "timeout" in words.lower():
            return DeadlineError(f"logged in, no session within {self._channel_s:g} s", "check the host's load")
        if self._transport.is_active():
            remedy = "check MaxSessions and ForceCommand in its sshd_config, and the account's shell"
            return LoginError(f"logged in, but no session for commands: {words}", remedy)
        return DisconnectedError(f"connection lost: {words}")

    def close(self) -> None:
        """End the login."""
        self._transport.close()


def _unfinished(heard: "_Heard", deadline_s: float) -> TransportError:
    if heard.size > MAX_OUTPUT:
        return DeadlineError(f"its answer was cut at {MAX_OUTPUT // 2**20} MiB")
    return DeadlineError(f"no end of its answer within {deadline_s:g} s")


def _status(channel: paramiko.Channel, until: float) -> tuple[int | None, TransportError | None]:
    if not channel.status_event.wait(max(0.0, until - time.monotonic())):
        return None, DeadlineError("its exit status never came")
    rc = channel.recv_exit_status()
    if rc < 0:
        return None, DisconnectedError("connection lost before its exit status")
    return rc, None


@dataclass(slots=True)
class _Heard:
    """What has come so far."""

    talk: Talk | None
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)

    @property
    def size(self) -> int:
        """Bytes of both streams."""
        return len(self.stdout) + len(self.stderr)

    def until_end(self, channel: paramiko.Channel, until: float) -> bool:
        """Read both streams to their end; False when the deadline or :data:`MAX_OUTPUT` came first."""
        wake = threading.Event()
        channel.in_buffer.set_event(wake)
        channel.in_stderr_buffer.set_event(wake)
        while True:
            more = self._drain(channel.recv_ready, channel.recv, self.stdout)
            more |= self._drain(channel.recv_stderr_ready, channel.recv_stderr, self.stderr)
            if more and self.talk is not None:
                self.talk.heard(self.stdout)
            if not more and (channel.eof_received or channel.closed) and not channel.recv_ready():
                return True
            left = until - time.monotonic()
            if left <= 0 or self.size > MAX_OUTPUT:
                return False
            if not more:
                _wait(channel, wake, min(left, 1.0))

    @staticmethod
    def _drain(ready: Callable[[], bool], receive: Callable[[int], bytes], into: bytearray) -> bool:
        got = False
        while ready():
            into += receive(_READ)
            got = True
        return got


def _wait(channel: paramiko.Channel, wake: threading.Event, seconds: float) -> None:
    """Sleep until data or the end comes; paramiko sets the buffers' event for both and leaves it set."""
    if channel.recv_ready() or channel.recv_stderr_ready() or channel.eof_received or channel.closed:
        return
    wake.wait(seconds)
