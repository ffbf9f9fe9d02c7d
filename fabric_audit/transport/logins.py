"""Proves who we are. What the inventory names goes first: its key, its password; then default keys and the agent.

Servers count refused attempts, and some lock the account: a switch that takes a password is not first shown five keys.
"""

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import paramiko
from paramiko.ssh_exception import AuthenticationException, PasswordRequiredException, SSHException

from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError
from fabric_audit.inventory.model import Secret
from fabric_audit.transport.endpoints import Endpoint

Way: TypeAlias = tuple[str, Callable[[], object]]
"""What is tried, in words, and the attempt."""


class Connection(paramiko.Transport):
    """A connection that remembers the words with which the server ended it."""

    farewell = ""

    def _parse_disconnect(self, m: paramiko.Message) -> None:
        """Called by paramiko, which only logs what the server says."""
        m.get_int()
        self.farewell = m.get_text()


class Logins:
    """Every way to log in to an endpoint; key files are read once."""

    def __init__(self, secret: Callable[[Secret, str], str]) -> None:
        self._secret = secret
        self._lock = Lock()
        self._keys: dict[str, paramiko.PKey | str] = {}

    def authenticate(self, transport: Connection, endpoint: Endpoint) -> None:
        """Try what the endpoint offers until the server is content.

        Raises:
            LoginError: it refuses all; the message says what was tried and what could not be.
            DeadlineError: it stays silent.
            DisconnectedError: the connection ends meanwhile.
        """
        tried: list[str] = []
        with contextlib.closing(self._ways(transport, endpoint, tried)) as ways:
            for name, attempt in ways:
                tried.append(name)
                _attempted(attempt, transport, endpoint, tried)
                if transport.is_authenticated():
                    return
        raise _refused(endpoint, tried)

    def _ways(self, transport: Connection, endpoint: Endpoint, tried: list[str]) -> Generator[Way]:
        passwords = self._password_ways(transport, endpoint)
        if not endpoint.identities_only:
            yield from passwords
        yield from self._key_ways(transport, endpoint, tried)
        yield from _agent_ways(transport, endpoint)
        yield from passwords

    def _key_ways(self, transport: Connection, endpoint: Endpoint, tried: list[str]) -> Iterator[Way]:
        for path in endpoint.identity_files:
            key = self._key(path)
            if isinstance(key, str):
                tried.append(f"key {path}: {key}")
            else:
                yield f"key {path}", partial(transport.auth_publickey, endpoint.user, key)

    def _password_ways(self, transport: Connection, endpoint: Endpoint) -> Iterator[Way]:
        if endpoint.password is None:
            return
        user, word = endpoint.user, self._secret(endpoint.password, endpoint.user)
        yield f"password from {endpoint.password!r}", partial(transport.auth_password, user, word, fallback=False)
        yield "keyboard-interactive", partial(transport.auth_interactive, user, _answering(word))

    def _key(self, path: str) -> paramiko.PKey | str:
        with self._lock:
            if path not in self._keys:
                self._keys[path] = _load_key(path)
            return self._keys[path]


def _attempted(attempt: Callable[[], object], transport: Connection, endpoint: Endpoint, tried: Sequence[str]) -> None:
    """A refusal leaves the next way open; silence and the end of the connection do not."""
    try:
        attempt()
    except AuthenticationException as error:
        if "timeout" in str(error).lower():
            words = f"{endpoint.where}: silent during login for {transport.auth_timeout:g} s"
            raise DeadlineError(words, "check its sshd, and what PAM or TACACS+ waits for") from None
        if not transport.is_active():
            raise _ended(endpoint, tried, transport.farewell) from None
    except (SSHException, EOFError, OSError):
        raise _ended(endpoint, tried, transport.farewell) from None


def _load_key(path: str) -> paramiko.PKey | str:
    """The key, or why there is none."""
    try:
        return paramiko.PKey.from_path(path)
    except (PasswordRequiredException, TypeError):
        return "needs a passphrase: load it into ssh-agent"
    except OSError as error:
        return error.strerror or str(error)
    except (ValueError, SSHException, paramiko.pkey.UnknownKeyType) as error:
        return f"cannot be read: {error}"


@contextlib.contextmanager
def _agent() -> Iterator[Sequence[paramiko.AgentKey]]:
    """The keys that a running ssh-agent holds; it signs as long as the block lasts."""
    try:
        agent = paramiko.Agent()
    except (SSHException, OSError):
        yield ()
        return
    try:
        yield agent.get_keys()
    finally:
        agent.close()


def _agent_ways(transport: Connection, endpoint: Endpoint) -> Iterator[Way]:
    """Of an agent's keys, where the inventory names a key, only that one."""
    with _agent() as keys:
        for key in keys:
            if not endpoint.identities_only or key.get_base64() in map(_public, endpoint.identity_files):
                yield f"agent key {key.fingerprint}", partial(transport.auth_publickey, endpoint.user, key)


def _public(path: str) -> str:
    """The public half of a key file, by which an agent's key is known as the same."""
    try:
        return Path(f"{path}.pub").read_text("utf-8", "replace").split()[1]
    except (OSError, IndexError):
        return ""


def _answering(word: str) -> Callable[[str, str, list[tuple[str, bool]]], list[str]]:
    """Answers each question that is not echoed with the password; a notice without questions with nothing."""
    return lambda _title, _instructions, questions: ["" if echoed else word for _, echoed in questions]


def _ended(endpoint: Endpoint, tried: Sequence[str], farewell: str) -> LoginError | DisconnectedError:
    """A server that says why it ends the login has refused it; else the connection broke."""
    if farewell:
        return _refused(endpoint, tried, farewell)
    return DisconnectedError(f"{endpoint.where}: connection lost during login, after {', '.join(tried)}")


def _refused(endpoint: Endpoint, tried: Sequence[str], words: str = "") -> LoginError:
    what = ", ".join(tried) or "nothing: no key, agent or password for it"
    more = f" ({words})" if words else ""
    remedy = "check user, identity_file and authorized_keys, or give password: {env: NAME}"
    return LoginError(f"{endpoint.user}@{endpoint.address}: login refused; tried {what}{more}", remedy)
