"""Where a target is and how to log in there: the inventory's words first, then ``~/.ssh/config``, then defaults."""

import getpass
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from paramiko import SSHConfig
from paramiko.ssh_exception import ConfigParseError

from fabric_audit.inventory.model import Login, Secret


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
    known_hosts: tuple[str, ...] = ()
    identities_only: bool = False
    host_key_alias: str = ""


def endpoint(name: str, login: Login, config: "UserConfig") -> Endpoint:
    """Settle a login."""
    words = config.lookup(login.address)
    jumps = login.jump or _jump_words(words.get("proxyjump", ""))
    identities = (login.identity_file,) if login.identity_file else _several(words, "identityfile")
    return Endpoint(
        name=name,
        address=words.get("hostname", login.address),
        port=login.port or int(words.get("port", "22")),
        user=login.user or words.get("user", "") or getpass.getuser(),
        identity_files=tuple(os.path.expanduser(path) for path in identities),  # noqa: PTH111 - keeps ~user too
        password=login.password,
        jumps=tuple(_jump(jump, config) for jump in jumps),
        known_hosts=(str(Path(login.known_hosts).expanduser()),) if login.known_hosts else _known_hosts(words),
        identities_only=words.get("identitiesonly", "no").lower() == "yes" or bool(login.identity_file),
        host_key_alias=words.get("hostkeyalias", ""),
    )


def _jump(text: str, config: "UserConfig") -> Endpoint:
    user, _, rest = text.rpartition("@")
    host, port = rest, None
    if rest.startswith("["):
        host, _, tail = rest[1:].partition("]")
        port = int(tail[1:]) if tail.startswith(":") else None
    elif rest.count(":") == 1:
        host, _, digits = rest.partition(":")
        port = int(digits)
    settled = endpoint(host, Login(address=host, user=user or None, port=port), config)
    return replace(settled, jumps=settled.jumps)


def _jump_words(text: str) -> tuple[str, ...]:
    return () if text.lower() in ("", "none") else tuple(word.strip() for word in text.split(","))


def _several(words: Mapping[str, str], key: str) -> tuple[str, ...]:
    return tuple(word for word in words.get(key, "").split("\n") if word and word.lower() != "none")


def _known_hosts(words: Mapping[str, str]) -> tuple[str, ...]:
    named = [path for line in _several(words, "userknownhostsfile") for path in line.split()]
    files = named or ["~/.ssh/known_hosts", "~/.ssh/known_hosts2"]
    return tuple(os.path.expanduser(path) for path in files)  # noqa: PTH111 - keeps ~user too


class UserConfig:
    """The user's ssh_config; OpenSSH resolves it where it is installed: ``ssh -G`` knows Include and Match."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or Path("~/.ssh/config").expanduser()
        self._openssh = shutil.which("ssh")
        self._lookup = cache(self._resolve)

    def lookup(self, alias: str) -> Mapping[str, str]:
        """Options for one name, keys in lower case, several values joined by newlines."""
        return self._lookup(alias) if self._path.exists() else {}

    def _resolve(self, alias: str) -> Mapping[str, str]:
        if self._openssh and not alias.startswith("-"):
            argv = [self._openssh, "-F", str(self._path), "-G", alias]
            done = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False)
            if done.returncode == 0:
                return _from_openssh(done.stdout, default=alias)
        return self._from_paramiko(alias)

    def _from_paramiko(self, alias: str) -> Mapping[str, str]:
        try:
            found = SSHConfig.from_path(str(self._path)).lookup(alias)
        except (ConfigParseError, OSError):
            return {}
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
