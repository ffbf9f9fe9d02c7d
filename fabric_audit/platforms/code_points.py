"""DSCP and 802.1p values as configurations write them: numbers, ranges and standard names."""

import re

from fabric_audit.errors import ParseError

DSCPS = range(64)
"""All DSCP values (RFC 2474)."""
PCPS = range(8)
"""All 802.1p priority code points."""

DSCP_NAMES = {
    "default": 0,
    "be": 0,
    "le": 1,
    "voice-admit": 44,
    "ef": 46,
    **{f"cs{n}": 8 * n for n in range(8)},
    **{f"af{group}{drop}": 8 * group + 2 * drop for group in range(1, 5) for drop in range(1, 4)},
}
"""Standard names (RFC 2474, 2597, 3246, 5865, 8622)."""


def code_points(text: str, line: int, allowed: range = DSCPS) -> tuple[int, ...]:
    """The values of ``26``, ``24-31``, ``8 9 10``, ``1,3,5-7`` or ``af31 ef``, in the order they are written.

    Raises:
        ParseError: one is no number, range or name, or lies outside what is allowed.
    """
    values: list[int] = []
    for part in re.split(r"[,\s]+", text.strip()):
        found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", part)
        if found:
            values.extend(range(int(found[1]), int(found[2] or found[1]) + 1))
        elif allowed == DSCPS and part.lower() in DSCP_NAMES:
            values.append(DSCP_NAMES[part.lower()])
        else:
            values.append(-1)
    if not values or any(value not in allowed for value in values):
        raise ParseError(line, text, f"values of {allowed.start} to {allowed.stop - 1}")
    return tuple(values)
