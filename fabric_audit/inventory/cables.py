"""Cable plans as CSV, the form in which cabling teams keep them.

The first line names the columns: ``a_target,a_port,b_target,b_port`` and, if known, ``length_m``. Lines that are
empty or begin with ``#`` are left out.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

from fabric_audit.documents.nodes import Document, Node, Place
from fabric_audit.documents.read import read_utf8
from fabric_audit.documents.scalars import resolve
from fabric_audit.errors import Fault

ENDS = ("a_target", "a_port", "b_target", "b_port")
COLUMNS = (*ENDS, "length_m")
_HEADER = f"the first line must be {','.join(COLUMNS)}"


def read_cables(path: Path) -> Document:
    """The plan as a document with the one key ``cables``; what cannot be read is among the faults.

    Raises:
        UnreadableError: the file cannot be opened, is too large or is not UTF-8.
    """
    lines = [
        (number, line)
        for number, line in enumerate(read_utf8(path).splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]
    file = str(path)
    if not lines:
        fault = Fault(file, 1, 1, "this cable plan is empty", _HEADER)
        return _plan(file, (), [fault])
    (first, header), *rows = lines
    columns = _cells(header)
    if not set(ENDS) <= set(columns) <= set(COLUMNS) or len(columns) != len(set(columns)):
        fault = Fault(file, first, 1, f"these are not the columns of a cable plan: {header[:60]!r}", _HEADER)
        return _plan(file, (), [fault])
    faults, nodes = [], []
    for number, line in rows:
        cells = _cells(line)
        if len(cells) == len(columns):
            nodes.append(_row(number, dict(zip(columns, cells, strict=True))))
            continue
        words = f"{len(cells)} columns stand here, the first line has {len(columns)}"
        faults.append(Fault(file, number, 1, words, "write as many as there"))
    return _plan(file, tuple(nodes), faults)


def _plan(file: str, rows: tuple[Node, ...], faults: list[Fault]) -> Document:
    start = Place(1, 1)
    return Document(file, Node(start, {"cables": Node(start, rows)}), tuple(faults))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line]))]


def _row(number: int, cells: dict[str, str]) -> Node:
    place = Place(number, 1)
    return Node(place, dict(_values(place, cells)), dict.fromkeys(cells, place))


def _values(place: Place, cells: dict[str, str]) -> Iterator[tuple[str, Node]]:
    """Ports may be bare numbers: they stay words. A length is a number, or not said."""
    for column, cell in cells.items():
        if column in ENDS:
            yield column, Node(place, cell)
            continue
        number = resolve(cell)
        yield column, Node(place, float(number) if type(number) is int else number)
