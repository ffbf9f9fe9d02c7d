"""What nvbandwidth prints, as text or as JSON (``-j``)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu_traffic import GpuCopy
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.text import json_document, mapping, numbered

_BITS_PER_GB = 8e9
_RUNNING = re.compile(r"Running (\w+)\.?$")
_TITLE = re.compile(r"\S.*?(CPU|GPU)\((row)\)\s*(->|<-|<->)\s*(CPU|GPU)\((column)\).*?\((GB/s|ns)\)")
_COLUMNS = re.compile(r"\s+[0-9]+(\s+[0-9]+)*$")
_ROW = re.compile(r"\s*[0-9]+(\s+([0-9]+\.[0-9]+|N/A))+$")
_SUM = re.compile(r"SUM (\w+) ([0-9]+\.[0-9]+)$")
_NOT_RUN = re.compile(r"(Waived|ERROR|Error|Not Found)\b:?\s*(.*)$")


@dataclass(slots=True)
class _Matrix:
    """One test's matrix: values by row and column, None where the test has no such pair."""

    test: str
    title: re.Match[str]
    line: int
    columns: int = 0
    rows: list[tuple[int, int, tuple[float | None, ...]]] = field(default_factory=list)
    """Line, number of the row, values."""
    total: float | None = None

    def values(self) -> list[float]:
        """The values of all pairs that have one."""
        return [value for _, _, row in self.rows for value in row if value is not None]

    def adds_up(self) -> bool:
        """Whether the values come to the printed sum; each is rounded to two decimals."""
        values = self.values()
        return self.total is not None and abs(sum(values) - self.total) <= 0.006 * (len(values) + 1)


@section("nvbandwidth", yields=(GpuCopy,), proven=Provenance.FIELD)
def parse_nvbandwidth(output: Output) -> Iterator[Answer]:
    """Matrices of nvbandwidth, one for each test case, with the direction its title tells.

    ``memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)``: the arrow says which way data flows, ``<->`` both ways at
    once. Rows of host tests are CPU sides (NUMA nodes), of device tests GPUs; ``N/A`` stands on a diagonal. ``SUM``
    after a matrix proves it whole: one without, or one that does not add up, was torn and is left out. ``Waived``
    tests did not apply to the machine. GB is 10^9 bytes.

    Source: nvbandwidth README; nvbandwidth.cpp, output.cpp, json_output.cpp.
    """
    if output.stdout.lstrip().startswith("{"):
        yield from _report(output.stdout)
        return
    matrices: list[_Matrix] = []
    lines = list(numbered(output.stdout))
    yield from _matrices(lines, matrices)
    if not matrices and not any(_NOT_RUN.match(line) for _, line in lines):
        shown = next(((n, text) for n, text in lines if text), (0, ""))
        raise ParseError(*shown, "nvbandwidth: Running <test>. and a matrix")
    for matrix in matrices:
        yield from _facts(matrix)
    if not any(matrix.rows for matrix in matrices):
        yield Missing(GpuCopy.TABLE, Why.ABSENT, "every test was waived or printed no row")


def _matrices(lines: Sequence[tuple[int, str]], found: list[_Matrix]) -> Iterator[Skipped]:
    test, reads = "", False
    for number, line in lines:
        running, title = _RUNNING.match(line), _TITLE.match(line)
        if running:
            test = running[1]
            reads = False
        elif title and test:
            found.append(_Matrix(test, title, number))
            test, reads = "", True
        elif title:
            reads = False
            yield Skipped(number, line, "Running <test>. above a matrix")
        elif found and reads:
            torn = number == lines[-1][0]  # a text that ends with a newline ends with an empty line
            yield from _matrix_line(found[-1], number, line, torn=torn)


def _matrix_line(matrix: _Matrix, number: int, line: str, *, torn: bool) -> Iterator[Skipped]:
    total = _SUM.match(line)
    if torn and line:
        yield Skipped(number, line, "the end of the line")
    elif total and total[1] == matrix.test:
        matrix.total = float(total[2])
    elif not matrix.columns and _COLUMNS.match(line):
        matrix.columns = len(line.split())
    elif _ROW.match(line) and matrix.total is None:
        row, *values = line.split()
        if len(values) == matrix.columns:
            matrix.rows.append((number, int(row), tuple(_value(value) for value in values)))
        else:
            yield Skipped(number, line, f"{matrix.columns} values, one for each column")
    elif re.match(r"\s*[0-9]+\s", line):
        yield Skipped(number, line, "a row of the matrix: its number and values")


def _value(text: str) -> float | None:
    return None if text == "N/A" else float(text)


def _sum_words(matrix: _Matrix) -> str:
    return "a matrix and its SUM" if matrix.total is None else f"values that come to their sum {matrix.total}"


def _facts(matrix: _Matrix) -> Iterator[Answer]:
    if not matrix.adds_up():
        yield Skipped(matrix.line, matrix.title[0], _sum_words(matrix))
        return
    left, _, arrow, right, _, unit = matrix.title.groups()
    for number, row, values in matrix.rows:
        for column, value in enumerate(values):
            if value is not None:
                yield GpuCopy(
                    test=matrix.test,
                    row=row,
                    column=column,
                    bandwidth_bps=float(round(value * _BITS_PER_GB)) if unit == "GB/s" else None,
                    latency_ns=value if unit == "ns" else None,
                    source={"->": left, "<-": right}.get(arrow, "").lower() or None,
                    target={"->": right, "<-": left}.get(arrow, "").lower() or None,
                    bidirectional=arrow == "<->",
                    line=number or None,
                )


def _report(text: str) -> Iterator[Answer]:
    root = mapping(mapping(json_document(text), "a report of nvbandwidth").get("nvbandwidth"), '"nvbandwidth"')
    cases = root.get("testcases")
    if not isinstance(cases, list):
        raise ParseError(0, str(root.get("error", ""))[:200], '"testcases", a list')
    told = 0
    for number, case in enumerate(cases, 1):
        matrix = _case(case)
        told += bool(matrix and matrix.rows)
        if matrix:
            yield from _facts(matrix)
        elif not isinstance(case, dict) or case.get("status") == "Passed":
            yield Skipped(0, str(case)[:200], f"test case {number} with a name, a description and a matrix of numbers")
    if not told:
        yield Missing(GpuCopy.TABLE, Why.ABSENT, "no test case has a result")


def _case(case: object) -> _Matrix | None:
    if not isinstance(case, dict):
        return None
    title = _TITLE.match(str(case.get("bandwidth_description", "")))
    rows = case.get("bandwidth_matrix")
    if not title or not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return None
    matrix = _Matrix(str(case.get("name", "")), title, 0)
    for number, row in enumerate(rows):
        values = _cells(row)
        if values is None:
            return None
        matrix.rows.append((0, number, values))
    total = case.get("sum")
    if isinstance(total, int | float) and abs(total) < 1e300:  # noqa: PLR2004 - finite
        matrix.total = float(total)
    else:
        matrix.total = sum(matrix.values())
    return matrix


def _cells(row: Sequence[object]) -> tuple[float | None, ...] | None:
    texts = [str(cell) for cell in row]
    if not all(re.fullmatch(r"[0-9]+(\.[0-9]+)?|N/A", text) for text in texts):
        return None
    return tuple(_value(text) for text in texts)
