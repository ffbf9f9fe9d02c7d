"""Harm done to a text between a tool and its parser: cut, torn, soiled, mixed up; the same seed does the same harm."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random

MESSAGES = (
    "%LINK-3-UPDOWN: Interface Ethernet1/7, changed state to down",
    "Mar  2 08:14:51.220413 leaf-a7 INFO swss#orchagent: :- setPortPfc: 3",
    "2031-03-02T08:14:51.220413+00:00 gpu17 kernel: mlx5_core 0000:1b:00.0: Port module event: module 0, Cable plugged",
    "[ 8123.220413] mlx5_core 0000:1b:00.0 eth2: Link up",
    "Broadcast message from root@gpu17 (pts/1) (Sun Mar  2 08:14:51 2031):",
    "--More--",
    " --More-- \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08          \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08",
    "-- More --",
    "lines 1-42",
    "lines 43-84",
)
"""Lines that no command printed: log messages, and what a pager leaves."""
NOISE = (
    "\x07",
    "Killed",
    "bash: fork: retry: Resource temporarily unavailable",
    "\x00\xff\ufffd",
    "{",
    "}",
    "0",
    "9" * 400,
)
"""Lines that make no sense anywhere."""


class Keeps(Enum):
    """What a reading of the harmed text still owes to the whole one."""

    ALL = "every fact, or a refusal"
    TRUTH = "no fact that the whole text does not tell"
    ROWS = "the same, where each line of the text stands for itself"
    NUMBERS = "no other number in a fact that the whole text tells"
    OTHERS = "no fact but those of either text"
    NO_FACT = "no fact at all"
    NOTHING = "facts or a refusal: the harm cannot be seen"


@dataclass(frozen=True, slots=True)
class Harm:
    """One kind of harm; ``do`` takes the text, another text that got in its way, and chance."""

    name: str
    keeps: Keeps
    do: Callable[[str, str, Random], str]


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _place(text: str, chance: Random) -> int:
    return chance.randrange(len(text) + 1)


def _between(lines: list[str], chance: Random, new: str) -> str:
    at = chance.randrange(len(lines) + 1)
    return "\n".join([*lines[:at], new, *lines[at:]])


def cut(text: str, _other: str, chance: Random) -> str:
    """The connection ended."""
    return text[: _place(text, chance)]


def cut_at_a_line(text: str, _other: str, chance: Random) -> str:
    """The tool died between two lines."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[: chance.randrange(len(lines) + 1)])


def beheaded(text: str, _other: str, chance: Random) -> str:
    """The terminal kept only the last lines."""
    lines = _lines(text)
    return "\n".join(lines[chance.randrange(len(lines)) :])


def dropped(text: str, _other: str, chance: Random) -> str:
    """A few lines are gone."""
    lines = _lines(text)
    at = chance.randrange(len(lines))
    return "\n".join(lines[:at] + lines[at + chance.randint(1, 4) :])


def swapped(text: str, _other: str, chance: Random) -> str:
    """Two neighbouring lines arrived in the wrong order."""
    lines = _lines(text)
    at = chance.randrange(len(lines))
    lines[at : at + 2] = reversed(lines[at : at + 2])
    return "\n".join(lines)


def shuffled(text: str, _other: str, chance: Random) -> str:
    """All lines arrived in the wrong order."""
    lines = _lines(text)
    chance.shuffle(lines)
    return "\n".join(lines)


def soiled(text: str, _other: str, chance: Random) -> str:
    """Something else was printed between two lines."""
    return _between(_lines(text), chance, chance.choice(NOISE))


def interrupted(text: str, _other: str, chance: Random) -> str:
    """A log message, or a pager's remnant, stands between two lines."""
    return _between(_lines(text), chance, chance.choice(MESSAGES))


def torn(text: str, _other: str, chance: Random) -> str:
    """A line came in two parts."""
    at = _place(text, chance)
    return f"{text[:at]}\n{text[at:]}"


def torn_by_noise(text: str, _other: str, chance: Random) -> str:
    """Another program wrote into the middle of a line."""
    at = _place(text, chance)
    return f"{text[:at]}{chance.choice(NOISE)}\n{text[at:]}"


def joined(text: str, _other: str, chance: Random) -> str:
    """Two lines ran into one another."""
    lines = _lines(text)
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], "".join(lines[at : at + 2]), *lines[at + 2 :]])


def interleaved(text: str, other: str, chance: Random) -> str:
    """Two commands wrote at once."""
    mine, theirs = _lines(text), _lines(other)
    mixed = []
    while mine or theirs:
        source = mine if mine and (not theirs or chance.random() < 0.5) else theirs
        mixed.append(source.pop(0))
    return "\n".join(mixed)


def followed(text: str, other: str, _chance: Random) -> str:
    """The next command's output was caught as well."""
    return text + other


def preceded(text: str, other: str, _chance: Random) -> str:
    """The last command's output was caught as well."""
    return other[: other.rfind("\n") + 1] + text


def replaced(_text: str, other: str, _chance: Random) -> str:
    """It is the output of another command."""
    return other


def repeated(text: str, _other: str, _chance: Random) -> str:
    """The command ran twice."""
    return text + text


def garbled(text: str, _other: str, chance: Random) -> str:
    """Some characters are others."""
    return "".join(chance.choice("0 9a{}[]:,.\n\t|<>\x00é") if chance.random() < 0.02 else c for c in text)


def binary(text: str, _other: str, chance: Random) -> str:
    """Bytes that are no text at all."""
    return chance.randbytes(min(len(text), 4096)).decode("utf-8", "replace")


def emptied(_text: str, _other: str, chance: Random) -> str:
    """Nothing came, or as good as nothing."""
    return chance.choice(("", "\n", "  \n\n", "\x00" * 1000, "\ufeff"))


def nested(_text: str, _other: str, chance: Random) -> str:
    """Brackets that never close."""
    return chance.choice("[{<(") * 100_000


def localized(text: str, _other: str, _chance: Random) -> str:
    """A locale writes its numbers with a comma."""
    return "".join(
        "," if c == "." and text[i - 1 : i].isdigit() and text[i + 1 : i + 2].isdigit() else c
        for i, c in enumerate(text)
    )


def carriage_returns(text: str, _other: str, _chance: Random) -> str:
    """A terminal ends its lines with two characters."""
    return text.replace("\n", "\r\n")


def coloured(text: str, _other: str, chance: Random) -> str:
    """A terminal colours the lines."""
    return "\n".join(f"\x1b[1;3{chance.randrange(8)}m{line}\x1b[0m\x1b[K" if line else line for line in _lines(text))


def padded(text: str, _other: str, _chance: Random) -> str:
    """Lines are filled up with blanks."""
    return text.replace("\n", "   \n")


def wrapped(text: str, _other: str, chance: Random) -> str:
    """A narrow terminal breaks its lines."""
    width = chance.choice((60, 72, 80, 100))
    return "\n".join(line[i : i + width] for line in _lines(text) for i in range(0, max(len(line), 1), width))


HARMS = (
    Harm("carriage returns", Keeps.ALL, carriage_returns),
    Harm("coloured", Keeps.ALL, coloured),
    Harm("padded", Keeps.ALL, padded),
    Harm("cut", Keeps.TRUTH, cut),
    Harm("cut at a line", Keeps.TRUTH, cut_at_a_line),
    Harm("interrupted", Keeps.TRUTH, interrupted),
    Harm("repeated", Keeps.TRUTH, repeated),
    Harm("beheaded", Keeps.ROWS, beheaded),
    Harm("dropped", Keeps.ROWS, dropped),
    Harm("swapped", Keeps.ROWS, swapped),
    Harm("soiled", Keeps.ROWS, soiled),
    Harm("torn", Keeps.NUMBERS, torn),
    Harm("joined", Keeps.NUMBERS, joined),
    Harm("wrapped", Keeps.NUMBERS, wrapped),
    Harm("localized", Keeps.NUMBERS, localized),
    Harm("followed", Keeps.OTHERS, followed),
    Harm("preceded", Keeps.OTHERS, preceded),
    Harm("replaced", Keeps.OTHERS, replaced),
    Harm("emptied", Keeps.NO_FACT, emptied),
    Harm("binary", Keeps.NO_FACT, binary),
    Harm("nested", Keeps.NO_FACT, nested),
    Harm("torn by noise", Keeps.NOTHING, torn_by_noise),
    Harm("shuffled", Keeps.NOTHING, shuffled),
    Harm("interleaved", Keeps.NOTHING, interleaved),
    Harm("garbled", Keeps.NOTHING, garbled),
)
