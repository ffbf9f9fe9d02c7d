"""Texts that parsers are known to read, from goldens and corpus, and one harm done to one of them.

Run as ``python -m tests.platforms.mangled SEED FILE`` it prints the harmed text.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fabric_audit.platforms.model import Output, Section
from fabric_audit.testing import golden_output
from tests import corpus_table
from tests.platforms.mangler import HARMS, Harm

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Text:
    """One output and the section that reads it."""

    name: str
    area: str
    section: Section
    output: Output


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the harm done to it, and the other text that got in its way."""

    text: Text
    other: Text
    harm: Harm
    harmed: str


def texts() -> tuple[Text, ...]:
    """Every golden, and every file of the corpus that a section reads."""
    return (*_goldens(), *_of_corpus())


def _goldens() -> Iterator[Text]:
    for file in sorted(HERE.glob("*/*/*/*.txt")):
        yield Text(str(file.relative_to(HERE)), file.parts[-3], *golden_output(file))


def _of_corpus() -> Iterator[Text]:
    folder = corpus_table.corpus()
    for row in corpus_table.rows() if folder else ():
        if folder and row.section:
            yield Text(row.file, f"corpus/{row.file.split('/')[0]}", *row.output(folder))


def case(text: Text, seed: int, known: Sequence[Text]) -> Case:
    """The harm that a seed does to a text; the other text is one of those ``known``."""
    chance = Random(f"{seed} {text.name} {text.section.id}")  # noqa: S311 - the same seed does the same harm
    harm, other = chance.choice(HARMS), chance.choice(known)
    return Case(text, other, harm, harm.do(text.output.stdout, other.output.stdout, chance))


if __name__ == "__main__":
    everything = texts()
    seed, name = int(sys.argv[1]), sys.argv[2]
    for found in (text for text in everything if text.name == name):
        sys.stdout.write(case(found, seed, everything).harmed)
