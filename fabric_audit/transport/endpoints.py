"""Where a target is and how to log in there: the inventory's words first, then ``ssh_config``, then defaults."""

import getpass
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from paramiko import SSHConfig
from paramiko.ssh_exception import ConfigParseError

from fabric_audit.errors import UnreachableError, UsageError
from fabric_audit.inventory.model import Login, Secret

_IDENTITIES = ("~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ed25519")
_USER_KNOWN_HOSTS = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
_GLOBAL_KNOWN_HOSTS = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")
"""Defaults of ssh_config(5)."""
_SYSTEM_CONFIG = Path("/etc/ssh/ssh_config")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One end of an SSH connection, with everything settled. ``password`` is a reference, never the word."""

    name: str
    """Name under which known_hosts may know it, besides its address: the inventory's or the alias."""
    address: str
    port: int = 22
    user: str = ""
    identity_files: tuple[str, ...] = ()
    password: Secret | None = None
    jumps: tuple["Endpoint", ...] = ()
    """Bastions on the way, the one nearest to us first."""
    command: str = ""
    """``ProxyCommand``: a program that leads there instead of a TCP connection of ours."""
    known_hosts: tuple[str, ...] = ()
    """Files of host keys; new ones are recorded in the first."""
    identities_only: bool = False
    host_key_alias: str = ""

    @property
    def where(self) -> str:
        """Address and port."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def endpoint(name: str, login: Login, config: "UserConfig", passed: tuple[str, ...] = ()) -> Endpoint:
    """Settle a login; ``passed`` are the jump hosts that led to this one.

    Raises:
        UnreachableError: jump hosts lead in a circle, or one is no ``[user@]host[:port]``.
    """
    here = login.address if login.port is None else f"{login.address}:{login.port}"
    if here in passed:
        circle = " by ".join((here, *reversed(passed)))
        remedy = "exclude the jump host from its own ProxyJump in ssh_config"
        raise UnreachableError(f"jump hosts lead in a circle: {circle}", remedy)
    words = config.lookup(login.address)
    jumps = login.jump or _jump_words(words.get("proxyjump", ""))
    return Endpoint(
        name=name,
        address=words.get("hostname", login.address),
        port=login.port or int(words.get("port", "22")),
        user=login.user or words.get("user", "") or getpass.getuser(),
        identity_files=_identities(login, words),
        password=login.password,
        jumps=tuple(_jump(jump, config, (*passed, here)) for jump in jumps),
        command="" if jumps else _command(words),
        known_hosts=_known_hosts(login, words),
        identities_only=words.get("identitiesonly", "no").lower() == "yes" or bool(login.identity_file),
        host_key_alias=words.get("hostkeyalias", ""),
    )


def _jump(text: str, config: "UserConfig", passed: tuple[str, ...]) -> Endpoint:
    user, _, rest = text.removeprefix("ssh://").rpartition("@")
    host, port = rest, ""
    if rest.startswith("["):
        host, _, tail = rest[1:].partition("]")
        port = tail.removeprefix(":")
    elif rest.count(":") == 1:
        host, _, port = rest.partition(":")
    if not host or (port and not port.isdigit()):
        raise UnreachableError(f"jump host {text!r} is not [user@]host[:port]", "correct jump, or ProxyJump")
    login = Login(address=host, user=user or None, port=int(port) if port else None)
    return endpoint(host, login, config, passed)


def _jump_words(text: str) -> tuple[str, ...]:
    return () if text.lower() in ("", "none") else tuple(word.strip() for word in text.split(","))


def _command(words: Mapping[str, str]) -> str:
    said = words.get("proxycommand", "")
    return "" if said.lower() == "none" else said


def _identities(login: Login, words: Mapping[str, str]) -> tuple[str, ...]:
    """The inventory's key whether it exists or not; of all others those that exist."""
    if login.identity_file:
        return _expanded(login.identity_file)
    named = [word for word in words.get("identityfile", "").split("\n") if word]
    return tuple(path for path in _expanded(*(named or _IDENTITIES)) if Path(path).exists())


def _known_hosts(login: Login, words: Mapping[str, str]) -> tuple[str, ...]:
    if login.known_hosts:
        return _expanded(login.known_hosts)
    user = words.get("userknownhostsfile", "").split() or _USER_KNOWN_HOSTS
    everybody = words.get("globalknownhostsfile", "").split() or _GLOBAL_KNOWN_HOSTS
    return _expanded(*(path for path in (*user, *everybody) if path.lower() != "none"))


def _expanded(*paths: str) -> tuple[str, ...]:
    return tuple(os.path.expanduser(path) for path in paths)  # noqa: PTH111 - keeps ~user too


class UserConfig:
    """The user's ssh_config and the machine's; OpenSSH resolves them where it is installed: it knows Include and Match.

    Args:
        path: another file than ``~/.ssh/config``; the machine's is left out then.
        environment: of OpenSSH; None: this process's own.
    """

    def __init__(self, path: Path | None = None, environment: Mapping[str, str] | None = None) -> None:
        self._environment = environment
        self._chosen = path is not None
        self._path = path or Path("~/.ssh/config").expanduser()
        self._openssh = shutil.which("ssh")
        self._lookup = cache(self._resolve)

    def lookup(self, alias: str) -> Mapping[str, str]:
        """Options for one name, keys in lower case, several values joined by newlines.

        Raises:
            UsageError: the file cannot be understood.
        """
        if not self._path.exists() and (self._chosen or not _SYSTEM_CONFIG.exists()):
            return {}
        return self._lookup(alias)

    def _resolve(self, alias: str) -> Mapping[str, str]:
        if self._openssh is None or alias.startswith("-"):
            return self._from_paramiko(alias)
        argv = [self._openssh, *(("-F", str(self._path)) if self._chosen else ()), "-G", alias]
        done = subprocess.run(
            argv,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
            stdin=subprocess.DEVNULL,
            env=self._environment,
        )
        if done.returncode != 0:
            raise UsageError(f"ssh_config: {done.stderr.strip() or 'ssh -G fails'}; ssh itself must accept it")
        return _from_openssh(done.stdout, default=alias)

    def _from_paramiko(self, alias: str) -> Mapping[str, str]:
        try:
            found = SSHConfig.from_path(str(self._path)).lookup(alias) if self._path.exists() else {}
        except (ConfigParseError, OSError) as error:
            raise UsageError(f"{self._path}: {error}; ssh itself must accept it") from None
        plain: dict[str, Any] = dict(found)
        return {key: "\n".join(value) if isinstance(value, list) else str(value) for key, value in plain.items()}


def _from_openssh(text: str, *, default: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        found[key] = f"{found[key]}\n{value}" if key in found else value
    if found.get("hostname") == default:
        del found["hostname"]
    if found.get("user") == getpass.getuser():
        del found["user"]
    return found
