"""Joins what every target sees of its neighbours into links with two ends.

Sources, in the order they are believed: LLDP, a NIC's MAC address in a switch's MAC table, the same in a routed
port's ARP or neighbour table, the cable plan. A link says by which it was found, and names a source that disagrees.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from fabric_audit.facts import Fact
from fabric_audit.facts.intent import Cable, Link
from fabric_audit.facts.ports import Interface, MacEntry, Neighbor, NeighborEntry, PortAlias
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import Stamped
from fabric_audit.inventory.model import Inventory

End: TypeAlias = tuple[str, str]
"""(target, canonical port)"""
Aliases: TypeAlias = Mapping[str, Callable[[str], Iterable[str]]]
"""Platform name → other names a neighbour may use for one of its ports."""

FactT = TypeVar("FactT", bound=Fact)
SOURCES = ("lldp", "mac", "arp", "cables")


@dataclass(frozen=True, slots=True)
class _Seen:
    """One end's word about its other end."""

    here: End
    there: End
    by: str
    path: str
    line: int


@dataclass(slots=True)
class _Names:
    """Every name by which a target or one of its ports may be called."""

    targets: dict[str, str] = field(default_factory=dict)
    ports: dict[str, dict[str, str]] = field(default_factory=dict)
    macs: dict[str, End] = field(default_factory=dict)

    def target(self, *words: str | None) -> str | None:
        """The target that one of these words names: its host name, with or without domain, or a MAC address."""
        for word in words:
            if not word:
                continue
            lowered = word.lower()
            for name in (lowered, lowered.partition(".")[0]):
                if name in self.targets:
                    return self.targets[name]
            if lowered in self.macs:
                return self.macs[lowered][0]
        return None

    def port(self, target: str, *words: str | None) -> str | None:
        """The canonical port of a target that one of these words names."""
        known = self.ports.get(target, {})
        return next((known[word.lower()] for word in words if word and word.lower() in known), None)


def links(stamped: Iterable[Stamped], inventory: Inventory, aliases: Aliases) -> Iterator[Stamped]:
    """All links of the inventory's targets, each once; ends that lead outside the inventory are left out."""
    facts = list(stamped)
    names = _names(facts, inventory, aliases)
    seen = _by_lldp(facts, names)
    fabric_ends = {s.here for s in seen if _both_switches(s, inventory)}
    switches = {switch.name for switch in inventory.switches}
    seen += _by_mac(facts, names, fabric_ends, switches)
    seen += _by_cables(facts, names)
    yield from _joined(seen, inventory)


def _of(facts: Iterable[Stamped], kind: type[FactT]) -> Iterator[tuple[Stamped, FactT]]:
    for one in facts:
        if isinstance(one.fact, kind):
            yield one, one.fact


def _names(facts: list[Stamped], inventory: Inventory, aliases: Aliases) -> _Names:
    names = _Names()
    platforms = {target.name: target.platform for target in inventory.targets}
    for target in inventory.targets:
        names.targets[target.name.lower()] = target.name
        names.targets.setdefault(target.name.lower().partition(".")[0], target.name)
    for one, system in _of(facts, System):
        names.targets.setdefault(system.name.lower(), one.target)
        names.targets.setdefault(system.name.lower().partition(".")[0], one.target)
    hosts = {host.name for host in inventory.hosts}
    for one, interface in _of(facts, Interface):
        known = names.ports.setdefault(one.target, {})
        known[interface.port.lower()] = interface.port
        for alias in aliases.get(platforms.get(one.target, ""), _no_aliases)(interface.port):
            known.setdefault(alias.lower(), interface.port)
        if interface.mac:
            known.setdefault(interface.mac, interface.port)
            if one.target in hosts:
                names.macs.setdefault(interface.mac, (one.target, interface.port))
    for one, alias_fact in _of(facts, PortAlias):
        names.ports.setdefault(one.target, {}).setdefault(alias_fact.alias.lower(), alias_fact.port)
    return names


def _no_aliases(_port: str) -> Iterable[str]:
    return ()


def _by_lldp(facts: list[Stamped], names: _Names) -> list[_Seen]:
    """What neighbours say; a port by a name that nobody knows counts only where the other end says nothing better."""
    found: dict[bool, list[_Seen]] = {True: [], False: []}
    for one, neighbor in _of(facts, Neighbor):
        target = names.target(neighbor.system_name, neighbor.chassis_id, neighbor.port_id)
        if target is None:
            continue
        here = names.port(one.target, neighbor.port) or neighbor.port
        there = names.port(target, neighbor.port_id, neighbor.port_description)
        seen = _Seen((one.target, here), (target, there or neighbor.port_id), neighbor.by or "lldp", one.path, one.line)
        found[there is not None].append(seen)
    known = {end for seen in found[True] for end in (seen.here, seen.there)}
    return found[True] + [seen for seen in found[False] if seen.here not in known]


def _by_mac(facts: list[Stamped], names: _Names, fabric_ends: set[End], switches: set[str]) -> Iterator[_Seen]:
    """A host NIC's MAC learned on a switch port that leads to no other switch is at the end of that cable."""
    learned = [(one, entry.port, entry.mac, "mac") for one, entry in _of(facts, MacEntry)]
    learned += [(one, row.port, row.mac or "", "arp") for one, row in _of(facts, NeighborEntry)]
    for one, port, mac, by in learned:
        there = names.macs.get(mac)
        here = (one.target, names.port(one.target, port) or port)
        if there and here not in fabric_ends and one.target in switches:
            yield _Seen(here, there, by, one.path, one.line)


def _by_cables(facts: list[Stamped], names: _Names) -> Iterator[_Seen]:
    for one, cable in _of(facts, Cable):
        a = (cable.a_target, names.port(cable.a_target, cable.a_port) or cable.a_port)
        b = (cable.b_target, names.port(cable.b_target, cable.b_port) or cable.b_port)
        yield _Seen(a, b, "cables", one.path, one.line)


def _both_switches(seen: _Seen, inventory: Inventory) -> bool:
    switches = {switch.name for switch in inventory.switches}
    return seen.here[0] in switches and seen.there[0] in switches


def _joined(seen: list[_Seen], inventory: Inventory) -> Iterator[Stamped]:
    known = {target.name for target in inventory.targets}
    hosts = {host.name for host in inventory.hosts}
    seen = [s for s in seen if s.here[0] in known and s.there[0] in known]
    by_end: dict[End, list[_Seen]] = {}
    for one in seen:
        by_end.setdefault(one.here, []).append(one)
        by_end.setdefault(one.there, []).append(one)
    done: set[frozenset[End]] = set()
    for one in sorted(seen, key=lambda s: (SOURCES.index(s.by) if s.by in SOURCES else len(SOURCES), s.here, s.there)):
        pair = frozenset((one.here, one.there))
        rivals = [r for end in pair for r in by_end[end] if frozenset((r.here, r.there)) != pair]
        if pair in done or any(frozenset((r.here, r.there)) in done for r in rivals):
            continue
        done.add(pair)
        a, b = sorted(pair) if len(pair) == 2 else (one.here, one.there)  # noqa: PLR2004 - two ends
        yield Stamped(a[0], "topology", one.path, _link(a, b, one, rivals, hosts), one.line)


def _belief(seen: _Seen) -> tuple[int, End, End]:
    return SOURCES.index(seen.by) if seen.by in SOURCES else len(SOURCES), seen.here, seen.there


def _link(a: End, b: End, one: _Seen, rivals: list[_Seen], hosts: set[str]) -> Link:
    ends = sum(end[0] in hosts for end in (a, b))
    conflict = next((f"{r.by} says {r.here[0]} {r.here[1]} to {r.there[0]} {r.there[1]}" for r in rivals), None)
    return Link(
        a_target=a[0],
        a_port=a[1],
        b_target=b[0],
        b_port=b[1],
        by=one.by,
        role=("fabric", "host", "direct")[ends],
        conflict=conflict,
    )
