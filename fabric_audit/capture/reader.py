"""Reads a capture; damage is listed, never raised."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fabric_audit.capture.frames import Frame
from fabric_audit.capture.model import SCHEMA, Entry, Manifest, Planned, sha256
from fabric_audit.errors import CaptureError


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture opened for reading."""

    folder: Path
    manifest: Manifest
    entries: tuple[Entry, ...]
    rounds: tuple[Mapping[str, Any], ...]
    damaged: tuple[str, ...]
    """Files that are missing or whose bytes changed, and lines of the journal that cannot be read."""
    given: Mapping[str, bytes] = field(default_factory=dict)
    """Files that a person named, by their paths; they lie in no folder of a capture."""

    @classmethod
    def open(cls, folder: Path) -> "Capture":
        """Open a capture, or the run folder that holds one; damage is listed, not raised.

        Raises:
            CaptureError: there is no capture, or its schema is newer than this tool's.
        """
        inside = folder / "capture"
        folder = inside if (inside / "manifest.json").exists() else folder
        try:
            value = json.loads((folder / "manifest.json").read_text("utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            raise CaptureError(f"{folder}: no capture there (no manifest.json); name a run folder") from None
        except (OSError, ValueError) as error:
            raise CaptureError(f"{folder}/manifest.json: cannot be read: {error}") from None
        manifest = _manifest(folder, value)
        entries, rounds, planned, damaged = _journal(folder)
        manifest = replace(manifest, planned=_merged(manifest.planned, planned))
        return cls(folder, manifest, entries, rounds, tuple(damaged))

    def text(self, name: str) -> str:
        """``inventory.yaml`` or ``policy.yaml`` as used.

        Raises:
            CaptureError: the file is missing or unreadable.
        """
        try:
            return (self.folder / name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CaptureError(f"{self.folder}/{name}: cannot be read: {error}") from None

    def damage(self) -> tuple[str, ...]:
        """Everything that is missing or not as it was recorded, by file; what is left can be used."""
        outputs = (f"{e.path}{suffix}" for e in self.entries for suffix in self._changed(e))
        texts = (name for name, digest in self.manifest.digests.items() if self._digest(name) != digest)
        return (*self.damaged, *texts, *outputs)

    def _digest(self, name: str) -> str | None:
        try:
            return sha256((self.folder / name).read_bytes())
        except OSError:
            return None

    def _changed(self, entry: Entry) -> Iterator[str]:
        for suffix, digest in zip((".out", ".err"), entry.sha256, strict=True):
            if digest and self._digest(f"{entry.path}{suffix}") != digest:
                yield suffix

    def output(self, entry: Entry) -> tuple[bytes, bytes] | None:
        """Bytes of stdout and stderr, or None where a file is missing or was changed."""
        if entry.given:
            return self.given[entry.path], b""
        both = []
        for suffix, digest in zip((".out", ".err"), entry.sha256, strict=True):
            if not digest:
                both.append(b"")
                continue
            try:
                data = (self.folder / f"{entry.path}{suffix}").read_bytes()
            except OSError:
                return None
            if sha256(data) != digest:
                return None
            both.append(data)
        return both[0], both[1]


def _manifest(folder: Path, value: Any) -> Manifest:
    try:
        schema = int(value["schema"])
        if schema > SCHEMA:
            newer = f"written by a newer fabric-audit (schema {schema}, this one reads {SCHEMA})"
            raise CaptureError(f"{folder}: {newer}; update the tool")
        planned = tuple(
            Planned(phase=p["phase"], targets=tuple(p["targets"]), sections=tuple(p["sections"]))
            for p in value.pop("planned")
        )
        return Manifest(**{**value, "planned": planned, "overrides": tuple(value.get("overrides", ()))})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CaptureError(f"{folder}/manifest.json: not a manifest: {error}") from None


def _merged(first: tuple[Planned, ...], more: list[Planned]) -> tuple[Planned, ...]:
    return tuple(dict.fromkeys((*first, *more)))


def _journal(folder: Path) -> tuple[tuple[Entry, ...], tuple[Mapping[str, Any], ...], list[Planned], list[str]]:
    entries: list[Entry] = []
    rounds: dict[int, Mapping[str, Any]] = {}
    planned: list[Planned] = []
    damaged: list[str] = []
    for number, line, whole in _lines(folder / "outputs.jsonl"):
        try:
            value = json.loads(line)
            match value.pop("kind"):
                case "output":
                    entries.append(_entry(value))
                case "round":
                    if rounds.pop(value["number"], None):
                        entries = [entry for entry in entries if entry.phase != value["phase"]]
                    rounds[value["number"]] = value
                case "planned":
                    sections, targets = tuple(value["sections"]), tuple(value["targets"])
                    planned.append(Planned(phase=value["phase"], targets=targets, sections=sections))
        except (ValueError, KeyError, TypeError, AttributeError, CaptureError):
            if whole:
                damaged.append(f"outputs.jsonl:{number}")
    return _last_said(entries), tuple(rounds.values()), planned, damaged


def _last_said(entries: list[Entry]) -> tuple[Entry, ...]:
    """Without answers that failed and came later, as when an interrupted run is completed."""
    whole = {(e.phase, e.target, e.command): number for number, e in enumerate(entries) if not e.error}
    return tuple(
        entry
        for number, entry in enumerate(entries)
        if not entry.error or whole.get((entry.phase, entry.target, entry.command), -1) < number
    )


def _lines(journal: Path) -> Iterator[tuple[int, str, bool]]:
    """(number, line, whether it ended): a torn last line is what a crash leaves, and no damage."""
    if not journal.exists():
        return
    with journal.open("rb") as file:
        for number, data in enumerate(file, 1):
            yield number, data.decode("utf-8", "replace"), data.endswith(b"\n")


def _entry(value: dict[str, Any]) -> Entry:
    frames = tuple(Frame.from_json(frame) for frame in value.pop("frames"))
    out, err = value.pop("sha256")
    return Entry(**value, frames=frames, sha256=(str(out), str(err)))
