"""What a capture says of itself, and the digests that tie a signed page to it and to the code that judged it."""

from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path

from fabric_audit.capture.reader import Capture
from fabric_audit.findings import Custody

PACKAGE = Path(__file__).parent.parent
_ROUND = "round-"
_SEALED_BY = ("outputs.jsonl", "inventory.yaml", "policy.yaml")
"""Files that decide what a capture says; the journal holds the digest of every output."""


def custody_of(capture: Capture) -> Custody:
    """How a capture came about, and what is wrong with it."""
    manifest = capture.manifest
    return Custody(
        run=manifest.run,
        collected_with=manifest.tool_version,
        account=manifest.account,
        ended=manifest.ended,
        sealed=manifest.sealed,
        traffic=str(manifest.traffic.get("mode", "none")),
        loaded_s=_loaded_s(capture),
        digest=_digest(capture.folder),
        tool_digest=tool_digest(),
        damaged=capture.damage(),
    )


def _loaded_s(capture: Capture) -> float:
    rounds = [entry for entry in capture.entries if entry.phase.startswith(_ROUND)]
    if not rounds:
        return 0.0
    began = min(datetime.fromisoformat(entry.started) for entry in rounds)
    return max((datetime.fromisoformat(e.started) - began).total_seconds() + e.duration_s for e in rounds)


def _digest(folder: Path) -> str:
    found = sha256()
    for name in _SEALED_BY:
        try:
            data = (folder / name).read_bytes()
        except OSError:
            data = b""
        found.update(f"{name} {len(data)}\n".encode() + data)
    return found.hexdigest()


@cache
def tool_digest() -> str:
    """SHA-256 over every Python file of the package, in the order of their paths."""
    found = sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        data = path.read_bytes()
        found.update(f"{path.relative_to(PACKAGE).as_posix()} {len(data)}\n".encode() + data)
    return found.hexdigest()
