"""Port names of Junos: what a port is, and what else it is called."""

import re

_PHYSICAL = re.compile(r"(?:et|xe|ge|fe|mge)-\d+/\d+/\d+(?::\d+)?")
_KINDS = {
    "ae": "bond",
    "reth": "bond",
    "irb": "vlan",
    "vlan": "vlan",
    "lo": "virtual",
    "vtep": "virtual",
    "em": "management",
    "fxp": "management",
    "me": "management",
    "vme": "management",
    "re": "management",
}


def physical(name: str) -> str:
    """The interface below a logical unit: ``et-0/0/0`` of ``et-0/0/0.0``; units of irb and the like stay."""
    bare = name.strip()
    base, _, unit = bare.rpartition(".")
    return base if unit.isdigit() and (_PHYSICAL.fullmatch(base) or re.fullmatch(r"(ae|reth)\d+", base)) else bare


def kind(name: str) -> str | None:
    """What sort of interface a name is; None for one that this table lacks."""
    if _PHYSICAL.fullmatch(name):
        return "physical"
    if _PHYSICAL.fullmatch(name.rpartition(".")[0]):
        return "vlan"
    found = re.match(r"([a-z]+)\d*\b", name)
    return _KINDS.get(found[1]) if found else None


def aliases(port: str) -> tuple[str, ...]:
    """Other names a neighbour may use for a port: its first unit."""
    return (f"{port}.0",) if kind(port) in ("physical", "bond") else ()
