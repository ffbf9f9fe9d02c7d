"""What a number or a word of NCCL means depends on its version."""

import re

_VERSION = re.compile(r"NCCL version ([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(\S*)")

# Position in the list is the number printed; first version that counts so.
# Source: NCCL src/graph/topo.h of every 2.x tag; 2.4 and 2.5: src/transport/net_ib.cc, src/topo.h.
_DISTANCES: tuple[tuple[tuple[int, int], tuple[str, ...]], ...] = (
    ((2, 27), ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS")),
    ((2, 26), ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "PXN", "PHB", "SYS", "NET", "DIS")),
    ((2, 12), ("LOC", "NVL", "NVB", "PIX", "PXB", "PXN", "PHB", "SYS", "NET", "DIS")),
    ((2, 8), ("LOC", "NVL", "NVB", "PIX", "PXB", "PHB", "SYS", "NET", "DIS")),
    ((2, 6), ("LOC", "NVL", "PIX", "PXB", "PHB", "SYS", "NET", "DIS")),
    ((2, 4), ("PIX", "PXB", "PHB", "NODE", "SYS")),
)


def version_in(line: str) -> str | None:
    """``2.21.5`` of a line that says ``NCCL version 2.21.5+cuda12.4``."""
    found = _VERSION.search(line)
    return ".".join(part for part in found.groups()[:3] if part) if found else None


def version_key(version: str) -> tuple[int, ...]:
    """``(2, 21, 5)`` of ``2.21.5``, for comparing; empty for what is no version."""
    return tuple(int(part) for part in version.split(".")) if re.fullmatch(r"[0-9]+(\.[0-9]+)+", version) else ()


def distance_names(version: str) -> tuple[str, ...]:
    """Names of the distances in the order of their numbers; empty for a version unknown or before 2.4."""
    key = version_key(version)
    return next((names for first, names in _DISTANCES if key and key >= first), ())
