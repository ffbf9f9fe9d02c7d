"""Port names of EOS: what a port is, and what else it is called."""

import re

from fabric_audit.errors import ParseError

_LONG = {
    "et": "Ethernet",
    "ma": "Management",
    "po": "Port-Channel",
    "lo": "Loopback",
    "vl": "Vlan",
    "vx": "Vxlan",
    "re": "Recirc-Channel",
    "tu": "Tunnel",
    "fa": "Fabric",
    "un": "UnconnectedEthernet",
}
_KINDS = {
    "Ethernet": "physical",
    "Management": "management",
    "Port-Channel": "bond",
    "Loopback": "virtual",
    "Vlan": "vlan",
    "Vxlan": "virtual",
    "Tunnel": "virtual",
}
_NAME = re.compile(r"([A-Za-z][A-Za-z-]*) ?([0-9][0-9/.]*)")
_NUMBER = r"[0-9]{1,4}(?:/[0-9]{1,4})*"
_LISTED = re.compile(rf"(?P<word>[A-Za-z][A-Za-z-]*)? ?(?P<first>{_NUMBER})(?:-(?P<last>{_NUMBER}))?")


def canonical(name: str) -> str:
    """The full name of ``Et1/1``, ``Po10`` or ``eth 14/1``; a name that is none of EOS's comes back as it is.

    EOS takes any beginning of a type's name that names one type, and prints two letters in tables.
    """
    found = _NAME.fullmatch(name.strip())
    if not found:
        return name.strip()
    word = found[1].lower()
    full = next((long for long in _LONG.values() if long.lower() == word), None)
    full = full or next((long for long in _LONG.values() if len(word) > 1 and long.lower().startswith(word)), None)
    return f"{full}{found[2]}" if full else name.strip()


def short(name: str) -> str | None:
    """The two-letter form that tables print, such as ``Et1/1``; None for a type without one."""
    for letters, long in _LONG.items():
        rest = name.removeprefix(long)
        if rest != name and rest[:1].isdigit():
            return f"{letters.capitalize()}{rest}"
    return None


def aliases(port: str) -> tuple[str, ...]:
    """Other names a neighbour may use for a port."""
    abbreviation = short(port)
    return (abbreviation,) if abbreviation else ()


def kind(port: str) -> str | None:
    """What sort of interface a canonical name is; None for one that EOS may have and this table lacks."""
    found = _NAME.fullmatch(port)
    if found and "." in found[2]:
        return "vlan"
    return _KINDS.get(found[1]) if found else None


def expanded(names: str, line: int) -> tuple[str, ...]:
    """The ports of ``Ethernet1/1,3/1-8/1`` or ``eth 14/1,15/1``, canonical, in order.

    Raises:
        ParseError: a range whose ends differ in more than one number.
    """
    ports: list[str] = []
    word = ""
    for part in names.split(","):
        found = _LISTED.fullmatch(part.strip())
        if not found or not (found["word"] or word):
            raise ParseError(line, names, "interface names such as Ethernet1/1-4,7/1")
        word = found["word"] or word
        ports.extend(canonical(f"{word}{number}") for number in _range(found["first"], found["last"], line))
    return tuple(ports)


def _range(first: str, last: str | None, line: int) -> list[str]:
    if last is None:
        return [first]
    low, high = first.split("/"), last.split("/")
    high = low[: len(low) - len(high)] + high
    differing = [i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b]
    if len(low) != len(high) or len(differing) > 1:
        raise ParseError(line, f"{first}-{last}", "a range over one number")
    at = differing[0] if differing else len(low) - 1
    return ["/".join([*low[:at], str(n), *low[at + 1 :]]) for n in range(int(low[at]), int(high[at]) + 1)]
