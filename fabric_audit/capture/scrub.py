"""Removes secrets from text before it reaches the disk."""

import re
from collections.abc import Iterable

MASK = b"<masked>"


def mask(data: bytes, patterns: Iterable[str]) -> tuple[bytes, int]:
    """Replace group 1 of every match of every pattern; the text keeps its lines.

    Returns:
        The text, and how many secrets were masked.
    """
    count = 0
    for pattern in patterns:
        compiled = re.compile(pattern.encode(), re.MULTILINE)
        pieces: list[bytes] = []
        end = 0
        for found in compiled.finditer(data):
            if found[1] and found[1] != MASK:
                pieces += [data[end : found.start(1)], MASK, b"\n" * found[1].count(b"\n")]
                end = found.end(1)
                count += 1
        if pieces:
            data = b"".join([*pieces, data[end:]])
    return data, count
