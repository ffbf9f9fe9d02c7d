"""Texts about GPUs and jobs that were cut, torn or soiled: what survives is right, and nothing else comes out."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric_audit.facts import Fact
from fabric_audit.facts.tables import key_of, row
from fabric_audit.platforms.model import Output, Section
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections

HERE = Path(__file__).parent
FOLDERS = ("gpus/nvidia", "workloads/nccl_log", "workloads/nccl_tests", "workloads/nvbandwidth")
TEXTS = sorted(text for folder in FOLDERS for text in (HERE / folder).glob("*/*.txt"))
PARSED = tuple(text for text in TEXTS if json.loads(text.with_suffix(".json").read_text("utf-8"))["state"] == "parsed")

GROWING = {
    "nccl_log": {"lines", "nccl_lines", "torn_lines"},
    "nccl_channel": {"channels"},
    "nccl_event": {"count"},
    "nccl_test": {"outcome", "largest_bytes", "busbw_bps", "busbw_in_place_bps", "wrong", "hosts"},
    "fabric_manager_event": {"count", "last"},
    "gpu_nvlinks": {"active", "inactive"},
}
"""What a shorter log rightly says less of."""
NAMED_LATER = {"nccl_log", "nccl_rank", "nccl_test_gpu", "gpu_nic_path"}
"""Rows whose name stands further down: a log's version, a NIC's in the legend, a second rank 0."""


def section_of(text: Path) -> Section:
    return all_sections()[text.parent.name]


def values(section: Section, stdout: str) -> dict[tuple[object, ...], dict[str, object]]:
    return {(fact.TABLE, *key_of(fact)): row(fact) for fact in facts(section, stdout)}


def facts(section: Section, stdout: str) -> tuple[Fact, ...]:
    reading = read(section, Output(stdout, rc=None))
    assert reading.state in ("parsed", "partial", "parse_error", "not_supported")
    return reading.facts


def identified(path: Path) -> str:
    return str(path.relative_to(HERE).with_suffix(""))


@pytest.mark.parametrize("text", PARSED, ids=identified)
def test_a_cut_text_gives_no_wrong_value(text: Path) -> None:
    section = section_of(text)
    whole = text.read_bytes().decode("utf-8", "replace")
    right = values(section, whole)
    chance = random.Random(text.name)  # noqa: S311 - a seeded choice, so that a failure repeats
    for at in chance.sample(range(len(whole)), min(60, len(whole))):
        for key, told in values(section, whole[:at]).items():
            table = str(key[0])
            if key not in right:
                assert table in NAMED_LATER, f"cut at {at}: {told}"
                continue
            may_differ = GROWING.get(table, set())
            wrong = {
                name: value
                for name, value in told.items()
                if name not in may_differ and value not in (None, right[key][name])
            }
            assert not wrong, f"cut at {at}: {key}: {wrong}"


def soiled(whole: str, chance: random.Random) -> Iterator[str]:
    lines = whole.split("\n")
    noise = [
        "NVRM: Xid (PCI:0000:1b:00): 79, gone",
        "--More--",
        "\x1b[2K",
        "# nvidia-smi topo -m",
        "{",
        "\x00\xff",
        "GPU0",
    ]
    for _ in range(8):
        yield "\n".join(line for line in lines if chance.random() > 0.15)
        yield "\n".join(chance.sample(lines, len(lines)))
        at = chance.randrange(len(lines))
        yield "\n".join([*lines[:at], chance.choice(noise), *lines[at:]])
        yield "\n".join(lines[:at]) + "\n".join(lines[at:])
        yield "".join(chance.choice("0 9a{}:,\n\t|<>") if chance.random() < 0.02 else c for c in whole)
    yield ""
    yield whole + whole
    yield "[" * 100_000
    yield "<" * 100_000
    yield "\x00" * 1000


@pytest.mark.parametrize("text", TEXTS, ids=identified)
def test_a_soiled_text_gives_facts_or_a_refusal(text: Path) -> None:
    chance = random.Random(text.name)  # noqa: S311 - a seeded choice, so that a failure repeats
    for stdout in soiled(text.read_bytes().decode("utf-8", "replace"), chance):
        facts(section_of(text), stdout)


@pytest.mark.parametrize("text", TEXTS, ids=identified)
def test_no_section_makes_facts_of_another_ones_text(text: Path) -> None:
    stdout = text.read_bytes().decode("utf-8", "replace")
    ours = section_of(text)
    for section in all_sections().values():
        one_of_us = any(folder.endswith(f"/{section.platform}") for folder in FOLDERS)
        if one_of_us and not akin(section.name, ours.name):
            assert not facts(section, stdout), section.name


def akin(one: str, other: str) -> bool:
    """Sections that read the same form of text, or whose texts hold both."""
    families = ({"nccl-log", "nccl-tests"}, {name for name in (one, other) if "p2p" in name})
    return one == other or any({one, other} <= family for family in families)


def test_a_nic_whose_line_was_torn_is_not_accused() -> None:
    head = "node1:5:6 [0] NCCL INFO Channel 0{}/0 : 0[0] -> 8[0] [send] via NET/IB/0"
    other = "node1:7:8 [1] NCCL INFO Connected all rings\n"
    log = f"{head.format(0)}/GDRDMA\n{head.format(1)}\n{other}/GDRDMA\n{head.format(2)}/GDRDMA\n"
    channels = [fact for fact in facts(all_sections()["nccl-log"], log) if fact.TABLE == "nccl_channel"]
    assert [row(channel)["gdr"] for channel in channels] == [True]
    assert [row(channel)["channels"] for channel in channels] == ["0 2"]
