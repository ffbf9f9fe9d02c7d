"""Raw lines out of a capture, bounded, and never from outside of it."""

from functools import lru_cache
from pathlib import Path

from fabric_audit.capture.model import Entry
from fabric_audit.capture.reader import Capture
from fabric_audit.findings import Evidence
from fabric_audit.report.model import Excerpt

BEFORE, AFTER = 3, 6
"""Lines shown around the one a finding rests on: enough to see the block it stands in."""
_WHOLE = BEFORE + 1 + AFTER  # lines of an output that is shown where a finding rests on all of it
LONGEST_FILE = 64 * 1024 * 1024
"""Bytes read of one file that the journal does not name; an inventory of 10,000 hosts is a hundredth of it."""
_KEPT = 64  # files held in memory at once: findings of one target come together


class CaptureEvidence:
    """Excerpts from one capture. Bytes that are not those the journal recorded are not shown."""

    def __init__(self, capture: Capture) -> None:
        self._folder = capture.folder.resolve()
        self._capture = capture
        self._entries = {entry.out: (entry, ".out") for entry in capture.entries}
        self._entries |= {f"{entry.path}.err": (entry, ".err") for entry in capture.entries if not entry.given}
        self._lines = lru_cache(maxsize=_KEPT)(self._read)

    def excerpt(self, evidence: Evidence) -> Excerpt:
        """The lines around ``evidence``, or why there are none."""
        lines, reason = self._lines(evidence.path)
        if not reason and evidence.line > len(lines):
            reason = f"it has {len(lines)} lines, and the finding names line {evidence.line}"
        if not reason and not evidence.line and len(lines) > _WHOLE:
            reason = f"the whole of its {len(lines)} lines"
        if reason:
            return Excerpt(path=evidence.path, marked=evidence.line, reason=reason)
        first = max(1, evidence.line - BEFORE) if evidence.line else 1
        last = first + BEFORE + AFTER
        return Excerpt(path=evidence.path, lines=lines[first - 1 : last], first=first, marked=evidence.line)

    def _read(self, path: str) -> tuple[tuple[str, ...], str]:
        known = self._entries.get(path)
        data, reason = self._recorded(*known) if known else self._unrecorded(path)
        if not reason and not data.strip():
            reason = "it is empty"
        return tuple(line.rstrip("\r") for line in data.decode("utf-8", "replace").split("\n")), reason

    def _recorded(self, entry: Entry, suffix: str) -> tuple[bytes, str]:
        if entry.error and not any(entry.sha256):
            return b"", f"nothing was received: {entry.error}"
        both = self._capture.output(entry)
        if both is None:
            return b"", "the file is missing, or is not what was recorded"
        return both[_SUFFIXES.index(suffix)], ""

    def _unrecorded(self, path: str) -> tuple[bytes, str]:
        """A file of the capture that is no output: the inventory as used, or the journal itself."""
        try:
            found = (self._folder / Path(path)).resolve()
            if not found.is_relative_to(self._folder) or not found.is_file():
                return b"", "the capture has no such file"
            with found.open("rb") as file:
                return file.read(LONGEST_FILE), ""
        except (OSError, ValueError):
            return b"", "it cannot be read"


_SUFFIXES = (".out", ".err")
