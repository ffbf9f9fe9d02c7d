"""Many components in few words: equal parts are named once, targets as a node set."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fabric_audit.inventory.nodes import fold

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LISTED = 16  # components of one target that are named
_RAIL = re.compile(r"rail (\d+)")


@dataclass(frozen=True, slots=True)
class Folded:
    """Components in words, and how many lines were left out."""

    lines: tuple[str, ...]
    more: int = 0

    def __str__(self) -> str:
        words = "; ".join(self.lines)
        return f"{words}; and {self.more} more" if self.more else words


def targets(names: Iterable[str]) -> str:
    """Targets as a node set, ``gpu[01-08]``; names no node set can have stand beside it."""
    names = list(dict.fromkeys(names))
    plain = [name for name in names if _NAME.fullmatch(name)]
    other = [name for name in names if not _NAME.fullmatch(name)]
    return ", ".join([fold(plain), *other] if plain else other)


def folded(subjects: Iterable[tuple[str, ...]], most: int = 8) -> Folded:
    """Components, those of several targets together where they are the same on each.

    Args:
        subjects: component paths, the target first.
        most: lines at most.
    """
    parts: dict[str, list[tuple[str, ...]]] = {}
    for subject in dict.fromkeys(subjects):
        parts.setdefault(subject[0], []).append(subject[1:])
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for target, found in parts.items():
        alike.setdefault(tuple(found), []).append(target)
    lines = tuple(_line(names, found) for found, names in alike.items())
    return Folded(lines[:most], max(0, len(lines) - most))


def _line(names: list[str], parts: tuple[tuple[str, ...], ...]) -> str:
    inside = [" ".join(part) for part in parts if part]
    listed = ", ".join(inside[:_LISTED])
    more = f" and {len(inside) - _LISTED} more" if len(inside) > _LISTED else ""
    return f"{targets(names)} {listed}{more}".rstrip()


def rails(subjects: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Rails these components name, ascending."""
    found = {match[1] for subject in subjects for part in subject[1:] if (match := _RAIL.fullmatch(part))}
    return tuple(sorted(found, key=int))


def without_name(text: str, target: str) -> str:
    """The words that are the same for every target: its name is left open."""
    return re.sub(rf"(?<![\w.-]){re.escape(target)}(?![\w-])", "…", text) if target and target in text else text
