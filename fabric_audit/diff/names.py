"""Ports and devices that have another name: the same hardware address, PCI address, or far end of the cable.

After an upgrade a switch may call its ports by other names. Everything is then compared under the new name, and only
the renaming is told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from fabric_audit.findings import Change

if TYPE_CHECKING:
    import pandas as pd

End: TypeAlias = tuple[str, str]
Tables: TypeAlias = Mapping[str, "pd.DataFrame"]
Renamed: TypeAlias = Mapping[End, str]

_IDENTITIES = (("interface", "port", "mac"), ("interface", "port", "pci"), ("rdma_device", "device", "pci"))
"""(table, column of the name, column that stays)."""


@dataclass(frozen=True, slots=True)
class Names:
    """New names by target and old name."""

    new: Renamed = field(default_factory=dict)
    told: tuple[Change, ...] = ()

    def of(self, target: str, name: object) -> object:
        """What the component, or each of several in a row, is called in the later capture."""
        if not isinstance(name, str):
            return name
        return self.new.get((target, name)) or ",".join(self.new.get((target, one), one) for one in name.split(","))

    def subject(self, subject: tuple[str, ...]) -> tuple[str, ...]:
        """A component path under its new names; a target in the middle begins a path of its own."""
        if not self.new:
            return subject
        targets = {target for target, _ in self.new}
        at, found = subject[0], []
        for part in subject:
            at = part if part in targets else at
            found.append(str(self.of(at, part)))
        return tuple(found)


def renames(before: Tables, after: Tables) -> Names:
    """Every component of both captures that has another name in the later one."""
    found: dict[End, str] = {}
    for table, name, identity in _IDENTITIES:
        was, now = _by_identity(before[table], name, identity), _by_identity(after[table], name, identity)
        ends = _ends(before[table], name), _ends(after[table], name)
        for key, old in was.items():
            if key in now:
                _note(found, (key[0], old), (key[0], now[key]), ends)
    _by_far_ends(found, before, after)
    changes = (_told(end, new) for end, new in sorted(found.items()))
    return Names(found, tuple(changes))


def _note(found: dict[End, str], old: End, new: End, ends: tuple[set[End], set[End]]) -> bool:
    """A name that both captures have is no new name."""
    if old == new or old in ends[1] or new in ends[0] or old in found:
        return False
    found[old] = new[1]
    return True


def _by_identity(frame: "pd.DataFrame", name: str, identity: str) -> dict[tuple[str, str], str]:
    """(target, identity) → name, for identities that one component of the target has alone."""
    known = frame[frame[identity].notna()]
    rows = list(zip(known["target"], known[identity], known[name], strict=True))
    names: dict[tuple[str, str], set[str]] = {}
    for target, value, called in rows:
        names.setdefault((target, value), set()).add(called)
    return {key: next(iter(called)) for key, called in names.items() if len(called) == 1}


def _ends(frame: "pd.DataFrame", name: str) -> set[End]:
    return set(zip(frame["target"], frame[name], strict=True))


def _by_far_ends(found: dict[End, str], before: Tables, after: Tables) -> None:
    """Ports whose cable leads where it did, until no more are found: each that is known helps those behind it."""
    ends = _ends(before["interface"], "port"), _ends(after["interface"], "port")
    was, now = dict(far_ends(before["link"])), {far: near for near, far in far_ends(after["link"])}
    again = True
    while again:
        again = False
        for near, far in was.items():
            there = (far[0], found.get(far, far[1]))
            new = now.get(there)
            if new is not None and new[0] == near[0]:
                again |= _note(found, near, new, ends)


def far_ends(link: "pd.DataFrame") -> Iterator[tuple[End, End]]:
    """Every end of every link with its other end."""
    columns = (link[name] for name in ("a_target", "a_port", "b_target", "b_port"))
    for a_target, a_port, b_target, b_port in zip(*columns, strict=True):
        yield (a_target, a_port), (b_target, b_port)
        yield (b_target, b_port), (a_target, a_port)


def _told(end: End, new: str) -> Change:
    return Change(
        subject=(end[0], new), table="interface", field="port", meaning="is now called", before=end[1], after=new
    )
