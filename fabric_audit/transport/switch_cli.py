"""Switches over SSH: netmiko's drivers on our dialler, one session a switch, read-only commands only."""

import contextlib
import io
import re
import time
from collections.abc import Mapping
from typing import Any

import netmiko
import paramiko
from netmiko.exceptions import NetmikoBaseException, ReadException, ReadTimeout
from netmiko.ssh_dispatcher import CLASS_MAPPER
from paramiko.ssh_exception import SSHException

from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError, TransportError
from fabric_audit.inventory.model import Switch, Target
from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.transport import Answer, Session, Talk
from fabric_audit.transport.dialler import Dialler
from fabric_audit.transport.endpoints import Endpoint, UserConfig, endpoint
from fabric_audit.transport.guard import refuse_unless_allowed

_SESSION_OPENS_S = 45
"""Longest wait for a prompt after login: some boxes take half a minute to authorise by TACACS+."""

_PAGER = r"(?<!-)<?-{1,8} ?(?:[Mm]ore|MORE) ?-{1,8}>?"
"""What waits for a key at the end of a page."""
_TURN = b" "
"""The key that turns a page, no command: where nothing waits for it, it stays at the prompt and does nothing."""
_ERASED = re.compile(r"\A(?:(?: *\x08)+|\r?(?:\x1b\[[0-9;]*[A-Za-z])+|[\r\n] +[\r\n])")
"""How terminals take the pager's words away again."""


class SwitchCli:
    """Opens sessions to switches."""

    def __init__(self, dialler: Dialler, config: UserConfig, platforms: Mapping[str, SwitchPlatform]) -> None:
        self._dialler = dialler
        self._config = config
        self._platforms = platforms

    def open(self, target: Target) -> Session:
        """Log in and bring the session to a prompt without paging.

        Raises:
            TransportError: with the true cause.
        """
        if not isinstance(target, Switch):
            raise TypeError(f"{target.name} is no switch")
        where = endpoint(target.name, target.login, self._config)
        return SwitchSession(self._dialler, where, self._platforms[target.platform])

    def close(self) -> None:
        """End the bastions."""
        self._dialler.close()


class _DialledClient(paramiko.SSHClient):
    """What netmiko drives instead of a client of its own: connected by the dialler, host key checked."""

    def __init__(self, dialler: Dialler, where: Endpoint) -> None:
        super().__init__()
        self._dialler = dialler
        self._where = where

    def connect(self, *_: Any, **__: Any) -> None:
        """Log in; netmiko's own parameters say nothing that the endpoint does not."""
        self._transport = self._dialler.connect(self._where)


class _Attentive:
    """Put before a netmiko driver: a closed connection and a refused set-up command are no silence to be waited out."""

    refusals: tuple[str, ...] = ()

    def set_terminal_width(self, *words: Any, **more: Any) -> str:
        """Ask for long lines; where AAA refuses that, what the box wraps is for the parser to notice."""
        driver: Any = super()
        return str(driver.set_terminal_width(*words, **self._or_refused(more)))

    def disable_paging(self, *words: Any, **more: Any) -> str:
        """Ask for no pages; where AAA refuses that, a long answer ends at its deadline."""
        driver: Any = super()
        return str(driver.disable_paging(*words, **self._or_refused(more)))

    def _or_refused(self, more: dict[str, Any]) -> dict[str, Any]:
        """The box's words of refusal end the wait as well as the words of success do."""
        if not (self.refusals and more.get("pattern")):
            return more
        uncaptured = re.sub(r"(?<!\\)\((?!\?)", "(?:", "|".join(self.refusals))  # netmiko splits by the pattern
        return more | {"pattern": rf"(?:{more['pattern']})|(?m:{uncaptured})"}

    def read_channel(self) -> str:
        """What came since the last call.

        Raises:
            ReadException: nothing more can come.
        """
        said: str = super().read_channel()  # type: ignore[misc]  # the driver's
        channel: paramiko.Channel = self.remote_conn  # type: ignore[attr-defined]  # the driver's
        ended = channel.closed or channel.eof_received
        if ended and not said and not channel.recv_ready():
            raise ReadException("closed by the switch")
        return said


class SwitchSession:
    """One login on one switch. After a command without an end the login is renewed before the next one."""

    def __init__(self, dialler: Dialler, where: Endpoint, platform: SwitchPlatform) -> None:
        self._dialler = dialler
        self._where = where
        self._platform = platform
        self._log = io.BytesIO()
        self._connection: netmiko.BaseConnection | None = self._opened()

    def _opened(self) -> netmiko.BaseConnection:
        driver: Any = CLASS_MAPPER[self._platform.driver]
        client = _DialledClient(self._dialler, self._where)
        ours = {"_build_ssh_client": lambda _self: client, "refusals": self._platform.errors}
        dialled = type(driver.__name__, (_Attentive, driver), ours)
        try:
            made: netmiko.BaseConnection = dialled(
                device_type=self._platform.driver,
                host=self._where.address,
                username=self._where.user,
                password="",
                conn_timeout=_SESSION_OPENS_S,
                banner_timeout=_SESSION_OPENS_S,
                session_log=self._log,
                auto_connect=True,
            )
        except TransportError:
            client.close()
            raise
        except (NetmikoBaseException, SSHException, EOFError, OSError, ValueError) as error:
            client.close()
            raise _cause(error, self._where) from None
        return made

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        """Send one command; see :class:`fabric_audit.transport.Session`.

        Raises:
            RefusedCommandError: the platform does not name the command as read-only.
        """
        del talk
        refuse_unless_allowed(self._platform, text)
        began = time.monotonic()
        said, error = self._sent(text, deadline_s)
        return Answer(stdout=said.encode(), error=error, duration_s=time.monotonic() - began)

    def _sent(self, text: str, deadline_s: float) -> tuple[str, TransportError | None]:
        began = time.monotonic()
        try:
            if self._connection is None:
                self._connection = self._opened()
            self._forget()
            prompt = _prompt(self._connection.base_prompt)
            said = self._paged(self._connection, text, prompt, deadline_s)
            return _whole(self._connection.strip_prompt(_apart(said, prompt))), None
        except TransportError as error:
            return "", error
        except (NetmikoBaseException, SSHException, EOFError, OSError, ValueError) as error:
            self.close()
            partial = self._log.getvalue().decode("utf-8", "replace")
            return partial, _interrupted(error, time.monotonic() - began)
        finally:
            self._forget()

    def _paged(self, connection: netmiko.BaseConnection, text: str, prompt: str, deadline_s: float) -> str:
        """The answer to the prompt, with its pages turned where the box did not let paging be switched off."""
        began, either = time.monotonic(), rf"(?:{prompt})|(?:{_PAGER}\s*$)"
        said = str(
            connection.send_command(
                text, expect_string=either, read_timeout=deadline_s, strip_prompt=False, strip_command=True
            )
        )
        channel: Any = connection.remote_conn
        pages = []
        while re.search(rf"{_PAGER}\s*$", said):
            pages.append(re.sub(rf"[ \t]*{_PAGER}\s*$", "", said))
            channel.sendall(_TURN)
            left_s = max(0.1, deadline_s - (time.monotonic() - began))
            said = _ERASED.sub("", connection.read_until_pattern(pattern=either, read_timeout=left_s), count=1)
        return "".join([*pages, said])

    def _forget(self) -> None:
        """Empty the log of the session: it serves to keep what came before an error."""
        self._log.seek(0)
        self._log.truncate()

    def close(self) -> None:
        """End the login without waiting for a polite answer."""
        connection, self._connection = self._connection, None
        if connection is not None and connection.remote_conn_pre is not None:
            with contextlib.suppress(SSHException, EOFError, OSError):
                connection.remote_conn_pre.close()


def _prompt(base: str) -> str:
    """What ends an answer: the prompt as the last thing said, so that one quoted in the answer does not."""
    return rf"{re.escape(base)}[^\r\n]*[#>$%\]]\s*$"


def _apart(said: str, prompt: str) -> str:
    """The prompt on a line of its own, also after an answer whose last line has no end."""
    found = re.search(prompt, said)
    if found is None or not said[: found.start()].rstrip("<[("):
        return said
    start = len(said[: found.start()].rstrip("<[("))
    return said if said[start - 1] == "\n" else f"{said[:start]}\n{said[start:]}"


def _whole(said: str) -> str:
    """The answer with the end of its last line, which netmiko takes away with the prompt that followed."""
    return said if not said or said.endswith("\n") else f"{said}\n"


def _cause(error: BaseException, where: Endpoint) -> TransportError:
    """Netmiko wraps every failure as its timeout and keeps the true one in ``__context__``."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, TransportError):
            return seen
        seen = seen.__cause__ or seen.__context__
    words = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    if isinstance(error, EOFError | OSError | ReadException) and not isinstance(error, TimeoutError | ReadTimeout):
        words = f"{where.where}: the switch ended the session before it showed a prompt ({words})"
        return DisconnectedError(words, "check the user's login class")
    if isinstance(error, netmiko.NetmikoAuthenticationException):
        return LoginError(f"{where.address}: login refused: {words}", "check user and password reference")
    return DeadlineError(f"{where.address}: logged in, no usable prompt: {words}", "check platform and privilege level")


def _interrupted(error: BaseException, waited_s: float) -> TransportError:
    if isinstance(error, ReadTimeout):
        return DeadlineError(f"no prompt after the command within {waited_s:.0f} s")
    words = str(error).strip().partition("\n")[0] or type(error).__name__
    return DisconnectedError(f"connection lost: {words}")
