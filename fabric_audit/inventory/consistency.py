"""What a file may get wrong although each of its lines is right: names, models, rails, ports that clash.

Every function looks at plain values and keeps quiet about what the schema has already refused.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fabric_audit.documents.nodes import Document, Location
from fabric_audit.documents.validation import meant, shown
from fabric_audit.errors import Fault
from fabric_audit.inventory.model import Target
from fabric_audit.inventory.nodes import MOST_NODES, NodesError, count, expand, fold
from fabric_audit.inventory.schema import CableEntry

Place: TypeAlias = tuple[str, int]
"""Section and index, as in ``("hosts", 3)``."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of ``hosts`` or ``switches`` as it stands in the file."""

    place: Place
    values: Mapping[str, object]


def entries_of(plain: Mapping[str, object]) -> tuple[Entry, ...]:
    """The items of ``hosts`` and ``switches`` that are mappings."""
    found = []
    for section in ("hosts", "switches"):
        items = plain.get(section)
        for index, values in enumerate(items if isinstance(items, list) else ()):
            if isinstance(values, dict):
                found.append(Entry((section, index), values))
    return tuple(found)


def faults(document: Document, plain: Mapping[str, object], shipped: Iterable[str]) -> Iterator[Fault]:
    """Everything that the lines of one file say against each other; ``shipped`` are models it need not define."""
    entries = entries_of(plain)
    own = plain.get("models")
    models = (*shipped, *(own if isinstance(own, dict) else ()))
    yield from _misplaced_pod(document, plain)
    yield from _repeated_names(document, entries)
    yield from _unknown_models(document, plain, models)
    yield from _missing_platforms(document, plain)
    yield from _clashing_nics(document, plain)


def too_many(document: Document, plain: Mapping[str, object]) -> Iterator[Fault]:
    """More names in the whole file than the tool expands, counted without expanding."""
    total = 0
    for entry in entries_of(plain):
        name = entry.values.get("name")
        total += count(name) if isinstance(name, str) else 0
        if total > MOST_NODES:
            yield document.fault(
                (*entry.place, "name"),
                f"with these the inventory has {total:,} targets",
                f"the limit is {MOST_NODES:,}: check the ranges for a slip",
            )
            return


def _repeated_names(document: Document, entries: Iterable[Entry]) -> Iterator[Fault]:
    """One fault for each entry with names that an earlier one has."""
    owner: dict[str, Place] = {}
    for entry in entries:
        try:
            names = expand(str(entry.values.get("name", "")))
        except NodesError:
            continue
        if clash := [name for name in names if name in owner]:
            earlier = owner[clash[0]]
            kind = "host" if earlier[0] == "hosts" else "switch"
            line = document.place((*earlier, "name")).line
            yield document.fault(
                (*entry.place, "name"),
                f"{fold(clash)} is a {kind} on line {line} already",
                "give every target a name of its own",
            )
        owner.update({name: entry.place for name in names if name not in owner})


def _unknown_models(document: Document, plain: Mapping[str, object], known: tuple[str, ...]) -> Iterator[Fault]:
    """References to models that neither the file nor the tool has."""
    defaults = plain.get("defaults")
    shared = defaults.get("hosts") if isinstance(defaults, dict) else None
    places: list[tuple[Location, object]] = [
        ((*entry.place, "model"), entry.values.get("model")) for entry in entries_of(plain) if entry.place[0] == "hosts"
    ]
    if isinstance(shared, dict):
        places.append((("defaults", "hosts", "model"), shared.get("model")))
    for location, name in places:
        if isinstance(name, str) and name.strip() and name not in known:
            yield document.fault(location, f"unknown model {shown(name)}", meant(name, known))


def _missing_platforms(document: Document, plain: Mapping[str, object]) -> Iterator[Fault]:
    """Switches whose OS nobody says."""
    defaults = plain.get("defaults")
    shared = defaults.get("switches") if isinstance(defaults, dict) else None
    if isinstance(shared, dict) and shared.get("platform") is not None:
        return
    for entry in entries_of(plain):
        if entry.place[0] == "switches" and entry.values.get("platform") is None:
            yield document.fault(
                entry.place, "'platform' is missing", "add platform: and the switch's OS, such as sonic"
            )


def _clashing_nics(document: Document, plain: Mapping[str, object]) -> Iterator[Fault]:
    """NICs of one list that have the same name or, but for planes and bonds, the same rail."""
    models = plain.get("models")
    lists: list[tuple[Location, object]] = [
        (("models", name, "nics"), model.get("nics"))
        for name, model in (models.items() if isinstance(models, dict) else ())
        if isinstance(model, dict)
    ]
    lists += [((*entry.place, "nics"), entry.values.get("nics")) for entry in entries_of(plain)]
    for location, nics in lists:
        if isinstance(nics, list):
            yield from _clashes(document, location, nics)


def _clashes(document: Document, location: Location, nics: list[object]) -> Iterator[Fault]:
    compute = [nic for nic in nics if isinstance(nic, dict) and nic.get("role", "compute") == "compute"]
    numbered = any(nic.get("rail") is not None for nic in compute)
    seen: set[tuple[str, str]] = set()
    for index, nic in enumerate(nics):
        if not isinstance(nic, dict):
            continue
        here = (*location, index)
        for key in ("device", "netdev", "pci", "rail"):
            value = nic.get(key)
            if value is None:
                if key == "rail" and numbered and nic in compute:
                    yield document.fault(here, "this compute NIC has no rail", "number all of them, or none")
                continue
            if key == "rail":
                value = (value, nic.get("plane"), nic.get("bond") and nic.get("netdev"))
            if (key, str(value)) in seen:
                words = f"{key} {shown(nic[key])} stands on another NIC of this host already"
                yield document.fault((*here, key), words, "tell ports of one rail apart by plane or bond")
            seen.add((key, str(value)))


def uncounted_devices(
    document: Document, location: Location, devices: list[str] | None, compute: int
) -> Iterator[Fault]:
    """A list of devices that is not as long as the compute NICs it names."""
    if devices is not None and len(devices) != compute:
        yield document.fault(
            (*location, "devices"),
            f"{len(devices)} devices are named here, the host has {compute} compute NICs",
            "name one device for each, in the order of the rails",
        )


def shared_addresses(document: Document, placed: Iterable[tuple[Location, Target]]) -> Iterator[Fault]:
    """Entries whose targets would all be reached at one address: a template without a field, mostly."""
    owner: dict[tuple[object, ...], str] = {}
    told: set[Location] = set()
    for location, target in placed:
        login = target.login
        way = (login.address.lower(), login.port, login.jump)
        if way in owner and location not in told:
            told.add(location)
            yield document.fault(
                (*location, "address"),
                f"{target.name} has the address of {owner[way]}, {login.address}",
                "tell targets apart with a field, as in '{name}.example.net'",
            )
        owner.setdefault(way, target.name)


def shared_ports(document: Document, cables: Iterable[tuple[Place, CableEntry]]) -> Iterator[Fault]:
    """Ends of ``cables`` at ports that have one already."""
    used: Counter[tuple[str, str]] = Counter()
    for place, cable in cables:
        for end, port in (("a", (cable.a_target, cable.a_port)), ("b", (cable.b_target, cable.b_port))):
            used[port] += 1
            if used[port] == 2:  # noqa: PLR2004 - the second cable is the one too many
                yield document.fault(
                    (*place, f"{end}_port"), f"{port[0]} {port[1]} has a cable already", "keep one of the two"
                )


def _misplaced_pod(document: Document, plain: Mapping[str, object]) -> Iterator[Fault]:
    """A simulated pod beside targets, or nothing to audit at all."""
    targets = [key for key in ("hosts", "switches", "cables", "models", "defaults") if plain.get(key)]
    if plain.get("simulated") is not None and targets:
        words = f"a simulated pod brings its own {targets[0]}"
        yield document.fault((targets[0],), words, f"leave out {targets[0]}, or leave out simulated", key=True)
    if plain.get("simulated") is None and plain.get("hosts", []) == plain.get("switches", []) == []:
        yield document.fault(
            (), "there are no hosts, no switches and no simulated pod", "add hosts:, switches: or simulated:"
        )
