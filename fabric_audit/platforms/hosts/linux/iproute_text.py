"""The plain text of iproute2 in the words of its JSON, for versions that do not know ``-j`` everywhere.

``ip -j link`` and ``addr`` came with iproute2 4.14, ``route``, ``rule`` and ``neigh`` with 4.16 and 4.17: in between
``-j`` is taken and plain text printed. Source: iproute2 ``ip/{ipaddress,iproute,iprule,ipneigh}.c``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Answer, Missing, Output, Skipped, Why
from fabric_audit.platforms.text import numbered, some, torn, whole

Row = tuple[int, dict[str, Any]]

_HEADING = re.compile(
    r"\d+: (?P<ifname>[^\s@:]+)(?:@[^\s:]+)?: <(?P<flags>[\w,-]*)> mtu (?P<mtu>\d+)(?P<rest>(?: (?!\d+: ).*)?)"
)
_SECOND = re.compile(r"\d: [^\s:]+: <|^\d+: ")
"""In a line that is no heading: one that is lost, and lines that ran into one another."""
_LINK = re.compile(r"link/(?P<link_type>\S+)(?: (?P<address>[0-9a-f:]+))?(?P<rest>(?: .*)?)")
_INET = re.compile(
    r"(?P<family>inet6?) (?P<local>[0-9a-f.:]+)(?: peer (?P<peer>[0-9a-f.:]+))?/(?P<prefixlen>\d+)"
    r"(?P<rest>(?: .*)?)"
)
_KINDS = re.compile(r"(bond|bridge|vlan|team|openvswitch|vxlan|dummy|veth|macvlan|ipvlan|tun|vrf|ifb|ipoib|gre|sit)\b")
_ROUTE_TYPES = re.compile(r"unicast|local|broadcast|multicast|anycast|throw|unreachable|prohibit|blackhole|nat")
_ROUTE_KEYS = {"via": "gateway", "dev": "dev", "table": "table", "src": "prefsrc", "metric": "metric"}
_ROUTE_FLAGS = frozenset({"dead", "linkdown", "onlink", "pervasive", "offload", "unresolved"})
_PREFIX = re.compile(r"(?P<address>[0-9a-f.:]*[.:][0-9a-f.:]*|all|default)(?:/(?P<length>\d+))?")
_RULE = re.compile(r"(?P<priority>\d+):\s+(?P<not>not )?from (?P<words>\S+.*)")
_NEIGHBOR = re.compile(
    r"(?P<dst>[0-9a-f]*[.:][0-9a-f.:]*) dev (?P<dev>\S+)(?: lladdr (?P<lladdr>[0-9a-f:]+))?(?: (?!dev )\S+)*?"
    r" (?P<state>[A-Z]+(?:,[A-Z]+)*)(?: proto \w+)?"
)
_STATES = frozenset({"INCOMPLETE", "REACHABLE", "STALE", "DELAY", "PROBE", "FAILED", "NOARP", "PERMANENT", "NONE"})


def answers_of_text(
    output: Output,
    rows: Callable[[str], Iterator[Row | Skipped]],
    read: Callable[[Mapping[str, Any]], Iterable[Answer]],
    *tables: type[Fact],
) -> Iterator[Answer]:
    """What ``read`` makes of each row; the tables as missing where it makes nothing of any.

    Raises:
        ParseError: there are no rows.
    """
    yield from some(_answers(output.stdout, rows, read, tables), output, "plain text of iproute2")


def _answers(
    text: str,
    rows: Callable[[str], Iterator[Row | Skipped]],
    read: Callable[[Mapping[str, Any]], Iterable[Answer]],
    tables: tuple[type[Fact], ...],
) -> Iterator[Answer]:
    seen = found = 0
    for row in rows(text):
        if isinstance(row, Skipped):
            yield row
            continue
        seen += 1
        try:
            facts = [replace(one, line=row[0]) for one in read(row[1]) if isinstance(one, Fact)]
        except ParseError as error:
            yield Skipped(row[0], error.text, error.expected)
            continue
        found += len(facts)
        yield from facts
    if seen and not found:
        yield from (Missing(table.TABLE, Why.ABSENT, f"none in {seen} rows") for table in tables)


def interfaces(text: str) -> Iterator[Row | Skipped]:
    """``ip link`` or ``ip addr``: a heading for each interface, and indented lines."""
    row: Row | None = None
    for number, line in numbered(whole(text)):
        if found := _HEADING.fullmatch(line):
            if row:
                yield row
            row = number, _interface(found)
        elif line[:1].isspace() and row and not _begins(line, row[1]):
            _take(line.strip(), row[1])
        elif line:
            if row and _begins(line, row[1]):
                yield row
                row = None
            yield Skipped(number, line, "N: INTERFACE: <FLAGS> mtu N")
    if row and text.endswith("\n"):  # else the lines behind the cut may hold more of it
        yield row
    yield from torn(text)


def _interface(found: re.Match[str]) -> dict[str, Any]:
    one: dict[str, Any] = {
        "ifname": found["ifname"],
        "flags": found["flags"].split(","),
        "mtu": int(found["mtu"]),
        "addr_info": [],
    }
    for word, value in re.findall(r" (state|master) (\S+)", found["rest"]):
        one["operstate" if word == "state" else word] = value
    return one


def _begins(line: str, one: dict[str, Any]) -> bool:
    """Whether another interface begins here, though this is no heading."""
    return bool(_SECOND.search(line)) or ("link_type" in one and line.lstrip().startswith("link/"))


def _take(line: str, one: dict[str, Any]) -> None:
    if found := _LINK.fullmatch(line):
        one |= {"link_type": found["link_type"], "address": found["address"] or ""}
        one |= dict(re.findall(r" (parentbus|parentdev) (\S+)", found["rest"]))
    elif line.startswith(("alias ", "altname ")):
        word, _, name = line.partition(" ")
        if word == "alias":
            one["ifalias"] = name
        else:
            one.setdefault("altnames", []).append(name)
    elif found := _INET.fullmatch(line):
        scope = re.search(r" scope (\S+)", found["rest"])
        one["addr_info"].append(
            {
                "local": found["local"],
                "prefixlen": int(found["prefixlen"]),
                "scope": scope[1] if scope else None,
                "dadfailed": "dadfailed" in found["rest"].split(),
            }
        )
    elif found := _KINDS.match(line):
        one["linkinfo"] = {"info_kind": found[1]}


def routes(text: str) -> Iterator[Row | Skipped]:
    """``ip route``: a line for each; several next hops stand below theirs."""
    row: Row | None = None
    for number, line in numbered(whole(text)):
        words = line.split()
        told = _route(words[words[:1] == ["nexthop"] :])
        if told is None:
            if words:
                yield Skipped(number, line, "PREFIX via GATEWAY dev INTERFACE")
        elif words[0] != "nexthop":
            if row:
                yield row
            row = number, told
        elif row and not {"dev", "type", "gateway"} & row[1].keys():
            row[1].setdefault("nexthops", []).append(told)
        else:
            yield Skipped(number, line, "the prefix of the next hops: it is lost")
    if row:
        yield row
    yield from torn(text)


def _route(words: list[str]) -> dict[str, Any] | None:
    """The words of a route or next hop; None where a word stands twice or there is no prefix."""
    told: dict[str, Any] = {"flags": []}
    if words and _ROUTE_TYPES.fullmatch(words[0]):
        told["type"] = words.pop(0)
    if words and words[0] not in _ROUTE_KEYS:
        if not _PREFIX.fullmatch(words[0]):
            return None
        told["dst"] = words.pop(0)
    waiting = ""
    for word in words:
        if waiting and word not in ("inet", "inet6"):
            if waiting in told:
                return None
            told[waiting] = int(word) if waiting == "metric" and word.isdecimal() else word
            waiting = ""
        elif word in _ROUTE_FLAGS:
            told["flags"].append(word)
        elif not waiting:
            waiting = _ROUTE_KEYS.get(word, "")
    return told if "dst" in told or "dev" in told else None


def rules(text: str) -> Iterator[Row | Skipped]:
    """``ip rule``: ``PRIORITY: from PREFIX [SELECTOR VALUE] lookup TABLE``, or an action."""
    for number, line in numbered(whole(text)):
        found = _RULE.fullmatch(line)
        told = _rule(found) if found else None
        if told:
            yield number, told
        elif line:
            yield Skipped(number, line, "PRIORITY: from PREFIX lookup TABLE")
    yield from torn(text)


def _rule(found: re.Match[str]) -> dict[str, Any] | None:
    told: dict[str, Any] = {"priority": int(found["priority"])}
    if found["not"]:
        told["not"] = None
    source, *words = found["words"].split()
    if not _PREFIX.fullmatch(source):
        return None
    told["src"] = source
    names = {"to": "dst", "lookup": "table", "iif": "iif", "oif": "oif", "fwmark": "fwmark"}
    for word, value in zip(words, [*words[1:], ""], strict=False):
        if word in names:
            told[names[word]] = value.partition("/")[0] if word == "fwmark" else value
    if "table" not in told and words and words[-1] in ("unreachable", "prohibit", "blackhole"):
        told["action"] = words[-1]
    known = told.get("table") or told.get("action")
    return told if known and words.count("lookup") <= 1 and "from" not in words else None


def neighbors(text: str) -> Iterator[Row | Skipped]:
    """``ip neigh``: ``ADDRESS dev INTERFACE [lladdr MAC] STATE``."""
    for number, line in numbered(whole(text)):
        found = _NEIGHBOR.fullmatch(line)
        states = found["state"].split(",") if found else []
        if found and _STATES.issuperset(states):
            yield number, found.groupdict() | {"state": states}
        elif line:
            yield Skipped(number, line, "ADDRESS dev INTERFACE lladdr MAC STATE")
    yield from torn(text)
