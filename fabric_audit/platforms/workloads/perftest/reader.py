"""Walks the lines of one output and sorts them: rows of results, what the test said of itself, telling words."""

import re
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.platforms.model import Output, Skipped
from fabric_audit.platforms.text import numbered
from fabric_audit.platforms.workloads.perftest.failures import CLOCK, Line, is_telling
from fabric_audit.platforms.workloads.perftest.header import Told, title
from fabric_audit.platforms.workloads.perftest.table import Heading, heading, looks_like_row, row

_QUOTED = re.compile(r"^(?:\[\d+,\d+\]<std\w+>:)?[\s>|]*")  # mpirun --tag-output; mail; a column of a terminal
_MESSAGE = 300  # perftest's longest message is half of it; what is longer comes from another program
_RULE = re.compile(r"-{20,}$")
_ORPHAN = re.compile(r"\d+\s+\d+\s+\d+\.\d\d")
_ONE_WAY = re.compile(r"(?:Local|Remote) results:")  # --report-both repeats each direction below the sum
_WAITING = re.compile(r"\* Waiting for client to connect")
_PROGRAM = re.compile(r"(?:\S*/)?((?:ib|raw_ethernet)_\w+)(?:: (?:unrecognized|invalid) option|\s+start a server)")


class Reader:
    """Everything one output came to.

    Attributes:
        rows: fields of the facts that rows fill.
        skipped: lines that ought to have been rows or headings and are torn.
        telling: lines that may tell a failure, stderr's first.
        told: what the latest test said of itself.
        clock: perftest's warning that it could not measure its clock, empty without one.
        program: program named by its own usage or complaint about an option.
        known: whether any line was perftest's own: a title, a heading, a row or the server's banner.
    """

    def __init__(self, output: Output) -> None:
        self.rows: list[dict[str, Any]] = []
        self.skipped: list[Skipped] = []
        self.telling: list[Line] = []
        self.told = Told()
        self.clock = ""
        self.program = ""
        self.known = False
        self._columns: Heading | None = None
        self._margin = 0
        self._tabled = self._one_way = self._usage = False
        for _, line in numbered(output.stderr):
            self._listen(Line(0, line.strip()))
        whole = output.stdout.count("\n")
        for number, line in numbered(output.stdout):
            text = _QUOTED.sub("", line)
            before = line.removesuffix(text)
            self._take(Line(number, text, len(before) - len(before.rstrip())), whole=number <= whole)

    def _take(self, line: Line, *, whole: bool) -> None:
        if self._begins_test(line.text):
            self.known = True
            if self._tabled:
                self.told, self._columns = Told(), None
                self._tabled = self._one_way = False
        if self._is_row(line) or self._is_heading(line):
            self.known = True
        elif line.text == "Usage:":
            self._usage = True
        elif _RULE.match(line.text):
            self._columns = None
        elif _ONE_WAY.match(line.text):
            self._one_way = True
        elif whole and self.told.hear(line.text):
            self._usage = False
        else:
            self._listen(line)

    @staticmethod
    def _begins_test(text: str) -> bool:
        return title(text) is not None or _WAITING.match(text) is not None

    def _listen(self, line: Line) -> None:
        found = _PROGRAM.match(line.text)
        if found:
            self.program = found[1]
        if CLOCK.search(line.text):
            self.clock = line.text
        elif not self._usage and is_telling(line.text[:_MESSAGE]):
            self.telling.append(Line(line.number, line.text[:_MESSAGE]))

    def _is_row(self, line: Line) -> bool:
        """Take in a row; one that is torn, or stands below no heading, is listed as skipped."""
        if self._columns is None:
            if _ORPHAN.match(line.text):
                self._skip(ParseError(line.number, line.text, "a heading that names the columns of this row"))
            return False
        if not looks_like_row(line.text):
            return False
        if line.indent < self._margin:
            self._skip(ParseError(line.number, line.text, "a row that is indented as its heading is"))
            return True
        about = self.told.fields()
        if self._one_way:
            about["bidirectional"] = False
        try:
            figures = row(
                self._columns, line.text, line.number, bidirectional=self.told.bidirectional and not self._one_way
            )
        except ParseError as error:
            self._skip(error)
        else:
            self.rows.append(about | figures | {"line": line.number})
        return True

    def _is_heading(self, line: Line) -> bool:
        try:
            found = heading(line.text, line.number)
        except ParseError as error:
            self._skip(error)
            self._columns = None
            return False
        if found is None:
            return False
        wrapped = self._columns is not None and ("count", "bytes") not in found.columns
        self._columns = self._columns + found if self._columns and wrapped else found
        if not wrapped:
            self._margin = line.indent
        self._tabled = True
        return True

    def _skip(self, error: ParseError) -> None:
        self.skipped.append(Skipped(error.line, error.text, error.expected))
