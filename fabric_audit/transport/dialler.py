"""Opens SSH connections for hosts and switches alike: host keys, bastions, own socket, own deadlines."""

import contextlib
import logging
import random
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import TypeAlias

import paramiko
from paramiko.ssh_exception import IncompatiblePeer, SSHException

from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError, TransportError, UnreachableError
from fabric_audit.inventory.model import Secret
from fabric_audit.transport import sockets
from fabric_audit.transport.endpoints import Endpoint
from fabric_audit.transport.hostkeys import KnownHosts, names_of
from fabric_audit.transport.logins import Connection, Logins

Jumps: TypeAlias = tuple[Endpoint, ...]

_KEEPALIVE_S = 15
_IDLE_POLL_S = 2.0
"""paramiko's transport thread wakes ten times a second; a thousand idle ones cost a quarter of a core. With this
socket timeout they cost a fiftieth, and the keepalive is checked as often."""
_PROXY_ENDS_S = 2.0
"""How long a ``ProxyCommand`` may go on after its connection was closed."""


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
    """Logs in to endpoints; bastions are logged in to once and shared.

    ``environment`` is that of programs which stand in for connections; None: this process's own.
    """

    def __init__(
        self,
        known_hosts: KnownHosts,
        secret: Callable[[Secret, str], str],
        timeouts: Timeouts = Timeouts(),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        logging.getLogger("paramiko").addHandler(logging.NullHandler())
        logging.getLogger("paramiko").propagate = False
        self._known_hosts = known_hosts
        self._logins = Logins(secret)
        self.timeouts = timeouts
        self._environment = environment
        self._lock = Lock()
        self._bastions: dict[Jumps, Connection | TransportError] = {}
        self._bastion_locks: dict[Jumps, Lock] = {}
        self._proxies: list[subprocess.Popen[bytes]] = []

    def connect(self, endpoint: Endpoint) -> paramiko.Transport:
        """An authenticated connection.

        Raises:
            TransportError: with the true cause.
        """
        return self._through(endpoint.jumps, endpoint)

    def close(self) -> None:
        """End the bastions, and the programs that stood in for connections."""
        with self._lock:
            for bastion in self._bastions.values():
                if isinstance(bastion, Connection):
                    bastion.close()
            for proxy in self._proxies:
                _end(proxy)
            self._bastions.clear()
            self._proxies.clear()

    def _through(self, jumps: Jumps, endpoint: Endpoint) -> Connection:
        for attempt in range(self.timeouts.retries + 1):
            try:
                return self._login(self._socket(jumps, endpoint), endpoint)
            except DisconnectedError:
                if attempt == self.timeouts.retries:
                    raise
                time.sleep(random.uniform(0, 0.2 * 2**attempt))  # noqa: S311 - jitter against connect storms
        raise AssertionError  # the loop returns or raises

    def _socket(self, jumps: Jumps, endpoint: Endpoint) -> "socket.socket | paramiko.Channel":
        if jumps:
            return self._channel(jumps, endpoint)
        if endpoint.command:
            made, process = sockets.by_command(endpoint, self._environment)
            with self._lock:
                self._proxies.append(process)
            return made
        return sockets.tcp(endpoint, self.timeouts.connect_s)

    def _channel(self, jumps: Jumps, endpoint: Endpoint) -> paramiko.Channel:
        bastion = self._bastion(jumps)
        where = (endpoint.address, endpoint.port)
        try:
            return bastion.open_channel("direct-tcpip", where, ("127.0.0.1", 0), timeout=self.timeouts.channel_s)
        except (SSHException, EOFError, OSError) as error:
            words = f"{endpoint.where} not reached through {jumps[-1].name}: {_words(error)}"
            if not bastion.is_active():
                raise DisconnectedError(words) from None
            raise UnreachableError(words, "check the bastion's reach and AllowTcpForwarding") from None

    def _bastion(self, jumps: Jumps) -> Connection:
        """The shared connection to the last of these; one that failed is not tried again in this run."""
        with self._lock:
            lock = self._bastion_locks.setdefault(jumps, Lock())
        with lock:
            known = self._bastions.get(jumps)
            if isinstance(known, TransportError):
                raise known
            if known is None or not known.is_active():
                known = self._dialled_bastion(jumps)
            return known

    def _dialled_bastion(self, jumps: Jumps) -> Connection:
        try:
            made = self._through((*jumps[:-1], *jumps[-1].jumps), jumps[-1])
        except TransportError as error:
            named = type(error)(f"bastion {jumps[-1].name}: {error}", error.remedy)
            self._bastions[jumps] = named
            raise named from None
        self._bastions[jumps] = made
        return made

    def _login(self, sock: "socket.socket | paramiko.Channel", endpoint: Endpoint) -> Connection:
        try:
            connection = Connection(sock)
        except (SSHException, EOFError, OSError) as error:
            raise DisconnectedError(f"{endpoint.where}: {_words(error)}") from None
        connection.banner_timeout = self.timeouts.banner_s
        connection.auth_timeout = self.timeouts.auth_s
        connection.channel_timeout = self.timeouts.channel_s
        try:
            self._negotiate(connection, endpoint)
            self._known_hosts.check(_names(endpoint), connection.get_remote_server_key(), endpoint.known_hosts)
            self._logins.authenticate(connection, endpoint)
        except BaseException:
            connection.close()
            raise
        connection.set_keepalive(_KEEPALIVE_S)
        connection.sock.settimeout(_IDLE_POLL_S)
        return connection

    def _negotiate(self, connection: Connection, endpoint: Endpoint) -> None:
        wanted = self._known_hosts.types_for(_names(endpoint), endpoint.known_hosts)
        options = connection.get_security_options()
        offered = [t for t in options.key_types if any(_same_key(t, known) for known in wanted)]
        if offered:
            options.key_types = [*offered, *(t for t in options.key_types if t not in offered)]
        try:
            connection.start_client(timeout=self.timeouts.banner_s)
            if not connection.initial_kex_done:
                raise TimeoutError  # paramiko returns without a word when the time is up
        except IncompatiblePeer as error:
            remedy = "its SSH is too old for paramiko 5; install fabric-audit with paramiko 4 (see docs/legacy-ssh.md)"
            raise LoginError(f"{endpoint.where}: no common algorithm: {error}", remedy) from None
        except (SSHException, EOFError, OSError) as error:
            raise self._no_handshake(endpoint, error) from None

    def _no_handshake(self, endpoint: Endpoint, error: BaseException) -> TransportError:
        """Silence or a closed connection: paramiko has the same words for both and keeps the cause beside them."""
        cause = error.__context__ or error
        if isinstance(cause, TimeoutError):
            words = f"{endpoint.where}: accepted the connection and stayed silent for {self.timeouts.banner_s:g} s"
            return DeadlineError(words, "check its sshd")
        if isinstance(cause, EOFError | ConnectionError):
            return DisconnectedError(f"{endpoint.where}: closed the connection before login", "check MaxStartups")
        return DisconnectedError(f"{endpoint.where}: {_words(error)}")


def _end(proxy: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        proxy.wait(_PROXY_ENDS_S)
    if proxy.poll() is None:
        proxy.kill()
        proxy.wait()


def _names(endpoint: Endpoint) -> tuple[str, ...]:
    if endpoint.host_key_alias:
        return (endpoint.host_key_alias,)
    return names_of(endpoint.port, endpoint.address, endpoint.name)


def _same_key(offered: str, known: str) -> bool:
    return offered == known or (known == "ssh-rsa" and offered.startswith("rsa-sha2-"))


def _words(error: BaseException) -> str:
    return str(error).strip() or type(error).__name__
