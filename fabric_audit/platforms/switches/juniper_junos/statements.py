"""A Junos configuration as a tree of words, from its braces or from its ``set`` lines: both say the same.

``classifiers { dscp mine { forwarding-class A; } }`` and ``set classifiers dscp mine forwarding-class A`` give the
words classifiers, dscp, mine, forwarding-class, A, each below the one before.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from fabric_audit.errors import ParseError
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.text import numbered

_WORD = r"[^\s{};\[\]]+(?:\[[^\s\]]*\][^\s{};\[\]]*)*"
_TOKEN = re.compile(rf'"(?:[^"\\]|\\.)*"|/\*.*?\*/|##.*|[{{}};]|\[|\]|{_WORD}')
_PREFIXES = ("inactive:", "protect:", "unprotect:", "replace:", "delete:")


@dataclass(slots=True)
class Statement:
    """One word with the words below it, in order; ``line`` is where it stands first."""

    line: int = 0
    children: dict[str, "Statement"] = field(default_factory=dict)

    def get(self, *words: str) -> "Statement":
        """The place below these words; an empty one where there is none."""
        place = self
        for word in words:
            found = place.children.get(word)
            if found is None:
                return Statement()
            place = found
        return place

    def has(self, *words: str) -> bool:
        """Whether these words stand here, one below the other."""
        place = self
        for word in words:
            if word not in place.children:
                return False
            place = place.children[word]
        return True

    def word(self) -> str | None:
        """The first word below: the value of a statement that has one."""
        return next(iter(self.children), None)

    def words(self) -> Iterator[tuple[str, "Statement"]]:
        """All words below at any depth, as they are written."""
        for name, child in self.children.items():
            yield name, child
            yield from child.words()

    def value(self, name: str) -> tuple[str, int] | None:
        """The word after ``name``, at any depth below, and its line; None where there is no such word."""
        for found, child in self.words():
            if found == name:
                return (child.word() or "", child.line)
        return None

    def grow(self, path: list[str], line: int) -> "Statement":
        """The place below these words, made where it is not there."""
        place = self
        for word in path:
            place = place.children.setdefault(word, Statement(line))
        return place

    def under(self, other: "Statement") -> None:
        """Take over what ``other`` says and this does not; a single value here is not joined with one there."""
        for name, child in other.children.items():
            mine = self.children.get(name)
            if mine is None:
                self.children[name] = child
            elif mine.children and not _is_value(mine):
                mine.under(child)


def _is_value(statement: Statement) -> bool:
    """One word with nothing below it: a value, which overrides and is not merged."""
    return len(statement.children) == 1 and not next(iter(statement.children.values())).children


def matching(names: dict[str, Statement], pattern: str) -> Iterator[tuple[str, Statement]]:
    """Members whose name a wildcard of Junos (``et-*``, ``<et-0/0/[0-3]>``) matches."""
    bare = pattern.strip("<>")
    for name, statement in names.items():
        if fnmatchcase(name, bare):
            yield name, statement


def statements(text: str) -> Statement:
    """The tree of a configuration in either form.

    Raises:
        ParseError: braces that do not close, or no statement at all.
    """
    lines = list(numbered(text))
    if any(re.match(r"set \S", line) for _, line in lines):
        return _from_sets(lines)
    return _from_braces(lines)


def _from_sets(lines: list[tuple[int, str]]) -> Statement:
    root = Statement()
    for number, line in lines:
        words = [_bare(token) for token in _TOKEN.findall(line)]
        if words[:1] == ["set"]:
            _add(root, words[1:], number)
        elif words[:1] == ["deactivate"] and len(words) > 1:
            root.get(*words[1:-1]).children.pop(words[-1], None)
    return root


def _add(root: Statement, words: list[str], line: int) -> None:
    """Words of one statement; a list in brackets is one word below the same place for each member."""
    place, within = root, False
    for word in words:
        if word in "[]":
            within = word == "["
        elif within:
            place.grow([word], line)
        else:
            place = place.grow([word], line)


def _bare(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == '"' == token[-1] else token


def _from_braces(lines: list[tuple[int, str]]) -> Statement:
    root = Statement()
    open_places = [root]
    pending: list[str] = []
    started = 0
    for number, token in _tokens(lines):
        started = number if not pending else started
        if token == "{":  # noqa: S105 - a brace
            open_places.append(_opened(open_places[-1], pending, started))
            pending = []
        elif token == ";":  # noqa: S105 - a semicolon
            if not _left_out(pending):
                _add(open_places[-1], [word for word in pending if word not in _PREFIXES], started)
            pending = []
        elif token == "}":  # noqa: S105 - a brace
            if pending or len(open_places) == 1:
                raise ParseError(number, " ".join([*pending, token]), "`;` after a statement, and braces in pairs")
            open_places.pop()
        else:
            pending.append(token)
    if len(open_places) > 1 or (pending and root.children):
        raise ParseError(lines[-1][0], " ".join(pending), "closing braces: the text was cut")
    return root


def _opened(place: Statement, words: list[str], line: int) -> Statement:
    """The place that a brace opens; of what is deactivated nothing is kept."""
    if _left_out(words):
        return Statement(line)
    return place.grow([word for word in words if word not in _PREFIXES], line)


def _left_out(words: list[str]) -> bool:
    return bool(words) and words[0] in ("inactive:", "delete:")


def _tokens(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Words, braces and semicolons; comments, prompts and echoed commands are left out."""
    comment = False
    for number, line in lines:
        content = line.strip()
        if comment or content.startswith("/*"):
            comment = "*/" not in content
            continue
        if is_noise(content) or re.match(r"\{(master|backup|linecard|primary)\b.*\}", content):
            continue
        for token in _TOKEN.findall(content):
            if not token.startswith(("/*", "##")):
                yield number, _bare(token)
