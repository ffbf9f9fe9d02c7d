"""Every golden pair: a raw output, and the facts or the refusal that it ought to give."""

import json
from pathlib import Path

import pytest

from fabric_audit.platforms.registry import all_sections
from fabric_audit.testing import parse_golden

HERE = Path(__file__).parent
TEXTS = sorted(HERE.glob("*/*/*/*.txt"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: str(path.relative_to(HERE).with_suffix("")))
def test_golden(text: Path) -> None:
    golden = parse_golden(text)
    assert golden.told == golden.expected


def test_every_section_has_goldens_for_good_and_mangled_text() -> None:
    lacking = []
    for section in all_sections().values():
        folder = HERE / section.kind / section.platform / section.name
        states = [json.loads(expected.read_text("utf-8"))["state"] for expected in folder.glob("*.json")]
        mangled = [state in ("parse_error", "partial") for state in states]
        if not any(mangled) or all(mangled):
            lacking.append(str(folder.relative_to(HERE)))
    assert not lacking, f"a golden that parses and one that is mangled are missing in: {lacking}"
