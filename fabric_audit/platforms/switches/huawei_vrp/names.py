"""Interface names of VRP: what a port is, and what else it is called."""

import re

NAME = r"[A-Za-z0-9-]*[A-Za-z]\d[\d/:.]*"
"""A name such as 100GE1/0/1, Eth-Trunk10, Vlanif100 or GigabitEthernet0/0/1."""

_KINDS = {
    r"(\d+GE|GE|XGE|X?GigabitEthernet|\d+GigE|Ethernet|\w+GigabitEthernet)\d+(/\d+)+(:\d+)?": "physical",
    r"(\d+GE|GE|XGE|X?GigabitEthernet|\d+GigE|Ethernet)\d+(/\d+)+(:\d+)?\.\d+": "vlan",
    r"MEth\d+(/\d+)*": "management",
    r"Eth-Trunk\d+": "bond",
    r"Vlanif\d+|Vbdif\d+": "vlan",
    r"(LoopBack|NULL|Tunnel|Nve|Dialer|Cellular|Sip)\d+[\d/:.]*": "virtual",
}
_WORDS = ("GigabitEthernet", "XGigabitEthernet", "Ethernet", "Eth-Trunk", "Vlanif", "Vbdif", "LoopBack", "MEth", "Nve")
_TYPED = r"[A-Za-z0-9-]*[A-Za-z] ?\d[\d/:.]*"
_MEMBER = re.compile(rf"(?P<first>{_TYPED})(?: to (?P<last>{_TYPED}))?")
_SHORT = {"GigabitEthernet": "GE", "XGigabitEthernet": "XGE", "Eth-Trunk": "Eth-Trunk"}


def kind(port: str) -> str | None:
    """What sort of interface a name is."""
    return next((sort for pattern, sort in _KINDS.items() if re.fullmatch(pattern, port)), None)


def canonical(name: str) -> str:
    """The name without the blank that commands allow: ``100GE1/0/1`` for ``100ge 1/0/1``."""
    found = re.fullmatch(r"([A-Za-z0-9-]*[A-Za-z]) ?(\d[\d/:.]*)", name.strip())
    if not found:
        return name.strip()
    usual = {word.lower(): word for word in _WORDS}
    word = found[1].upper() if re.fullmatch(r"\d*x?ge", found[1]) else usual.get(found[1].lower(), found[1])
    return f"{word}{found[2]}"


def members(words: str) -> tuple[str, ...]:
    """Canonical names of ``100ge 1/0/1 to 100ge 1/0/4 100GE1/0/9``; none where a word of it is no interface."""
    names: list[str] = []
    if _MEMBER.sub("", words).strip():
        return ()
    for found in _MEMBER.finditer(words):
        first, last = canonical(found["first"]), canonical(found["last"] or "")
        if not last:
            names.append(first)
            continue
        start, end = (re.fullmatch(r"(.*?)(\d{1,4})", name) for name in (first, last))
        if not start or not end or start[1] != end[1]:
            return ()
        names += [f"{start[1]}{number}" for number in range(int(start[2]), int(end[2]) + 1)]
    return tuple(names)


def aliases(port: str) -> tuple[str, ...]:
    """Other names a neighbour may use for a port: long or short form of its type."""
    found = re.fullmatch(r"([A-Za-z-]+)(\d[\d/:]*)", port)
    if not found:
        return ()
    other = {**_SHORT, **{short: long for long, short in _SHORT.items()}}.get(found[1])
    return (f"{other}{found[2]}",) if other and other != found[1] else ()
