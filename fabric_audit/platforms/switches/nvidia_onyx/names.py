"""Port names of Onyx: what a port is, what else it is called, and lists of ports."""

import re

from fabric_audit.errors import ParseError
from fabric_audit.platforms import noise

_LONG = {
    "ethernet": "Eth",
    "eth": "Eth",
    "port-channel": "Po",
    "po": "Po",
    "mlag-port-channel": "Mpo",
    "mpo": "Mpo",
    "vlan": "Vlan ",
    "loopback": "Loopback ",
    "nve": "nve",
    "mgmt": "mgmt",
}
_KINDS = {"Eth": "physical", "Po": "bond", "Mpo": "bond", "Vlan ": "vlan", "Loopback ": "virtual", "mgmt": "management"}
_NAME = re.compile(r"([A-Za-z][A-Za-z-]*?) ?([0-9][0-9/]*)")
_PROMPT = re.compile(r"\S+(?: \[[^\]]*\])? (?:\(config[^)]*\) )?[#>](?:\s.*)?")
_PART = re.compile(r"(?P<first>\d{1,3}(?:/\d{1,3}){0,2})(?:-(?P<last>\d{1,3}(?:/\d{1,3}){0,2}))?")


def is_noise(line: str) -> bool:
    """Whether the line is blank, a prompt (with blanks in it, as Onyx writes it), a log message or a pager's."""
    return noise.is_noise(line) or _PROMPT.fullmatch(line.strip()) is not None


def canonical(name: str) -> str:
    """The name as Onyx prints it in tables: ``Eth1/1`` for ``ethernet 1/1``, ``Po1`` for ``port-channel 1``."""
    found = _NAME.fullmatch(name.strip())
    start = _LONG.get(found[1].lower()) if found else None
    return f"{start}{found[2]}" if found and start else name.strip()


def kind(port: str) -> str | None:
    """What sort of interface a canonical name is."""
    return next((sort for start, sort in _KINDS.items() if re.fullmatch(rf"{start}\d[\d/]*", port)), None)


def aliases(port: str) -> tuple[str, ...]:
    """Other names a neighbour may use for a port: the words of the configuration."""
    rest = port.removeprefix("Eth")
    return (f"ethernet {rest}", f"Ethernet{rest}") if rest != port and rest[:1].isdigit() else ()


def expanded(word: str, numbers: str, line: int) -> tuple[str, ...]:
    """The ports of ``ethernet`` and ``1/1-1/4,1/7``, canonical, in order.

    Raises:
        ParseError: a range over more than the last number.
    """
    found: list[str] = []
    for part in numbers.split(","):
        listed = _PART.fullmatch(part.strip())
        if not listed:
            raise ParseError(line, f"{word} {numbers}", "ports such as ethernet 1/1-1/4")
        low = listed["first"].split("/")
        high = (listed["last"] or listed["first"]).split("/")
        high = [*low[: len(low) - len(high)], *high]
        if low[:-1] != high[:-1] or len(low) != len(high) or int(high[-1]) < int(low[-1]):
            raise ParseError(line, f"{word} {numbers}", "a range over the last number")
        found += [canonical(f"{word} {'/'.join([*low[:-1], str(n)])}") for n in range(int(low[-1]), int(high[-1]) + 1)]
    return tuple(found)
