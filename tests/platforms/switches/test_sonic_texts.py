"""SONiC's texts cut, swapped or garbled: what facts they give are true, and nothing but a refusal comes beside them."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from fabric_audit.facts import Fact, columns
from fabric_audit.facts.tables import row
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections, sections_of

HERE = Path(__file__).parent
PLATFORMS = ("dell_sonic", "sonic")
TEXTS = sorted(text for platform in PLATFORMS for text in HERE.glob(f"{platform}/*/*.txt"))
WHOLE = [text for text in TEXTS if json.loads(text.with_suffix(".json").read_text("utf-8"))["state"] == "parsed"]
CUT = [text for text in WHOLE if text.parent.name != "running-config"]  # a part of that is a configuration too
CUTS = 25
GARBLED = 8


def facts(path: Path, text: str) -> tuple[Fact, ...]:
    return read(all_sections()[f"{path.parent.parent.name}:{path.parent.name}"], Output(text, rc=None)).facts


def named(path: Path) -> str:
    return str(path.relative_to(HERE).with_suffix(""))


def agrees(fact: Fact, others: Iterable[Fact]) -> bool:
    """Whether one of the others says the same, where the fact says anything."""
    said = {column.name: getattr(fact, column.name) for column in columns(type(fact))}
    return any(
        type(other) is type(fact) and all(value is None or value == row(other)[name] for name, value in said.items())
        for other in others
    )


@pytest.mark.parametrize("path", CUT, ids=named)
def test_what_is_left_of_a_cut_text_is_true(path: Path) -> None:
    text = path.read_text("utf-8")
    whole = facts(path, text)
    chance = random.Random(path.name)  # noqa: S311 - the same cuts on every run
    for position in {chance.randrange(len(text)) for _ in range(CUTS)}:
        for fact in facts(path, text[:position]):
            assert agrees(fact, whole), (position, fact)


def swapped(lines: list[str], chance: random.Random) -> None:
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]


def dropped(lines: list[str], chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def garbled(lines: list[str], chance: random.Random) -> None:
    number = chance.randrange(len(lines))
    line = lines[number]
    at = chance.randrange(len(line) + 1)
    lines[number] = line[:at] + "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(4)) + line[at + 2 :]


def flooded(lines: list[str], chance: random.Random) -> None:
    lines.insert(chance.randrange(len(lines)), "9" * 5000)


@pytest.mark.parametrize("path", TEXTS, ids=named)
@pytest.mark.parametrize("harm", [swapped, dropped, garbled, flooded])
def test_garbled_text_gives_facts_or_a_refusal(path: Path, harm: Callable[[list[str], random.Random], None]) -> None:
    chance = random.Random(path.name)  # noqa: S311 - the same harm on every run
    for _ in range(GARBLED):
        lines = path.read_text("utf-8").split("\n")
        harm(lines, chance)
        facts(path, "\n".join(lines))


def test_log_messages_prompts_and_ansi_sequences_change_nothing() -> None:
    path = HERE / "sonic" / "show-pfc-counters" / "healthy.txt"
    text = path.read_text("utf-8")
    lines = text.split("\n")
    noisy = [
        "admin@leaf-a7:~$ show pfc counters",
        *lines[:3],
        "Mar  2 08:14:51.220413 leaf-a7 INFO swss#orchagent: :- setPortPfc: 3",
        *[f"\x1b[0m{line}\x1b[K\r" for line in lines[3:]],
        "admin@leaf-a7:~$ ",
    ]
    assert facts(path, "\n".join(noisy)) == facts(path, text)


SAME = [
    {"config-db", "config-db-dump"},
    {"mmuconfig-l", "show-buffer-information"},
    {"show-qos-interface-pfc-statistics", "show-qos-pfc-statistics"},
    {"show-qos-map-dscp-tc", "show-qos-map-pfc-priority-pg", "show-qos-map-pfc-priority-queue"},
]
"""Sections that read one form of text."""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_section_makes_facts_of_the_output_of_another_command(platform: str) -> None:
    taken = []
    for path in HERE.glob(f"{platform}/*/*.txt"):
        for section in sections_of("switches", platform):
            names = {section.name, path.parent.name}
            if "other" in path.stem or any(names <= same for same in (*SAME, {section.name})):
                continue
            if read(section, Output(path.read_text("utf-8"), rc=None)).facts:
                taken.append((section.name, path.parent.name, path.stem))
    assert taken == []
