"""Port names of Cumulus Linux: what a port is, and the lists in which configurations name many at once."""

import re

from fabric_audit.errors import ParseError

_KINDS = {
    r"swp\d+(s\d+)?": "physical",
    r"(eth|oob)\d+": "management",
    r"lo": "virtual",
    r"vlan\d+": "vlan",
    r"[A-Za-z]\S*\.\d+": "vlan",
    r"br_\S+|bridge": "bridge",
    r"vxlan\S*": "virtual",
    r"peerlink|bond\d+": "bond",
}
_RANGE_LIMIT = 4096
_TAIL = r"(?P<sub>s)?(?P<from>\d{1,6})(?:-(?P<again>[A-Za-z_]+\d*s?)?(?P<to>\d{1,6}))?"
_PART = re.compile(rf"(?P<head>[A-Za-z_]+(?:\d+(?=s\d))?)?{_TAIL}")


def kind(port: str) -> str | None:
    """What sort of interface a name is; None where only the configuration tells, for bonds have free names."""
    return next((sort for pattern, sort in _KINDS.items() if re.fullmatch(pattern, port)), None)


def physical(port: str) -> bool:
    """A front panel port, whole or broken out."""
    return kind(port) == "physical"


def expanded(names: str, line: int) -> tuple[str, ...]:
    """The interfaces of ``swp1-4,swp6``, ``swp1-swp4``, ``swp1s0-3``, ``vlan10,20`` or ``[swp1,swp3]``, in order.

    Raises:
        ParseError: a range that runs backwards or over more than 4096 numbers.
    """
    found: list[str] = []
    head = ""
    for part in names.strip("[] ").replace(" ", "").split(","):
        listed = _PART.fullmatch(part)
        if not listed or not (listed["head"] or head):
            found.append(part)
            continue
        if listed["head"]:
            head = listed["head"]
        first, last = int(listed["from"]), int(listed["to"] or listed["from"])
        if last < first or last - first > _RANGE_LIMIT:
            raise ParseError(line, names, "interfaces such as swp1-4,swp6")
        found += [f"{head}{listed['sub'] or ''}{number}" for number in range(first, last + 1)]
    return tuple(found)
