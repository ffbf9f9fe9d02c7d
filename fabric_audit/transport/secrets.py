"""Passwords, by reference only: looked up when a login needs them, never stored, never printed."""

import getpass
import os
from collections.abc import Iterable
from threading import Lock

from fabric_audit.errors import LoginError
from fabric_audit.inventory.model import Secret


class Secrets:
    """Looks each reference up once a run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: dict[tuple[Secret, str], str] = {}

    def __call__(self, secret: Secret, user: str) -> str:
        """The password for ``user`` that ``secret`` refers to.

        Raises:
            LoginError: there is none; the message names the reference.
        """
        with self._lock:
            if (secret, user) not in self._found:
                self._found[secret, user] = _look_up(secret, user)
            return self._found[secret, user]


def environment_without(secrets: Iterable[Secret | None]) -> dict[str, str]:
    """This process's environment for programs that it starts: without the variables that passwords are in."""
    hidden = {secret.name for secret in secrets if secret is not None and secret.kind == "env"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


def _look_up(secret: Secret, user: str) -> str:
    match secret.kind:
        case "env":
            word = os.environ.get(secret.name)
            if not word:
                raise LoginError(f"environment variable {secret.name} is not set", "export it, then run again")
            return word
        case "keyring":
            return _from_keyring(secret.name, user)
        case "prompt":
            return getpass.getpass(f"{secret.name} (password for {user}): ")


def _from_keyring(service: str, user: str) -> str:
    try:
        import keyring  # noqa: PLC0415 - an extra, and slow to load
    except ImportError:
        remedy = "pip install 'fabric-audit[keyring]'"
        raise LoginError("the password is in a keyring, but keyring is not installed", remedy) from None
    word = keyring.get_password(service, user)
    if not word:
        raise LoginError(f"keyring has no password of {user} under {service}", f"keyring set {service} {user}")
    return str(word)
