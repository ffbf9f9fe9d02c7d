"""Tables whose cells hold blanks or nothing: read by the columns of their header, not by splitting at blanks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabric_audit.errors import ParseError


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each column of a table starts and ends; the last one runs to the end of the line."""

    spans: Mapping[str, tuple[int, int | None]]

    def cells(self, line: str, number: int) -> dict[str, str]:
        """The cells of one row, without surrounding blanks; a short row ends in empty cells.

        Raises:
            ParseError: a cell crosses into the next column.
        """
        cells = {}
        for name, (start, end) in self.spans.items():
            if start and line[start - 1 : start].strip() and line[start : start + 1].strip():
                raise ParseError(number, line, f"column {name} to start after a blank at character {start + 1}")
            cells[name] = line[start:end].strip()
        return cells


def columns(header: str, names: Sequence[str]) -> Columns | None:
    """The columns of a header that has these names in this order, or None where the line is no such header."""
    found = re.search(r"\b.*?\s+".join(re.escape(name) for name in names), header)
    if not found:
        return None
    starts = []
    at = 0
    for name in names:
        at = header.index(name, at)
        starts.append(at)
        at += len(name)
    ends: list[int | None] = [*starts[1:], None]
    starts[0] = 0
    return Columns(dict(zip(names, zip(starts, ends, strict=True), strict=True)))
