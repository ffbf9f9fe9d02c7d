"""Replaces what identifies a fabric by what does not, the same by the same, in any text.

Names have names of the same length in their place, so that columns stay where they are. Addresses keep their prefix
relations and their kind (private, link-local, multicast), MAC addresses and GUIDs their vendor, so that what is in one
subnet, made of one MAC or of one make is so afterwards, too. Without the key nobody gets from the one to the other.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_HEX = "[0-9A-Fa-f]"
_PATTERN = re.compile(
    rf"""
      (?P<path>(?m:^)/(?:sys|proc)/\S{{0,300}}/[\w.-]{{1,80}}:)
    | (?P<of>\b(?:GPU|MIG)-)?(?P<uuid>\b{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}\b)
    | (?P<mac>(?<!\w)(?:{_HEX}{{2}}(?P<sep>[:-]){_HEX}{{2}}(?:(?P=sep){_HEX}{{2}}){{4}}(?![\w:-])
             |{_HEX}{{4}}(?P<dot>[.-]){_HEX}{{4}}(?P=dot){_HEX}{{4}}(?![\w.-])))
    | (?P<v6>(?<![\w.]){_HEX}{{0,4}}:(?:{_HEX}{{0,4}}:){{1,6}}{_HEX}{{0,4}}(?![\w:]))
    | (?P<guid>\b0x{_HEX}{{16}}\b|\b{_HEX}{{32}}\b)
    | (?P<v4>(?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\w]|\.\d))(?P<length>/\d{{1,2}})?
    | (?P<label>[A-Za-z]{{0,20}}[ _-]?(?i:serial(?:[ _-]?(?:number|num|no))?|vendor[ ]sn|(?<![a-z])sn)
       ["']?\s{{0,20}}[:=,]?\s{{0,20}}["']?)
      (?P<serial>[A-Za-z]{{1,6}}\d[A-Za-z0-9-]{{3,30}}|\d{{8,20}}\b)
    | (?P<free>(?m:^)[ ]{{0,20}}(?:description|snmp-server[ ](?:location|contact)|sys(?:Location|Contact))[ ]
             |"(?:interfaceD|d)escription"[ ]{{0,4}}:[ ]{{0,4}}")
      (?P<words>[^\n"]+)
    | (?P<word>[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*)
    """,
    re.VERBOSE,
)
_SEPARATED = re.compile(r"([._-]+)")
_WIDEST = 31
"""Pieces of a word, separators included, in which a name is looked for: 16 labels. What is longer is tried whole."""
_PRIVATE = {10: 0xFF, 172: 0x0F, 100: 0x3F}
"""First octet → bits of the second that may change within the block (RFC 1918, RFC 6598)."""
_KEPT = frozenset({0, 127, 169, *range(224, 256)})
"""First octets that say what an address is and not whose: RFC 6890, masks."""


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """One consistent replacement for a whole capture."""

    key: bytes
    names: Mapping[str, str]
    """Words that identify, in lower case, and what stands in their place."""
    _made: dict[tuple[str, int], int] = field(default_factory=dict)

    def __call__(self, text: str) -> str:
        """The text without anything that identifies."""
        return _PATTERN.sub(self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        if found["word"]:
            return self._word(found["word"])
        if found["v4"]:
            return self._v4(found["v4"], found["length"] or "")
        if found["path"]:  # of grep -H: what follows its colon is no part of it
            return found["path"]
        kept = found["of"] or found["label"] or found["free"] or ""
        alike, hidden = self._of_its_kind, _hidden
        ways = {"mac": self._mac, "v6": self._v6, "guid": self._guid, "uuid": alike, "serial": alike, "words": hidden}
        return kept + next(way(found[kind]) for kind, way in ways.items() if found[kind])

    def _word(self, word: str) -> str:
        """Names stand alone, or joined with others by dots, dashes and underscores; the longest is taken."""
        whole = self.names.get(word.lower())
        if whole is not None:
            return whole
        pieces = _SEPARATED.split(word)
        made, start = [], 0
        while start < len(pieces):
            for end in range(min(len(pieces), start + _WIDEST), start, -1):
                new = self.names.get("".join(pieces[start:end]).lower())
                if new is not None:
                    break
            else:
                end, new = start + 1, pieces[start]
            made.append(new)
            start = end
        return "".join(made)

    def _digest(self, kind: str, value: str) -> bytes:
        return blake2b(f"{kind} {value}".encode(), key=self.key).digest()

    def _of_its_kind(self, text: str) -> str:
        """As many digits and letters, each of its kind, in the same places."""
        stream = iter(self._digest("text", text.lower()))
        hexadecimal = "-" in text and all(piece == "" or re.fullmatch(f"{_HEX}+", piece) for piece in text.split("-"))
        return "".join(_alike(character, next(stream), hexadecimal=hexadecimal) for character in text)

    def _low24(self, value: int) -> int:
        """The part of a MAC that is the device's own; two never get the same."""
        if value in (0, 0xFFFFFF):
            return value
        if ("mac", value) not in self._made:
            taken = {made for (kind, _), made in self._made.items() if kind == "mac"}
            new, attempt = 0, 0
            while new in (0, 0xFFFFFF, value) or new in taken:
                new = int.from_bytes(self._digest("mac", f"{value} {attempt}")[:3], "big")
                attempt += 1
            self._made["mac", value] = new
        return self._made["mac", value]

    def _mac(self, text: str) -> str:
        digits = re.sub(r"[^0-9A-Fa-f]", "", text)
        if int(digits[:2], 16) & 1:  # group addresses are the same everywhere (IEEE 802 section 8)
            return text
        return _printed_like(text, digits[:6] + f"{self._low24(int(digits[6:], 16)):06x}")

    def _interface(self, bits: int) -> int:
        """The lower half of an IPv6 address, or a GUID: where a MAC is in it, that MAC's own."""
        if bits >> 40 == 0:
            return bits
        return bits & ~0xFFFFFF | self._low24(bits & 0xFFFFFF)

    def _v6(self, text: str) -> str:
        groups = text.split(":")
        if len(groups) == 4 and all(len(group) == 4 for group in groups):  # noqa: PLR2004 - a GUID
            return _printed_like(text, f"{self._interface(int(''.join(groups), 16)):016x}")
        try:
            address = IPv6Address(text)
        except AddressValueError:
            return text
        new = self._v6_bits(int(address))
        full = len(text) == 39  # noqa: PLR2004 - eight groups of four
        return IPv6Address(new).exploded if full else str(IPv6Address(new))

    def _v6_bits(self, bits: int) -> int:
        high, low = bits >> 64, bits & (1 << 64) - 1
        if high == 0 and low >> 32 == 0xFFFF:  # noqa: PLR2004 - IPv4-mapped, RFC 4291 section 2.5.5.2
            return 0xFFFF << 32 | self._v4_bits(low & 0xFFFFFFFF)
        if high == 0 or high >> 56 == 0xFF:  # noqa: PLR2004 - loopback, unspecified, multicast
            return bits
        if high >> 54 != 0xFE80 >> 6:  # link-local has no prefix to hide
            high ^= int.from_bytes(self._digest("v6", "")[:6], "big") & 0x00FF_FFFF_FFFF & (1 << 56) - 1
        return high << 64 | self._interface(low)

    def _guid(self, text: str) -> str:
        digits = text.removeprefix("0x")
        bits = int(digits, 16)
        new = self._v6_bits(bits) if len(digits) == 32 else self._interface(bits)  # noqa: PLR2004 - a GID
        return text[: len(text) - len(digits)] + f"{new:0{len(digits)}x}"

    def _v4(self, text: str, length: str) -> str:
        try:
            bits = int(IPv4Address(text))
        except AddressValueError:
            return text + length
        new = self._v4_bits(bits)
        prefix = int(length[1:]) if length else 32
        if prefix < 32 and bits & (1 << 32 - prefix) - 1 == 0:  # noqa: PLR2004 - a network: no host bits
            new = new >> 32 - prefix << 32 - prefix
        return str(IPv4Address(new)) + length

    def _v4_bits(self, bits: int) -> int:
        first, second, third = bits >> 24, bits >> 16 & 0xFF, bits >> 8 & 0xFF
        if first in _KEPT:
            return bits
        if (first, second) == (192, 168):
            return bits & ~0xFF00 | (third ^ self._octet("192.168")) << 8
        return bits & ~0xFF0000 | (second ^ self._octet(str(first)) & _PRIVATE.get(first, 0xFF)) << 16

    def _octet(self, under: str) -> int:
        """What is added to an octet, without carry: that keeps every prefix a prefix. Never nothing."""
        return self._digest("v4", under)[0] | 1


def _hidden(words: str) -> str:
    return re.sub(r"\w", "x", words)


def _alike(character: str, random: int, *, hexadecimal: bool) -> str:
    if hexadecimal and character != "-":
        return f"{random % 16:x}"
    if character.isdigit():
        return str(random % 10)
    if character.isascii() and character.isalpha():
        return chr((ord("A") if character.isupper() else ord("a")) + random % 26)
    return character


def _printed_like(text: str, digits: str) -> str:
    """The digits with the separators and the case of the text."""
    stream = iter(digits.upper() if any(c.isupper() for c in text) else digits)
    return "".join(next(stream) if c.isalnum() else c for c in text)


def names_for(groups: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Names in the place of names, of the same length where that is possible; keys are in lower case.

    Args:
        groups: letter that the new names of a group begin with → the names.
    """
    made: dict[str, str] = {}
    taken: set[str] = set()
    for letter, names in groups.items():
        for number, name in enumerate(dict.fromkeys(names), 1):
            if name.lower() in made:
                continue
            new = letter + str(number).rjust(len(name) - 1, "0")
            while new in taken:
                new += "0"
            taken.add(new)
            made[name.lower()] = new
    return made
