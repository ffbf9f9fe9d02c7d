"""Outputs that were cut, shuffled or soiled on their way: facts that survive are right, and nothing else comes out."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric_audit.facts import Fact
from fabric_audit.facts.tables import key_of, row
from fabric_audit.platforms.model import Output, Section
from fabric_audit.platforms.reading import Reading, read
from fabric_audit.platforms.registry import all_sections

HERE = Path(__file__).parent
PLATFORMS = (
    "arista_eos",
    "cisco_nxos",
    "juniper_junos",
    "nvidia_cumulus",
    "nvidia_onyx",
    "huawei_vrp",
    "h3c_comware",
    "dell_os10",
)
CONFIGURATIONS = (
    "running-config",
    "nv-config-show-commands",
    "nv-config-show",
    "qos-features-conf",
    "current-configuration",
)
TEXTS = sorted(text for name in PLATFORMS for text in HERE.glob(f"{name}/*/*.txt"))
PARSED = tuple(text for text in TEXTS if json.loads(text.with_suffix(".json").read_text("utf-8"))["state"] == "parsed")


def shows_a_cut(text: Path) -> bool:
    """A part of a configuration is a configuration: only a whole one can be known to be cut."""
    return text.parent.name not in CONFIGURATIONS or text.read_text("utf-8").startswith(
        "! Command: show running-config"
    )


def section_of(text: Path) -> Section:
    return all_sections()[f"{text.parent.parent.name}:{text.parent.name}"]


def reading(section: Section, stdout: str) -> Reading:
    return read(section, Output(stdout, rc=None))


def values(facts: tuple[Fact, ...]) -> dict[tuple[object, ...], dict[str, object]]:
    return {(type(fact), *key_of(fact)): row(fact) for fact in facts}


def identified(path: Path) -> str:
    return str(path.relative_to(HERE).with_suffix(""))


@pytest.mark.parametrize("text", [*filter(shows_a_cut, PARSED)], ids=identified)
def test_a_cut_text_gives_no_wrong_value(text: Path) -> None:
    section = section_of(text)
    whole = text.read_text("utf-8")
    right = values(reading(section, whole).facts)
    chance = random.Random(text.name)  # noqa: S311 - a seeded choice, so that a failure repeats
    for at in chance.sample(range(len(whole)), min(60, len(whole))):
        for key, told in values(reading(section, whole[:at]).facts).items():
            assert key in right, f"cut at {at}: {told}"
            wrong = {name: value for name, value in told.items() if value not in (None, right[key][name])}
            assert not wrong, f"cut at {at}: {key}: {wrong}"


def soiled(whole: str, chance: random.Random) -> Iterator[str]:
    lines = whole.split("\n")
    noise = ["%LINK-3-UPDOWN: Interface changed state", "--More--", "\x1b[2K", "switch# show version", "{", "\x00\xff"]
    for _ in range(12):
        kept = [line for line in lines if chance.random() > 0.15]
        yield "\n".join(kept)
        yield "\n".join(chance.sample(lines, len(lines)))
        at = chance.randrange(len(lines))
        yield "\n".join([*lines[:at], chance.choice(noise), *lines[at:]])
        yield "".join(chance.choice("0 9a{}:,\n") if chance.random() < 0.02 else c for c in whole)
    yield ""
    yield whole + whole
    yield "[" * 100_000


@pytest.mark.parametrize("text", TEXTS, ids=identified)
def test_a_soiled_text_gives_facts_or_a_refusal(text: Path) -> None:
    section = section_of(text)
    chance = random.Random(text.name)  # noqa: S311 - a seeded choice, so that a failure repeats
    for stdout in soiled(text.read_text("utf-8"), chance):
        assert reading(section, stdout).state in ("parsed", "partial", "parse_error", "not_supported")


def test_no_section_makes_facts_of_another_ones_text() -> None:
    made = []
    for text in TEXTS:
        for section in all_sections().values():
            if section.platform == text.parent.parent.name and section.name != text.parent.name:
                told = reading(section, text.read_text("utf-8"))
                if told.facts and not akin(section.name, text.parent.name):
                    made.append((section.id, text.parent.name, text.stem))
    assert made == []


PARTS = {
    "show-queuing-interface": "show-queuing-summary",
    "show-configuration-class-of-service": "running-config",
    "running-config": "show-configuration-class-of-service",
}
"""Commands of which one prints a part of what the other does, in the same form."""


def akin(one: str, other: str) -> bool:
    """Commands whose outputs have one form, with more or fewer parts."""
    bare, bare_other = (name.removesuffix("-xml").removesuffix("-json") for name in (one, other))
    return bare.startswith(bare_other) or bare_other.startswith(bare) or PARTS.get(one) == other
