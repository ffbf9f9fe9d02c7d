"""Values as cells of a CSV file, which no spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from fabric_audit.report.inert import inert

LONGEST_CELL = 32_000
"""Characters; a spreadsheet takes 32,767 (Excel specifications and limits)."""
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # OWASP, CSV Injection
_ALSO_BLANK = " '\""


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A CSV file (RFC 4180) in UTF-8; numbers stay numbers, text is inert, None is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8")


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    shown = inert(value, longest=LONGEST_CELL)
    begins = value.lstrip(_ALSO_BLANK)
    return f"'{shown}" if value.startswith(_STARTS_A_FORMULA) or begins.startswith(_STARTS_A_FORMULA) else shown
