"""Configuration and state: every field of kind *exact* of every table whose rows stand still by themselves."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from fabric_audit.diff.answers import Answers
from fabric_audit.diff.names import Names
from fabric_audit.diff.rows import Key, Shape, in_frame, plain, renamed, shape, subject, words
from fabric_audit.facts import Fact, Kind, all_tables, columns
from fabric_audit.findings import Audit, Change, Evidence

Rows: TypeAlias = dict[Key, tuple[Any, ...]]
_Row: TypeAlias = tuple[str, Shape, Key, tuple[Any, ...]]
THERE, ABSENT = "there", "not there"
_BY_OTHERS = frozenset({"link", "source"})
"""The table that is compared as cables, and the field that only says which tool has told a row."""


def settings(before: Audit, after: Audit, names: Names, told: Answers, tells: Answers) -> Iterator[Change]:
    """What is set or stands otherwise, on targets that both captures have and have asked."""
    both = told.targets & tells.targets
    came: list[_Row] = []
    went: list[_Row] = []
    changed: list[Change] = []
    parts: tuple[dict[tuple[str, str], set[str]], ...] = ({}, {})
    for table, fact in all_tables().items():
        if not _compared(fact):
            continue
        form = shape(fact, Kind.EXACT)
        was, now = _rows(before, table, form, names), _rows(after, table, form, None)
        for rows, seen in zip((was, now), parts, strict=True):
            _note_parts(rows, form, seen)
        for key in was.keys() | now.keys():
            if key[0] not in both:
                continue
            if key in was and key in now:
                if told.told(key[0], table) and tells.told(key[0], table):
                    changed.extend(_changed(table, form, key, was[key], now[key]))
            elif told.whole(key[0], table) and tells.whole(key[0], table):
                (came if key in now else went).append((table, form, key, now.get(key) or was[key]))
    told_once = {(c.subject, c.table, c.field, c.before, c.after): c for c in changed}
    yield from sorted(told_once.values(), key=lambda change: (change.table, change.subject, change.field))
    yield from _existence(came, parts[0], ABSENT, THERE)
    yield from _existence(went, parts[1], THERE, ABSENT)


def _compared(fact: type[Fact]) -> bool:
    """Rows of tests, and those that come and go by themselves, are no configuration."""
    tests = any(column.repeat for column in columns(fact))
    return not (fact.PASSING or tests or fact.TABLE in _BY_OTHERS)


def _rows(audit: Audit, table: str, form: Shape, names: Names | None) -> Rows:
    """First reading of each row: target and key → values, then path and line of its evidence."""
    frame = audit.tables[table]
    used = ("target", *map(in_frame, (*form.keys, *form.columns)), "evidence", "evidence_line")
    size = 1 + len(form.keys)
    found: Rows = {}
    frame = frame.drop_duplicates(list(used[:size]))
    for row in plain(frame, used):
        whole = renamed(row, names)
        found.setdefault(whole[:size], whole[size:])
    return found


def _note_parts(rows: Rows, form: Shape, seen: dict[tuple[str, str], set[str]]) -> None:
    """Components of each target, by the first field that names them."""
    if form.keys:
        for key in rows:
            seen.setdefault((key[0], form.keys[0].name), set()).add(str(key[1]))


def _changed(table: str, form: Shape, key: Key, was: tuple[Any, ...], now: tuple[Any, ...]) -> Iterator[Change]:
    *_, path, line = now
    for at, column in enumerate(form.columns):
        if was[at] != now[at] and column.name not in _BY_OTHERS:
            yield Change(
                subject=subject(key, form.keys),
                table=table,
                field=column.name,
                meaning=column.meaning,
                before=words(column, was[at]),
                after=words(column, now[at]),
                evidence=Evidence(path, line or 0),
            )


def _existence(
    rows: list[_Row],
    others: Mapping[tuple[str, str], set[str]],
    before: str,
    after: str,
) -> Iterator[Change]:
    """Rows that came or went; those of a component that came or went as a whole are one change."""
    whole: dict[tuple[str, str, str], list[str]] = {}
    single = []
    for table, form, key, values in rows:
        first = form.keys[0].name if form.keys else ""
        if len(form.keys) > 1 and str(key[1]) not in others.get((key[0], first), set()):
            whole.setdefault((key[0], first, str(key[1])), []).append(table)
        else:
            single.append((table, form, key, values))
    known = {(key[0], form.keys[0].name, str(key[1])) for _, form, key, _ in single if form.keys}
    for (target, first, name), tables in sorted(whole.items()):
        if (target, first, name) not in known:
            what = f"rows of {', '.join(sorted(set(tables)))}"
            yield Change(
                subject=(target, name), table=first, field="", meaning=what, before=before, after=after, evidence=None
            )
    for table, form, key, values in sorted(single, key=lambda one: (one[0], str(one[2]))):
        meaning = (all_tables()[table].__doc__ or "").strip().split("\n")[0].rstrip(".")
        yield Change(
            subject=subject(key, form.keys),
            table=table,
            field="",
            meaning=meaning,
            before=before,
            after=after,
            evidence=Evidence(values[-2], values[-1] or 0),
        )
