"""Opens SSH connections for hosts and switches alike: host keys, bastions, own socket, own deadlines."""

import contextlib
import logging
import random
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import paramiko
from paramiko.ssh_exception import (
    AuthenticationException,
    BadAuthenticationType,
    IncompatiblePeer,
    PasswordRequiredException,
    SSHException,
)

from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError, TransportError, UnreachableError
from fabric_audit.inventory.model import Secret
from fabric_audit.transport.endpoints import Endpoint
from fabric_audit.transport.hostkeys import KnownHosts, names_of

_KEEPALIVE_S = 15
_IDLE_POLL_S = 2.0
"""paramiko's transport thread wakes ten times a second; a thousand idle ones cost a quarter of a core. With this
socket timeout they cost a fiftieth, and the keepalive is checked as often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds to wait for each step of a login."""

    connect_s: float = 10.0
    banner_s: float = 15.0
    auth_s: float = 20.0
    channel_s: float = 15.0
    retries: int = 4
    """More attempts where the server drops us before its banner: MaxStartups of bastions and busy hosts."""


class Dialler:
    """Logs in to endpoints; bastions are logged in to once and shared."""

    def __init__(
        self,
        known_hosts: KnownHosts,
        secret: Callable[[Secret, str], str],
        timeouts: Timeouts = Timeouts(),
    ) -> None:
        logging.getLogger("paramiko").addHandler(logging.NullHandler())
        logging.getLogger("paramiko").propagate = False
        self._known_hosts = known_hosts
        self._secret = secret
        self.timeouts = timeouts
        self._lock = Lock()
        self._bastions: dict[tuple[Endpoint, ...], paramiko.Transport] = {}
        self._bastion_locks: dict[tuple[Endpoint, ...], Lock] = {}
        self._keys: dict[str, paramiko.PKey | None] = {}

    def connect(self, endpoint: Endpoint) -> paramiko.Transport:
        """An authenticated connection.

        Raises:
            TransportError: with the true cause.
        """
        return self._through(endpoint.jumps, endpoint)

    def close(self) -> None:
        """End the bastions."""
        with self._lock:
            for transport in self._bastions.values():
                transport.close()
            self._bastions.clear()

    def _through(self, jumps: tuple[Endpoint, ...], endpoint: Endpoint) -> paramiko.Transport:
        for attempt in range(self.timeouts.retries + 1):
            try:
                return self._login(self._socket(jumps, endpoint), endpoint)
            except DisconnectedError:
                if attempt == self.timeouts.retries:
                    raise
                time.sleep(random.uniform(0, 0.2 * 2**attempt))  # noqa: S311 - jitter against connect storms
        raise AssertionError  # the loop returns or raises

    def _socket(self, jumps: tuple[Endpoint, ...], endpoint: Endpoint) -> Any:
        if jumps:
            bastion = self._bastion(jumps)
            where = (endpoint.address, endpoint.port)
            try:
                return bastion.open_channel("direct-tcpip", where, ("127.0.0.1", 0), timeout=self.timeouts.channel_s)
            except (SSHException, EOFError, OSError) as error:
                words = f"{endpoint.address}:{endpoint.port} not reached through {jumps[-1].name}: {_words(error)}"
                raise UnreachableError(words, "check the bastion's reach and AllowTcpForwarding") from None
        return _tcp(endpoint, self.timeouts.connect_s)

    def _bastion(self, jumps: tuple[Endpoint, ...]) -> paramiko.Transport:
        with self._lock:
            lock = self._bastion_locks.setdefault(jumps, Lock())
        with lock:
            known = self._bastions.get(jumps)
            if known is None or not known.is_active():
                known = self._through((*jumps[:-1], *jumps[-1].jumps), jumps[-1])
                self._bastions[jumps] = known
            return known

    def _login(self, sock: Any, endpoint: Endpoint) -> paramiko.Transport:
        try:
            transport = paramiko.Transport(sock)
        except (SSHException, EOFError, OSError) as error:
            raise DisconnectedError(f"{endpoint.address}:{endpoint.port}: {_words(error)}") from None
        transport.banner_timeout = self.timeouts.banner_s
        transport.auth_timeout = self.timeouts.auth_s
        transport.channel_timeout = self.timeouts.channel_s
        try:
            self._negotiate(transport, endpoint)
            self._known_hosts.check(_names(endpoint), transport.get_remote_server_key(), endpoint.known_hosts)
            self._authenticate(transport, endpoint)
        except BaseException:
            transport.close()
            raise
        transport.set_keepalive(_KEEPALIVE_S)
        transport.sock.settimeout(_IDLE_POLL_S)
        return transport

    def _negotiate(self, transport: paramiko.Transport, endpoint: Endpoint) -> None:
        where = f"{endpoint.address}:{endpoint.port}"
        wanted = self._known_hosts.types_for(_names(endpoint), endpoint.known_hosts)
        options = transport.get_security_options()
        offered = [t for t in options.key_types if any(_same_key(t, known) for known in wanted)]
        if offered:
            options.key_types = [*offered, *(t for t in options.key_types if t not in offered)]
        try:
            transport.start_client(timeout=self.timeouts.banner_s)
        except IncompatiblePeer as error:
            remedy = "its SSH is too old for paramiko 5; install fabric-audit with paramiko 4 (see docs/legacy-ssh.md)"
            raise LoginError(f"{where}: no common algorithm: {error}", remedy) from None
        except (SSHException, EOFError, OSError) as error:
            raise _no_handshake(where, _words(error), self.timeouts.banner_s) from None

    def _authenticate(self, transport: paramiko.Transport, endpoint: Endpoint) -> None:
        tried: list[str] = []
        try:
            for name, attempt in self._ways(transport, endpoint):
                tried.append(name)
                try:
                    attempt()
                except (BadAuthenticationType, AuthenticationException) as error:
                    if "timeout" in str(error).lower():
                        words = f"{endpoint.address}: silent during login for {self.timeouts.auth_s:g} s"
                        raise DeadlineError(words) from None
                    continue
                if transport.is_authenticated():
                    return
        except (SSHException, EOFError, OSError) as error:
            if tried and not transport.is_active():
                raise self._refused(endpoint, tried, _words(error)) from None
            raise DisconnectedError(f"{endpoint.address}: during login: {_words(error)}") from None
        raise self._refused(endpoint, tried, "")

    def _refused(self, endpoint: Endpoint, tried: list[str], words: str) -> LoginError:
        what = ", ".join(tried) or "nothing: no key, agent or password for it"
        remedy = "check user, identity_file and authorized_keys, or give password: {env: NAME}"
        more = f" ({words})" if words else ""
        return LoginError(f"{endpoint.user}@{endpoint.address}: login refused; tried {what}{more}", remedy)

    def _ways(self, transport: paramiko.Transport, endpoint: Endpoint) -> Any:
        user = endpoint.user
        for path in endpoint.identity_files:
            key = self._key(path)
            if key is not None:
                yield f"key {path}", lambda key=key: transport.auth_publickey(user, key)
        if not endpoint.identities_only:
            for key in _agent_keys():
                yield f"agent key {key.fingerprint}", lambda key=key: transport.auth_publickey(user, key)
        if endpoint.password is not None:
            word = self._secret(endpoint.password, user)
            yield f"password from {endpoint.password!r}", lambda: transport.auth_password(user, word)
            yield "keyboard-interactive", lambda: transport.auth_interactive_dumb(user, lambda *_: [word])

    def _key(self, path: str) -> paramiko.PKey | None:
        with self._lock:
            if path not in self._keys:
                self._keys[path] = _load_key(path)
            return self._keys[path]


def _load_key(path: str) -> paramiko.PKey | None:
    try:
        key = paramiko.PKey.from_path(path)
    except PasswordRequiredException:
        return None
    except (OSError, ValueError, SSHException, TypeError, paramiko.pkey.UnknownKeyType):
        return None
    return key


def _agent_keys() -> tuple[Any, ...]:
    with contextlib.suppress(SSHException, OSError):
        return tuple(paramiko.Agent().get_keys())
    return ()


def _tcp(endpoint: Endpoint, timeout_s: float) -> socket.socket:
    where = f"{endpoint.address}:{endpoint.port}"
    try:
        made = socket.create_connection((endpoint.address, endpoint.port), timeout=timeout_s)
    except socket.gaierror as error:
        raise UnreachableError(f"{endpoint.address}: name not resolved: {error.strerror}", "check address") from None
    except TimeoutError:
        raise UnreachableError(f"{where}: no answer within {timeout_s:g} s", "check power, cabling, firewall") from None
    except OSError as error:
        raise UnreachableError(f"{where}: {error.strerror or error}", "check that sshd runs there") from None
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _names(endpoint: Endpoint) -> tuple[str, ...]:
    if endpoint.host_key_alias:
        return (endpoint.host_key_alias,)
    return names_of(endpoint.port, endpoint.address, endpoint.name)


def _same_key(offered: str, known: str) -> bool:
    return offered == known or (known == "ssh-rsa" and offered.startswith("rsa-sha2-"))


def _no_handshake(where: str, words: str, timeout_s: float) -> TransportError:
    lowered = words.lower()
    if "timeout" in lowered or "timed out" in lowered or ("banner" in lowered and "reset" not in lowered):
        words = f"{where}: accepted the connection and stayed silent for {timeout_s:g} s"
        return DeadlineError(words, "check its sshd")
    return DisconnectedError(f"{where}: {words}")


def _words(error: BaseException) -> str:
    return str(error).strip() or type(error).__name__
