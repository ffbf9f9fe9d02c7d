"""Interface names of Comware: abbreviated in tables, in full elsewhere, and in any case with a blank in commands."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError

_TYPES = {
    "GigabitEthernet": ("GE",),
    "M-GigabitEthernet": ("MGE",),
    "Ten-GigabitEthernet": ("XGE",),
    "Twenty-FiveGigE": ("WGE", "25GE"),
    "FortyGigE": ("FGE", "40GE"),
    "FiftyGigE": ("50GE",),
    "HundredGigE": ("HGE", "100GE"),
    "TwoHundredGigE": ("THGE", "200GE"),
    "FourHundredGigE": ("FHGE", "400GE"),
    "EightHundredGigE": ("EHGE", "800GE"),
    "Bridge-Aggregation": ("BAGG",),
    "Route-Aggregation": ("RAGG",),
    "Vlan-interface": ("Vlan", "VLAN"),
    "LoopBack": ("Loop",),
    "NULL": (),
    "InLoopBack": ("InLoop",),
    "Register-Tunnel": (),
    "Tunnel": ("Tun",),
    "MEth": (),
}
_FULL = {short.lower(): long for long, shorts in _TYPES.items() for short in (long, *shorts)}
_WORDS = "|".join(sorted((re.escape(word) for word in _FULL), key=len, reverse=True))
_NUMBERS = r"\d+(?:/\d+)*(?::\d+)?(?:\.\d+)?"
NAME = rf"(?i:(?:{_WORDS})) ?{_NUMBERS}"
"""A name in full or abbreviated, with or without the blank that commands allow."""

_KINDS = {
    "Bridge-Aggregation": "bond",
    "Route-Aggregation": "bond",
    "Vlan-interface": "vlan",
    "M-GigabitEthernet": "management",
    "MEth": "management",
    "LoopBack": "virtual",
    "InLoopBack": "virtual",
    "NULL": "virtual",
    "Register-Tunnel": "virtual",
    "Tunnel": "virtual",
}


def canonical(name: str) -> str:
    """The name in full: ``HundredGigE1/0/1`` for ``HGE1/0/1`` and ``hundredgige 1/0/1``."""
    found = re.fullmatch(rf"({_WORDS}) ?({_NUMBERS})", name.strip(), re.IGNORECASE)
    return f"{_FULL[found[1].lower()]}{found[2]}" if found else name.strip()


def kind(port: str) -> str | None:
    """What sort of interface a name in full is."""
    found = re.fullmatch(rf"([A-Za-z-]+?)({_NUMBERS})", port)
    if not found or found[1] not in _TYPES:
        return None
    if "." in found[2]:
        return "vlan"
    return _KINDS.get(found[1], "physical")


def aliases(port: str) -> tuple[str, ...]:
    """The abbreviated forms of a name in full."""
    found = re.fullmatch(rf"([A-Za-z-]+?)({_NUMBERS})", port)
    return tuple(f"{short}{found[2]}" for short in _TYPES.get(found[1], ())) if found else ()


def expanded(text: str, line: int) -> Iterator[str]:
    """The ports of ``interface range``: ``HundredGigE 1/0/1 to HundredGigE 1/0/4 HundredGigE 1/0/9``.

    Raises:
        ParseError: something in it is no name, or a range does not run upwards within one module.
    """
    rest = text.strip()
    while rest:
        found = re.match(rf"({NAME})(?:\s+to\s+({NAME}))?(?:\s*,\s*|\s+|$)", rest)
        if not found:
            raise ParseError(line, text, "ports such as `HundredGigE 1/0/1 to HundredGigE 1/0/4`")
        rest = rest[found.end() :]
        yield from _range(canonical(found[1]), canonical(found[2] or found[1]), line)


def _range(first: str, last: str, line: int) -> Iterator[str]:
    start, end = (re.fullmatch(r"(.*?)(\d{1,4})", name) for name in (first, last))
    if not start or not end or start[1] != end[1] or int(start[2]) > int(end[2]):
        raise ParseError(line, f"{first} to {last}", "a range that runs upwards within one module")
    for number in range(int(start[2]), int(end[2]) + 1):
        yield f"{start[1]}{number}"
