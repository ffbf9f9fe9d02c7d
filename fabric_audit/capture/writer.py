"""Writes a capture: manifest, inventory and policy as used, the journal, and the bytes as received."""

import fcntl
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any, Self

from fabric_audit.capture.model import Entry, Manifest, Planned, sha256
from fabric_audit.capture.reader import Capture
from fabric_audit.errors import CaptureError

_SAFE = re.compile(r"[^A-Za-z0-9._-]")


def private_folder(path: Path) -> None:
    """Make a folder and what lacks above it, readable by their owner only."""
    if not path.is_dir():
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all.

    Raises:
        CaptureError: the disk refuses.
    """
    aside = path.with_name(f".{path.name}.new")
    try:
        private_folder(path.parent)
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise CaptureError(
            f"{path}: cannot be written: {error.strerror}; free space or name another --output"
        ) from None


def file_name(text: str) -> str:
    """A name as one path component that cannot leave its folder."""
    cleaned = _SAFE.sub("_", text)
    return f"_{cleaned}" if cleaned.startswith(".") or not cleaned else cleaned


class CaptureWriter:
    """A capture being written; safe to use from several threads."""

    def __init__(self, folder: Path, manifest: Manifest, *, inventory: str, policy: str) -> None:
        """Create ``folder`` and everything but the outputs.

        Raises:
            CaptureError: the folder holds a capture already, or cannot be written.
        """
        try:
            private_folder(folder)
        except OSError as error:
            raise CaptureError(f"{folder}: cannot be made: {error.strerror}; name another --output") from None
        _refuse_used(folder)
        digests = {"inventory.yaml": sha256(inventory.encode()), "policy.yaml": sha256(policy.encode())}
        self._open(folder, replace(manifest, digests=digests))
        try:
            _refuse_used(folder)  # again, now that nobody else can begin
            private_file(folder / "inventory.yaml", inventory.encode())
            private_file(folder / "policy.yaml", policy.encode())
            self._write_manifest()
        except CaptureError:
            self._journal.close()
            raise

    @classmethod
    def resume(cls, folder: Path) -> Self:
        """Open an unsealed capture to add to it.

        Raises:
            CaptureError: it cannot be read.
        """
        capture = Capture.open(folder)
        writer = cls.__new__(cls)
        writer._open(capture.folder, replace(capture.manifest, sealed=False, ended=""))  # noqa: SLF001 - its own
        _cut_torn_line(capture.folder / "outputs.jsonl")
        return writer

    def _open(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._lock = Lock()
        self._names: dict[str, int] = {}
        try:
            descriptor = os.open(folder / "outputs.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise CaptureError(f"{folder}/outputs.jsonl: {error.strerror}; name another --output") from None
        self._journal = os.fdopen(descriptor, "ab", buffering=0)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # let go by the kernel, however the run ends
        except OSError:
            self._journal.close()
            raise CaptureError(f"{folder}: another run writes into it; let it end, or name another --output") from None

    def _write_manifest(self) -> None:
        text = json.dumps(asdict(self.manifest), indent=1, sort_keys=True)
        private_file(self.folder / "manifest.json", text.encode())

    def path_for(self, phase: str, target: str, command: str) -> str:
        """A path for an output that no other has, relative to the capture, without suffix."""
        wanted = f"{file_name(phase)}/{file_name(target)}/{file_name(command)}"
        with self._lock:
            count = self._names.get(wanted, 0)
            while True:
                path = f"{wanted}.{count}" if count else wanted
                count += 1
                if not (self.folder / f"{path}.out").exists():
                    self._names[wanted] = count
                    return path

    def add(self, entry: Entry, stdout: bytes, stderr: bytes) -> Entry:
        """Store one output: its bytes first, then its line in the journal.

        Raises:
            CaptureError: the disk refuses; what was stored before stays readable.
        """
        digests = ("", "")
        if stdout or stderr or not entry.error:
            private_file(self.folder / f"{entry.path}.out", stdout)
            if stderr:
                private_file(self.folder / f"{entry.path}.err", stderr)
            digests = (sha256(stdout), sha256(stderr) if stderr else "")
        stored = replace(entry, sha256=digests)
        self._line({"kind": "output", **asdict(stored), "frames": [frame.to_json() for frame in stored.frames]})
        return stored

    def add_round(self, record: Mapping[str, Any]) -> None:
        """Store what one round was meant to do; ``record`` is plain JSON data."""
        self._line({"kind": "round", **record})

    def plan_more(self, planned: Planned) -> None:
        """Add to what was planned; it counts in the coverage from now on."""
        with self._lock:
            if planned not in self.manifest.planned:
                self.manifest = replace(self.manifest, planned=(*self.manifest.planned, planned))
        self._line({"kind": "planned", **asdict(planned)})

    def note(self, override: str) -> None:
        """Record that the user overrode a safeguard."""
        with self._lock:
            self.manifest = replace(self.manifest, overrides=(*self.manifest.overrides, override))
            self._write_manifest()

    def end_traffic(self, reason: str) -> None:
        """Record that less was sent than was planned, and why."""
        with self._lock:
            self.manifest = replace(self.manifest, traffic={**self.manifest.traffic, "ended": reason})
            self._write_manifest()

    def _line(self, value: Mapping[str, Any]) -> None:
        line = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        with self._lock:
            try:
                whole = self._journal.write(line) == len(line)
            except OSError as error:
                raise CaptureError(f"{self.folder}/outputs.jsonl: {error.strerror}; free space and --resume") from None
        if not whole:
            raise CaptureError(f"{self.folder}/outputs.jsonl: the disk took half a line; free space and --resume")

    def seal(self, ended: str, *, masked: int = 0) -> None:
        """Close the journal and mark the capture complete."""
        self._journal.close()
        self.manifest = replace(self.manifest, ended=ended, sealed=True, masked=self.manifest.masked + masked)
        self._write_manifest()

    def close(self) -> None:
        """Close the journal and leave the capture unsealed, so that it can be resumed."""
        self._journal.close()
        self._write_manifest()


def _refuse_used(folder: Path) -> None:
    if (folder / "manifest.json").exists():
        raise CaptureError(f"{folder}: holds a capture already; name another --output or --resume it")


def _cut_torn_line(journal: Path) -> None:
    """In place: the lock is on this very file."""
    data = journal.read_bytes()
    if data and not data.endswith(b"\n"):
        os.truncate(journal, data.rfind(b"\n") + 1)
