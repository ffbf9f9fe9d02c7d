"""What stands in a capture."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_audit.capture.frames import Frame

SCHEMA = 1
"""Version of the capture's layout; raised when a reader of the old one would misread the new one."""


def sha256(data: bytes) -> str:
    """Digest in hex, as it stands in journal and manifest."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the journal: one exec on a host, or one command on a switch.

    ``path`` is relative to the capture and without its ``.out``/``.err``.
    """

    target: str
    phase: str
    command: str
    section: str = ""
    """Id of the one section of a switch output; empty where ``frames`` name the sections."""
    text: str
    started: str
    duration_s: float
    path: str
    rc: int | None = None
    error: str = ""
    cause: str = ""
    sha256: tuple[str, str] = ("", "")
    frames: tuple[Frame, ...] = ()
    masked: int = 0
    given: bool = False
    """A file that a person named, held in memory: ``path`` is the whole of its name."""

    @property
    def out(self) -> str:
        """Name of what came on stdout, as evidence cites it."""
        return self.path if self.given else f"{self.path}.out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Sections that were planned on targets in one phase; the denominator of the coverage."""

    phase: str
    targets: tuple[str, ...]
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What was meant, by whom, with what; written at the start and sealed at the end."""

    schema: int = SCHEMA
    run: str
    tool_version: str
    fabric: str
    origin: str
    started: str
    ended: str = ""
    sealed: bool = False
    account: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)
    planned: tuple[Planned, ...] = ()
    traffic: Mapping[str, Any] = field(default_factory=dict)
    overrides: tuple[str, ...] = ()
    masked: int = 0
    preamble: str = ""
    """Shell functions that precede every host script of this capture; ``text`` of an entry is what follows them."""
