"""What ``dcb`` of iproute2 prints, in any of its layouts, as words below the name of each attribute."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.platforms.hosts.linux.iproute import objects, tells_json
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.text import numbered, torn, whole

PFC = ("pfc-cap", "macsec-bypass", "delay", "prio-pfc", "requests", "indications")
APP = (
    *("ethtype-prio", "default-prio", "dscp-prio", "stream-port-prio"),
    *("dgram-port-prio", "port-prio", "pcp-prio"),
)
ETS = (
    *("willing", "ets-cap", "cbs", "tc-bw", "pg-bw", "tc-tsa", "prio-tc"),
    *("reco-tc-bw", "reco-tc-tsa", "reco-prio-tc"),
)
BUFFER = ("prio-buffer", "buffer-size", "total-size")
DCBX = ("host", "lld-managed", "cee", "ieee", "static")
NAMES = frozenset((*PFC, *APP, *ETS, *BUFFER, "order", "tc-maxrate", "prio-pcp", "prio-dscp"))

_JSON_UNITS = {"buffer-size": "b", "total-size": "b", "tc-maxrate": "bit"}
_BITS_PER_BYTE = 8


@dataclass(frozen=True, slots=True)
class Attribute:
    """The words of one attribute, such as ``3:on``, and the line its name stands on (0 in JSON)."""

    words: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class DcbText:
    """Attributes by the name the text layouts use; ``dcbx`` holds the bare flags of ``dcb dcbx``."""

    attributes: Mapping[str, Attribute]
    skipped: tuple[Skipped, ...] = ()

    def pairs(self, name: str, left: str = "[0-7]", right: str = ".+") -> Iterator[tuple[re.Match[str], int]]:
        """(match with the groups ``left`` and ``right``, line) of each word; nothing where the attribute is absent.

        Raises:
            ParseError: a word has another form.
        """
        if name not in self.attributes:
            return
        attribute = self.attributes[name]
        pattern = re.compile(f"(?P<left>{left}):(?P<right>{right})")
        for word in attribute.words:
            found = pattern.fullmatch(word)
            if not found:
                raise ParseError(attribute.line, f"{name} {word}", f"{name} NUMBER:VALUE")
            yield found, attribute.line

    def eight(self, name: str, right: str) -> tuple[str, ...]:
        """The values of an attribute of eight; () where it is absent.

        Raises:
            ParseError: not each of 0 to 7 stands there once.
        """
        found = [(int(pair["left"]), pair["right"]) for pair, _ in self.pairs(name, right=right)]
        if found and [number for number, _ in found] != list(range(8)):
            attribute = self.attributes[name]
            raise ParseError(attribute.line, " ".join(attribute.words), f"{name} with values for 0 to 7")
        return tuple(value for _, value in found)


def read(text: str) -> DcbText:
    """Attributes of ``dcb OBJECT show``: JSON, several lines, or one line; keys in any order.

    Raises:
        ParseError: the first word is no attribute of dcb.
    """
    return _of_json(text) if tells_json(text) else _of_words(text)


def _of_words(text: str) -> DcbText:
    found: dict[str, list[list[str]]] = {}
    lines: dict[str, int] = {}
    name = ""
    for number, line in numbered(whole(text)):
        if re.match(r"\s*(?:\$|\S*[$#])\s", f"{line} "):
            continue
        for word in line.split():
            plain = word.removesuffix(":")
            if plain in NAMES or (word in DCBX and name in ("", "dcbx")):
                if not (name == "dcbx" and plain not in NAMES):
                    name = plain if plain in NAMES else "dcbx"
                    found.setdefault(name, []).append([])
                lines.setdefault(name, number)
                if name == "dcbx" and word not in found[name][-1]:
                    found[name][-1].append(word)
            elif not name:
                raise ParseError(number, line, "an attribute of dcb, such as pfc-cap, dscp-prio or tc-tsa")
            else:
                found[name][-1].append(word)
    attributes, contradicted = _once(found, lines)
    return DcbText(attributes, (*contradicted, *torn(text)))


def _once(found: Mapping[str, list[list[str]]], lines: Mapping[str, int]) -> tuple[dict[str, Attribute], list[Skipped]]:
    """Attributes that were told once, or the same each time; and those that contradict themselves."""
    attributes: dict[str, Attribute] = {}
    contradicted: list[Skipped] = []
    for name, told in found.items():
        if all(words == told[0] for words in told):
            attributes[name] = Attribute(tuple(told[0]), lines[name])
        else:
            contradicted.append(Skipped(lines[name], name, f"{name} once: neither counts"))
    return attributes, contradicted


def _of_json(text: str) -> DcbText:
    attributes: dict[str, Attribute] = {}
    for document in objects(text, "an object of dcb attributes"):
        for key, value in document.items():
            name = key.replace("_", "-")
            if name in DCBX and name not in NAMES:
                flags = attributes.get("dcbx", Attribute((), 0)).words
                attributes["dcbx"] = Attribute((*flags, name) if value is True else flags, 0)
            elif name in NAMES:
                attributes[name] = Attribute(tuple(_words(name, value)), 0)
    return DcbText(attributes)


def _words(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list):
        yield _word(name, value)
        return
    for index, one in enumerate(value):
        if isinstance(one, list):
            yield ":".join(_word(name, part) for part in one)
        elif name in ("order", "default-prio"):
            yield _word(name, one)
        else:
            yield f"{index}:{_word(name, one)}"


def _word(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int) and name == "tc-maxrate":
        value *= _BITS_PER_BYTE
    return f"{value}{_JSON_UNITS.get(name, '')}"
