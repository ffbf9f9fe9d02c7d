"""Host keys: known_hosts files are read once, every connection is checked, a changed key is always refused."""

import base64
import binascii
import hmac
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Lock

from paramiko import PKey

from fabric_audit.errors import HostKeyError

_SSH_PORT = 22


@dataclass(frozen=True, slots=True)
class _Known:
    """One line of a known_hosts file; ``marker`` is ``@revoked`` or empty."""

    key_type: str
    key: str
    marker: str


@dataclass(slots=True)
class _File:
    """One known_hosts file, indexed: plain names by dict, hashed names and patterns in lists."""

    plain: dict[str, list[_Known]] = field(default_factory=dict)
    hashed: list[tuple[bytes, bytes, _Known]] = field(default_factory=list)
    patterns: list[tuple[tuple[str, ...], _Known]] = field(default_factory=list)

    def add(self, line: str) -> None:
        """Take one line; lines of other forms (comments, certificate authorities, torn ones) say nothing."""
        words = line.split()
        marker = words.pop(0) if words and words[0].startswith("@") else ""
        if len(words) < 3 or words[0].startswith("#") or marker == "@cert-authority":  # noqa: PLR2004 - names type key
            return
        known = _Known(words[1], words[2], marker)
        if words[0].startswith("|1|"):
            self._add_hashed(words[0], known)
            return
        names = tuple(words[0].lower().split(","))
        if any(c in words[0] for c in "*?!"):
            self.patterns.append((names, known))
            return
        for name in names:
            self.plain.setdefault(name, []).append(known)

    def _add_hashed(self, name: str, known: _Known) -> None:
        try:
            salt, digest = (base64.b64decode(part, validate=True) for part in name.split("|")[2:4])
        except (ValueError, binascii.Error):
            return
        self.hashed.append((salt, digest, known))

    def of(self, name: str) -> Iterator[_Known]:
        """All keys on record for one name."""
        name = name.lower()
        yield from self.plain.get(name, ())
        for salt, digest, known in self.hashed:
            if hmac.digest(salt, name.encode(), "sha1") == digest:
                yield known
        for patterns, known in self.patterns:
            if _matches(name, patterns):
                yield known


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    """One pattern names the host, and none with ``!`` takes it out again (ssh_config(5), PATTERNS)."""
    taken_out = (pattern[1:] for pattern in patterns if pattern.startswith("!"))
    return any(_like(name, one) for one in patterns) and not any(_like(name, one) for one in taken_out)


def _like(name: str, pattern: str) -> bool:
    """Stars and question marks only: in ``[host]:port`` brackets are themselves."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


class KnownHosts:
    """The keys of every known_hosts file that any login names."""

    def __init__(self, *, accept_new: bool = False) -> None:
        self._accept_new = accept_new
        self._lock = Lock()
        self._files: dict[str, _File] = {}

    def check(self, names: tuple[str, ...], key: PKey, files: tuple[str, ...]) -> None:
        """Accept ``key`` for a host that goes by ``names``; the first name is the one recorded.

        Raises:
            HostKeyError: the host is unknown and new ones are not accepted, or it is known with other keys,
                or its key is revoked.
        """
        with self._lock:
            on_record = [(known, path) for path in files for name in names for known in self._load(path).of(name)]
            mine = [known for known, _ in on_record if known.key == key.get_base64()]
            if any(known.marker == "@revoked" for known in mine):
                raise HostKeyError(f"host key of {names[0]} is revoked in known_hosts", "ask who revoked it, and why")
            if mine:
                return
            if on_record:
                raise _changed(names[0], key, on_record[0][1])
            if not self._accept_new:
                raise _unknown(names[0], key)
            self._record(files[0], names[0], key)

    def types_for(self, names: tuple[str, ...], files: tuple[str, ...]) -> tuple[str, ...]:
        """Key types on record for a host, so that the server is asked for one of those."""
        with self._lock:
            found = [known.key_type for path in files for name in names for known in self._load(path).of(name)]
        return tuple(dict.fromkeys(found))

    def _load(self, path: str) -> _File:
        if path not in self._files:
            loaded = _File()
            for line in _text(path).splitlines():
                loaded.add(line)
            self._files[path] = loaded
        return self._files[path]

    def _record(self, path: str, name: str, key: PKey) -> None:
        line = f"{name} {key.get_name()} {key.get_base64()}\n"
        known = _text(path)
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(line if not known or known.endswith("\n") else f"\n{line}")
        except OSError as error:
            raise HostKeyError(f"host key of {name}: {path} cannot be written: {error.strerror}") from None
        self._load(path).add(line)


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise HostKeyError(f"host keys: {path} cannot be read: {error.strerror}", "make it readable") from None


def names_of(port: int, *names: str) -> tuple[str, ...]:
    """The names under which OpenSSH would store a host, the first one first (sshd(8), known_hosts format)."""
    plain = tuple(dict.fromkeys(name for name in names if name))
    return plain if port == _SSH_PORT else tuple(f"[{name}]:{port}" for name in plain)


def _unknown(name: str, key: PKey) -> HostKeyError:
    return HostKeyError(
        f"host key of {name} is unknown ({key.get_name()} {key.fingerprint})",
        "compare the fingerprint, then add the key to known_hosts, or run once with --accept-new-host-keys",
    )


def _changed(name: str, key: PKey, path: str) -> HostKeyError:
    return HostKeyError(
        f"host key of {name} has changed: it shows {key.get_name()} {key.fingerprint}, {path} has another",
        f"find out why; if the host was reinstalled, remove its old key with: ssh-keygen -R '{name}' -f {path}",
    )
