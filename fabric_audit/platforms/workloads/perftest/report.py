"""The parser of what a perftest program printed: rows of results, and the cause where there are none."""

import re
from collections.abc import Iterator
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.performance import Outcome, PerftestRow
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.reading import first_line
from fabric_audit.platforms.text import numbered
from fabric_audit.platforms.workloads.perftest.failures import Failure, cause, ended
from fabric_audit.platforms.workloads.perftest.reader import Reader

_LIMIT = re.compile(r"(?:BW result|Msg rate) +is below \w+ limit")
_EXPECTED = "a table of perftest's results, or words of perftest about a failure"


@section("perftest", yields=(PerftestRow,), proven=Provenance.FIELD, when=When.REQUEST)
@section("perftest-errors", yields=(PerftestRow,), proven=Provenance.FIELD, when=When.REQUEST)
def perftest(output: Output) -> Iterator[Answer]:
    """What ``ib_write_bw``, ``ib_send_bw``, ``ib_read_bw``, the latency, atomic and raw Ethernet tests print.

    Client or server, stdout alone or both streams, one end or both in one file, of perftest 2.x (2012) to 26.x::

         local address: LID 0000 QPN 0x0012 PSN 0xd79204 RKey 0x000314 VAddr 0x007fe44e1d9000
         GID: 00:00:00:00:00:00:00:00:00:00:255:255:192:00:02:01
         #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
         8388608    29462            0.00               391.31             0.005831

    Units: ``MB/sec`` and ``MiB/sec`` both are 2^20 bytes, ``Gb/sec`` is 10^9 bits. ``-b`` prints the sum of both
    directions. GIDs are printed as decimal bytes. A latency test with ``-D`` prints an average, no percentiles.

    Results that only look valid are refused, with the outcome that says why: a row with no iterations; a row of
    zeros after ``Correlation coefficient r^2``; a row whose figures are not in the unit of their heading, which a
    server without ``--report_gbits`` prints for a client that has it.

    A failure is a row with ``size_bytes`` 0 and the tool's own words; rows before it stay valid. The cause is
    looked for in stdout, stderr and the exit status together. A test that was killed loses what it had not yet
    written, its banner too, so an empty output is an answer only beside an exit status that tells of a signal.

    The banner ``Waiting for client to connect`` is printed before the port is bound: it proves no listener.

    Source: linux-rdma/perftest ``src/perftest_parameters.c``, ``perftest_communication.c`` and
    ``perftest_resources.c``.
    """
    read = Reader(output)
    failure = _failure(read, output)
    if not read.rows and failure is None:
        if not _passive(read, output):
            raise _not_understood(read, output)
        yield Missing(PerftestRow.TABLE, Why.ABSENT, "a server that only answers reads measures nothing")
    for fields in read.rows:
        yield PerftestRow(**_judged(fields, failure, read.clock))
    if failure:
        about = read.told.fields()
        about["tool"] = about["tool"] or read.program
        line = failure.line or None
        yield PerftestRow(**about, size_bytes=0, outcome=failure.outcome.value, message=failure.message, line=line)
    yield from read.skipped


def _judged(fields: dict[str, Any], failure: Failure | None, clock: str) -> dict[str, Any]:
    """A row that measured nothing takes the cause that is known for it."""
    if fields["outcome"] == Outcome.LINK_CUT and failure and failure.outcome is not Outcome.KILLED:
        return fields | {"outcome": failure.outcome.value, "message": failure.message}
    if fields["outcome"] in (Outcome.NO_RESULT, Outcome.CLOCK_UNRELIABLE) and clock:
        return fields | {"outcome": Outcome.CLOCK_UNRELIABLE.value, "message": clock}
    return fields


def _failure(read: Reader, output: Output) -> Failure | None:
    """The cause, from the words if they tell one, else from the exit status, else from what is missing."""
    told = cause(read.telling, ran=bool(read.rows))
    if told:
        return told
    killed = ended(output.rc)
    if read.told.waits:
        return Failure(Outcome.NO_CLIENT, killed.message if killed else "no client connected")
    if killed:
        return killed if read.known or read.rows or not output.stdout.strip() else None
    if read.rows:
        limit = any(_LIMIT.search(text) for text in (output.stdout, output.stderr))
        return None if output.rc in (0, None) or limit else Failure(Outcome.NO_RESULT, f"exit status {output.rc}")
    if read.known and not read.skipped and not _passive(read, output):
        return Failure(Outcome.NO_RESULT, first_line(output.stderr) or "it printed no row")
    return None


def _passive(read: Reader, output: Output) -> bool:
    """Whether it is a server that ended well and has no table: that of ``ib_read_lat`` and ``ib_atomic_lat``."""
    return output.rc in (0, None) and read.told.fields().get("role") == "server" and not read.skipped


def _not_understood(read: Reader, output: Output) -> ParseError:
    if read.skipped:
        first = read.skipped[0]
        return ParseError(first.line, first.text, first.expected)
    for text in (output.stdout, output.stderr):
        for number, line in numbered(text):
            if line.strip():
                return ParseError(number, line, _EXPECTED)
    return ParseError(0, "", _EXPECTED)
