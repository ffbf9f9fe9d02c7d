"""What nccl-tests prints on stdout."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu_traffic import NcclTest, NcclTestGpu, NcclTestRow
from fabric_audit.platforms.model import Answer, Output, Provenance, Skipped, section
from fabric_audit.platforms.reading import first_line
from fabric_audit.platforms.text import numbered, torn, whole
from fabric_audit.platforms.workloads.nccl_tests.devices import read_device
from fabric_audit.platforms.workloads.nccl_tests.report import is_report, read_report
from fabric_audit.platforms.workloads.nccl_tests.runs import Run
from fabric_audit.platforms.workloads.nccl_tests.table import (
    Layout,
    bits_per_second,
    guessed_layout,
    read_layout,
    read_row,
)

_PREFIX = re.compile(r"\s*(?:\[[0-9]+,[0-9]+\](?:<\w+>)?:|[\w.-]+:(?= |#))?")
_START = re.compile(r"# nThread [0-9]+ nGpus")
_VERSION = re.compile(r"# nccl-tests version (\S+)")
_COLLECTIVES = "all_reduce|all_gather|reduce_scatter|alltoallv?|broadcast|reduce|gather|scatter|sendrecv|hypercube"
_STARTING = re.compile(rf"# Collective test starting: ({_COLLECTIVES})(?:_perf)?$")
_PROGRAM = re.compile(rf"\b({_COLLECTIVES})_perf\b")
_NCCL = re.compile(r"NCCL version ([0-9]+\.[0-9]+\.[0-9]+)")
_DEVICE_WORDS = re.compile(r"Rank +[0-9]+ .*Pid +[0-9]+ on ")
_DEVICE_START = re.compile(r"#\s+Rank\s")
_BOUNDS = re.compile(r"# Out of bounds values\s*: ([0-9]+) (OK|FAILED)")
_AVERAGE = re.compile(r"# Avg bus bandwidth\s*: (\S+)")
_FAILURE = re.compile(r"(?:Test (?:NCCL|CUDA|MPI) failure .*|# error: .*|Invalid number of GPUs: .*)$")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
_ROW = re.compile(r"[0-9]+\s+[0-9]+\s+(?:u?int[0-9]+|char|half|float|double|bfloat16|fp?8\w*)(\s|$)")
_ROW_START = re.compile(r"[0-9]+(\s+[0-9]+){0,2}\s*$")


@section("nccl-tests", yields=(NcclTest, NcclTestRow, NcclTestGpu), proven=Provenance.FIELD)
def parse_nccl_tests(output: Output) -> Iterator[Answer]:
    """Tables of nccl-tests, one or several in a log, plain or behind a launcher's prefix; or its JSON report (-J).

    A run begins with ``# nThread ...``. The line of column names decides how its rows are read: ``redop`` and
    ``root`` come and go, ``error`` (a share, 5e-07) became ``#wrong`` (a count) with 2.13, where ``N/A`` means that
    nothing was checked. A row whose numbers were replaced (``XXX.XX``) has no result, which is not 0.

    Read the bus bandwidth of the largest size: the average is taken over all sizes and both modes. A program built
    without MPI and started N times runs N tests of one GPU each, interleaved: such rows measured nothing and are
    left out.

    Source: nccl-tests src/common.cu, src/util.cu and their history; doc/PERFORMANCE.md for bus bandwidth.
    """
    if is_report(output.stdout):
        yield from read_report(output.stdout)
        return
    reader = _Reader()
    for number, line in numbered(whole(output.stdout)):
        yield from reader.take(number, line)
    yield from reader.cut(output.stdout)
    yield from reader.finish(output.stdout)


class _Reader:
    """The run being read, and the layout of its table."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._layout: Layout | None = None
        self._collective: str | None = None
        self._version: str | None = None

    def take(self, number: int, raw: str) -> Iterator[Skipped]:
        """Read one line; what looks like a row and is none comes back."""
        line = raw[_match_end(raw) :].strip()
        if not line:
            return
        if line.startswith("#"):
            yield from self._comment(number, line)
        elif _ROW.match(line) or _ROW_START.match(line):
            yield from self._row(number, line)
        else:
            self._other(number, line)

    def cut(self, text: str) -> Iterator[Skipped]:
        """A last line without its end: what it says is not known."""
        for skipped in torn(text):
            line = skipped.text[_match_end(skipped.text) :].strip()
            if self._layout and _ROW_START.match(line[: line.find(" ") + 1]):
                self._run(skipped.line).torn_rows += 1
            yield skipped

    def _run(self, number: int) -> Run:
        if not self._runs:
            self._begin(number)
        return self._runs[-1]

    def _begin(self, number: int) -> None:
        if self._runs and not self._runs[-1].begun:
            self._runs[-1].starts += 1
            return
        run = Run(len(self._runs) + 1, number, starts=1, collective=self._collective, version=self._version)
        self._collective = None
        self._runs.append(run)
        self._layout = None

    def _comment(self, number: int, line: str) -> Iterator[Skipped]:
        version, starting = _VERSION.match(line), _STARTING.match(line)
        layout = read_layout(line)
        device = read_device(line)
        if version or starting:
            self._version = version[1] if version else self._version
            self._collective = starting[1] if starting else self._collective
        elif _START.match(line):
            self._begin(number)
            self._settings(self._runs[-1], line)
        elif layout:
            self._table(number, layout)
        elif device:
            self._run_before_rows(number).devices.append(device)
        elif _DEVICE_START.match(line):
            self._run_before_rows(number).lost_devices = True
            yield Skipped(number, line, "# Rank N Pid N on <host> device N [<bus>] <model>")
        else:
            self._summary(number, line)
        if not device and self._runs:
            self._runs[-1].devices_ended = bool(self._runs[-1].devices)

    def _run_before_rows(self, number: int) -> Run:
        run = self._run(number)
        if run.begun:
            self._begin(number)
        return self._runs[-1]

    def _table(self, number: int, layout: Layout) -> None:
        self._run_before_rows(number)
        self._layout = layout

    def _settings(self, run: Run, line: str) -> None:
        iterations = re.search(r"(?<!warmup )(?<!agg )iters: ([0-9]{1,9}) ", line)
        validation = re.search(r"validation: ([0-9]+)", line)
        run.iterations = int(iterations[1]) if iterations else None
        run.validation = validation[1] != "0" if validation else None

    def _summary(self, number: int, line: str) -> None:
        bounds, average, failure = _BOUNDS.match(line), _AVERAGE.match(line), _FAILURE.match(line)
        if bounds:
            self._run(number).out_of_bounds = int(bounds[1])
        elif average and _NUMBER.fullmatch(average[1]):
            self._run(number).average_bps = bits_per_second(float(average[1]))
        elif failure:
            self._run(number).failure = failure[0]

    def _row(self, number: int, line: str) -> Iterator[Skipped]:
        words = line.split()
        layout = self._layout or guessed_layout(words)
        if not layout and not _ROW.match(line):
            return
        run = self._run(number)
        rows = read_row(words, layout, run.number, number) if layout else ()
        run.rows.extend(rows)
        if not rows:
            run.torn_rows += 1
            yield Skipped(number, line, "a row with the columns of its table, and its end")

    def _other(self, number: int, line: str) -> None:
        program, nccl = _PROGRAM.search(line), _NCCL.search(line)
        failure = _FAILURE.search(line)
        if nccl:
            self._run(number).nccl_version = nccl[1]
        elif _DEVICE_WORDS.search(line):
            self._run_before_rows(number).lost_devices = True
        elif failure:
            self._run(number).failure = failure[0][:300]
        elif program and not self._collective:
            self._collective = program[1]

    def finish(self, text: str) -> Iterator[Answer]:
        """The facts of all runs."""
        told = [run for run in self._runs if run.begun or run.devices]
        if not told:
            line = first_line(text)
            raise ParseError(1 if line else 0, line, "nccl-tests: # nThread ..., a table, or a JSON report")
        for run in told:
            yield from run.facts()


def _match_end(line: str) -> int:
    found = _PREFIX.match(line)
    return found.end() if found else 0
