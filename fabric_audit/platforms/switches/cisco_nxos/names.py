"""Port names of NX-OS: what a port is, and what else it is called."""

import re

_LONG = {
    "eth": "Ethernet",
    "po": "port-channel",
    "lo": "loopback",
    "vlan": "Vlan",
    "tu": "Tunnel",
    "veth": "Vethernet",
    "br": "Br-Ethernet",
}
_KINDS = {
    "Ethernet": "physical",
    "Br-Ethernet": "physical",
    "mgmt": "management",
    "port-channel": "bond",
    "loopback": "virtual",
    "Vlan": "vlan",
    "nve": "virtual",
    "Tunnel": "virtual",
    "Vethernet": "virtual",
}
_NAME = re.compile(r"([A-Za-z][A-Za-z-]*?) ?([0-9][0-9/.]*)")
_RANGE = re.compile(r"([A-Za-z][A-Za-z-]*?)? ?((?:[0-9]{1,4}[/.])*)([0-9]{1,4})(?: ?- ?([0-9]{1,4}))?")
_LONGEST = 1024
_NUMBER = r"[0-9]{1,4}(?:/[0-9]{1,4})*"


def canonical(name: str) -> str:
    """The full name of ``Eth1/1``, ``e1/51`` or ``Po10``; a name that is none of NX-OS's comes back as it is."""
    found = _NAME.fullmatch(name.strip())
    if not found:
        return name.strip()
    word = found[1].lower()
    if word in ("mgmt", "nve"):
        return f"{word}{found[2]}"
    full = next((long for long in _LONG.values() if long.lower() == word), None)
    full = full or _LONG.get(word) or next((long for long in _LONG.values() if long.lower().startswith(word)), None)
    return f"{full}{found[2]}" if full else name.strip()


def expanded(words: str) -> tuple[str, ...]:
    """Canonical names of ``Ethernet1/1``, ``eth1/1-4`` or ``Ethernet1/1-4, Ethernet1/9``; none where it is no port."""
    names: list[str] = []
    letters = ""
    for part in words.split(","):
        found = _RANGE.fullmatch(part.strip())
        letters = (found[1] if found else "") or letters
        if not found or not letters:
            return ()
        first = int(found[3])
        last = min(int(found[4] or first), first + _LONGEST)
        names += [canonical(f"{letters}{found[2]}{number}") for number in range(first, last + 1)]
    return tuple(names)


def aliases(port: str) -> tuple[str, ...]:
    """Other names a neighbour may use for a port: the abbreviation of tables."""
    for letters, long in _LONG.items():
        rest = port.removeprefix(long)
        if rest != port and rest[:1].isdigit() and letters in ("eth", "po", "lo"):
            return (f"{letters.capitalize()}{rest}",)
    return ()


def kind(port: str) -> str | None:
    """What sort of interface a canonical name is; None for one that this table lacks."""
    found = _NAME.fullmatch(port)
    if found and "." in found[2]:
        return "vlan"
    return _KINDS.get(found[1]) if found else None
