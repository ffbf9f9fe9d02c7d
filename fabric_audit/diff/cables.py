"""Cables that lead elsewhere. Their ends are told by several tables, so they are compared as links, once each."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from fabric_audit.diff.answers import Answers
from fabric_audit.diff.names import End, Names, Tables, far_ends
from fabric_audit.findings import Change

if TYPE_CHECKING:
    import pandas as pd

Ends: TypeAlias = dict[End, End]
NOTHING = "nothing that is known"


def cables(before: Tables, after: Tables, names: Names, told: Answers, tells: Answers) -> Iterator[Change]:
    """One change for each cable, at its host end where it has one."""
    was: Ends = {_renamed(near, names): _renamed(far, names) for near, far in far_ends(before["link"])}
    now: Ends = dict(far_ends(after["link"]))
    both = told.targets & tells.targets
    done: set[frozenset[End]] = set()
    hosts = _hosts(after["target"])
    for end in sorted(was.keys() | now.keys(), key=lambda end: (end[0] not in hosts, end)):
        old, new = was.get(end), now.get(end)
        links = {frozenset((end, far)) for far in (old, new) if far is not None}
        if old == new or links <= done or not _known(end, old, new, both, (told, tells)):
            continue
        done |= links
        yield Change(
            subject=end,
            table="link",
            field="peer",
            meaning="cable leads to",
            before=" ".join(old) if old else NOTHING,
            after=" ".join(new) if new else NOTHING,
        )


def _renamed(end: End, names: Names) -> End:
    return end[0], str(names.of(*end))


def _hosts(target: "pd.DataFrame") -> set[str]:
    return set(target[target["kind"] == "host"]["target"])


def _known(end: End, old: End | None, new: End | None, both: frozenset[str], sides: tuple[Answers, Answers]) -> bool:
    """Both captures have the targets, and where an end is not seen they had the means to see it."""
    if not {one[0] for one in (end, old, new) if one is not None} <= both:
        return False
    for far, other, side in ((old, new, sides[0]), (new, old, sides[1])):
        lacking = [one[0] for one in (end, other) if one is not None] if far is None else []
        if not all(side.whole(target, "link") for target in lacking):
            return False
    return True
