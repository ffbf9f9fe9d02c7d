"""Interface names of OS10: ``ethernet1/1/11`` in configurations, ``Ethernet 1/1/11`` in shows."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError

_WORDS = {
    "ethernet": "ethernet",
    "eth": "ethernet",
    "port-channel": "port-channel",
    "vlan": "vlan",
    "loopback": "loopback",
    "mgmt": "mgmt",
    "management": "mgmt",
    "virtual-network": "virtual-network",
    "null": "null",
}
_KINDS = {"ethernet": "physical", "port-channel": "bond", "vlan": "vlan", "mgmt": "management"}
_NUMBERS = r"\d{1,4}(?:/\d{1,3}){0,2}(?::\d)?"
NAME = rf"(?i:{'|'.join(sorted(_WORDS, key=len, reverse=True))}) ?{_NUMBERS}"
"""A name with or without a blank, in any case."""


def canonical(name: str) -> str:
    """The name as the configuration writes it."""
    found = re.fullmatch(
        rf"({'|'.join(sorted(_WORDS, key=len, reverse=True))}) ?({_NUMBERS})", name.strip(), re.IGNORECASE
    )
    return f"{_WORDS[found[1].lower()]}{found[2]}" if found else name.strip()


def kind(port: str) -> str | None:
    """What sort of interface a name is."""
    found = re.fullmatch(rf"([a-z-]+?)({_NUMBERS})", port)
    if not found or found[1] not in _WORDS.values():
        return None
    return _KINDS.get(found[1], "virtual")


def aliases(port: str) -> tuple[str, ...]:
    """Other spellings of a port."""
    found = re.fullmatch(rf"ethernet({_NUMBERS})", port)
    return (f"Ethernet {found[1]}", f"Eth{found[1]}", f"Eth {found[1]}") if found else ()


def expanded(text: str, line: int) -> Iterator[str]:
    """The ports of ``interface range``: ``ethernet1/1/11-1/1/12,1/1/20:1-1/1/20:4``.

    Raises:
        ParseError: something in it is no name, or a range does not run upwards within one unit.
    """
    found = re.fullmatch(r"([a-z-]+?) ?(\d.*)", text.strip())
    if not found or found[1] not in _WORDS:
        raise ParseError(line, text, "ports such as `ethernet1/1/1-1/1/4,1/1/9`")
    for part in found[2].split(","):
        ends = re.fullmatch(rf"(?:{found[1]})? ?({_NUMBERS})(?:-({_NUMBERS}))?", part.strip())
        if not ends:
            raise ParseError(line, text, "ports such as `ethernet1/1/1-1/1/4,1/1/9`")
        for number in _range(ends[1], ends[2] or ends[1], line):
            yield f"{_WORDS[found[1]]}{number}"


def _range(first: str, last: str, line: int) -> Iterator[str]:
    start, end = (re.fullmatch(r"(.*?)(\d+)", number) for number in (first, last))
    if not start or not end or start[1] != end[1] or int(start[2]) > int(end[2]):
        raise ParseError(line, f"{first}-{last}", "a range that runs upwards within one unit")
    for number in range(int(start[2]), int(end[2]) + 1):
        yield f"{start[1]}{number}"
