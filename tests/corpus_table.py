"""The table of the corpus of real outputs: what each of its files is, and what it must give.

``FABRIC_AUDIT_CORPUS`` names the corpus. The table is TAB separated, with the header ``file section rc item state
facts``; a line that starts with ``#`` is a comment.

* ``file`` is relative to the corpus. ``X.stdout`` brings ``X.stderr`` along, ``X.out`` brings ``X.err``.
* ``section`` is a section id; empty for a file that is no tool's output, then ``facts`` says what it is.
* ``rc`` is the exit status, empty for 0 (none on a switch); ``item`` the device where a section walks devices.
* ``state`` is ``parsed``, ``partial``, ``not_supported``, ``parse_error`` or ``not_delivered``.
* ``facts`` is a JSON list. ``{"table": T, "where": {...}, "is": {...}}``: there are such rows, and ``is`` holds
  for each; ``"has"`` and ``"lacks"`` instead of ``is`` give words that a column of words has or lacks.
  ``{"table": T, "where": {...}, "count": N}``: so many rows. ``{"missing": T, "why": W}``: the table is
  declared missing. ``{"reason": WORDS}``: the reason of the reading contains them.
"""

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fabric_audit.platforms.model import Output, Section
from fabric_audit.platforms.registry import all_sections

TABLE = Path(__file__).with_name("corpus.tsv")
STDERR_OF = {".stdout": ".stderr", ".out": ".err"}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    number: int
    file: str
    section: str
    rc: str
    item: str
    state: str
    facts: str

    @property
    def id(self) -> str:
        """As a test is named."""
        return f"{self.number}:{self.file}"

    def output(self, corpus: Path) -> tuple[Section, Output]:
        """The section that reads the file, and what was printed."""
        section = all_sections()[self.section]
        file = corpus / self.file
        stderr = file.with_suffix(STDERR_OF.get(file.suffix, ".none"))
        silent = None if section.kind == "switches" else 0
        output = Output(
            stdout=file.read_bytes().decode("utf-8", "replace"),
            stderr=stderr.read_bytes().decode("utf-8", "replace") if stderr.exists() else "",
            rc=int(self.rc) if self.rc else silent,
            item=self.item,
        )
        return section, output


def rows() -> Iterator[Row]:
    """Every line of the table that is no comment."""
    lines = TABLE.read_text("utf-8").splitlines()
    kept = [(number, line) for number, line in enumerate(lines, 1) if not line.startswith("#")]
    reader = csv.DictReader((line for _, line in kept), delimiter="\t", quoting=csv.QUOTE_NONE)
    for (number, _), found in zip(kept[1:], reader, strict=True):
        if None in found or None in found.values():
            raise ValueError(f"{TABLE.name}:{number}: not six columns")
        yield Row(number=number, **found)


def corpus() -> Path | None:
    """Where the corpus lies; None where nobody says."""
    named = os.environ.get("FABRIC_AUDIT_CORPUS", "")
    return Path(named) if named else None
