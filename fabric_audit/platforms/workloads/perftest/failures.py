"""What perftest says when it fails, and which of its words is the cause.

perftest reports a failure at every level it unwinds through: ``Couldn't listen to port 18515``, then ``Unable to
open file descriptor for socket connection``, then ``Unable to init the socket connection``. The table below is in
the order from cause to consequence, so the first entry that matches any line is the one to tell.

Texts: linux-rdma/perftest ``src/perftest_communication.c``, ``perftest_resources.c``, ``perftest_parameters.c``,
``perftest_negotiation.c``, ``cuda_memory.c``, ``get_clock.c``, of 2012 to 2026.
"""

import re
import signal
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabric_audit.facts.performance import Outcome


@dataclass(frozen=True, slots=True)
class Failure:
    """A cause with the words that told it; ``line`` is 0 where no line of stdout did."""

    outcome: Outcome
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what was printed, without the ``indent`` blanks before it; ``number`` is 0 for one of stderr."""

    number: int
    text: str
    indent: int = 0


def _any(*texts: str) -> re.Pattern[str]:
    return re.compile("|".join(texts))


_CAUSES: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    (
        Outcome.PORT_TAKEN,
        _any(
            r"Couldn't listen to port \d+",
            r"rdma_bind_addr failed",
            r"rdma_listen failed",
            r"Failed to bind RDMA CM address on the server",
            r"Failed to listen on RDMA CM server",
            r"^fabric-audit: port \d+ is taken",
        ),
    ),
    (
        Outcome.HOST_ABSENT,
        _any(
            r"Name or service not known",
            r"(?:Temporary|Non-recoverable) failure in name resolution",
            r"No address associated with hostname",
            r"Failed to get RDMA CM address",
            r"Problem in resolving basic address and port",
            r"Event: RDMA_CM_EVENT_(?:ADDR_ERROR|ROUTE_ERROR|UNREACHABLE)\b",
            r"[Uu]nexpected CM event (?:bl blka )?[137]\b",
            r"Received \d+ times ADDR_ERROR",
        ),
    ),
    (
        Outcome.REJECTED,
        _any(
            r"Event: RDMA_CM_EVENT_(?:REJECTED|CONNECT_ERROR)\b",
            r"[Uu]nexpected CM event (?:bl blka )?[68]\b",
        ),
    ),
    (Outcome.NO_SERVER, _any(r"Couldn't connect to \S+:\d+")),
    (
        Outcome.WRONG_DEVICE,
        _any(
            r"IB device \S+ not found",
            r"Unable to query port (?:\d+ )?attributes",
            r"Did not detect devices",
            r"No IB devices found",
            r"Unable to find the Infiniband/RoCE device",
        ),
    ),
    (Outcome.LINK_DOWN, _any(r"Port number \d+ state is \w", r"Link layer on port \d+ is Unknown")),
    (
        Outcome.GPU_UNAVAILABLE,
        _any(
            r"DMA-BUF is not supported on this GPU",
            r"No such device ID \(\d+\) exists in system",
            r"There are no available device\(s\) that support CUDA",
            r"cuDeviceGetByPCIBusId failed",
            r"\bcu[A-Z]\w+(?:\(\d*\))? (?:returned|error=) ?[1-9]\d*",
            r"support for CU_MEM_RANGE_FLAG\w+ is missing",
            r"Couldn't init GPU context",
        ),
    ),
    (Outcome.MEMORY_REGISTRATION, _any(r"Couldn't allocate MR(?: with error=\d+)?", r"(?i:failed to create mr)\b")),
    (Outcome.BAD_GID, _any(r"Found Incompatibility issue with GID types", r"Unable to set up socket connection")),
    (
        Outcome.NOT_CONNECTED,
        _any(
            r"Failed to modify QP(?: \d+)?(?: state)? to \w+",
            r"Unable to Connect the HCA's through the link",
            r"rdma_(?:connect|accept|resolve_addr|resolve_route) failed",
            r"Failed to (?:connect through RDMA CM|resolve RDMA CM route|accept RDMA CM connection)",
        ),
    ),
    (
        Outcome.OPTION_MISMATCH,
        _any(
            r"\b\w+ mismatch: local=\S+, remote=\S+$",
            r"not compatible with versions older than",
            r"Failed status (?:9|10)\b",
            r"Failed status[- ][^()]*\((?:9|10)\)",
        ),
    ),
    (Outcome.RETRY_EXCEEDED, _any(r"Failed status (?:12|13)\b", r"Failed status[- ][^()]*\((?:12|13)\)")),
    (Outcome.COMPLETION_ERROR, _any(r"Failed status \d+", r"Failed status[- ][^()]*\(\d+\)")),
    (
        Outcome.COMPLETION_ERROR,
        _any(r"Completion with error at \w+", r"poll CQ failed -?\d+", r"Problems with warm up"),
    ),
    (
        Outcome.NO_RESOURCES,
        _any(
            r"Couldn't (?:create|allocate) (?:CQ|QP|PD|SRQ|AH|rdma QP|completion channel)\b",
            r"(?:Unable|Failed) to create (?:a )?(?:CQ|QP|PD|SRQ|AH)\b",
            r"Requested SQ size might be too big",
            r"Couldn't (?:get device attributes|post send|post receive)",
            r"Cannot Allocate|Failed to allocate",
            r"Couldn't create IB resources",
        ),
    ),
    (
        Outcome.UNSUPPORTED,
        _any(
            r"unrecognized option|invalid option -- |requires an argument|option .* doesn't allow an argument",
            r"Unsupported memory type",
            r"CUDA DMA-BUF cannot be used without CUDA",
            r"CUDA Memory type is not supported",
            r"[Pp]erftest supports .* only|[Pp]erftest doesn't support CUDA tests",
            r"Duplicated argument: ",
            r"(?:only available|[Aa]vailable only|only valid|only possible|not possible|doesn't work)\b",
            r"(?:(?<!<)not supported|cannot be (?:greater|changed)|can only run)\b(?!, falling back)",
            r"should be between -?\d+ and -?\d+",
            r"please check that DURATION > 2\*MARGIN",
        ),
    ),
    (Outcome.UNSUPPORTED, _any(r"Invalid Command", r"Parser function exited with Error")),
    (Outcome.NO_ACCESS, _any(r"Couldn't get context for the device")),
    (Outcome.CLOCK_UNRELIABLE, _any(r"Can't produce a report")),
    (Outcome.LINK_CUT, _any(r"Did not get Message for \d+ Seconds")),
    (
        Outcome.PEER_DIED,
        _any(
            r"Couldn't (?:read|send|write) (?:remote address|local address|reports|data)",
            r"Unable to (?:read|write) (?:to|from) socket/rdma_cm",
            r"Failed to (?:exchange|sync)\b",
            r"Unable to exchange chunked payload",
            r"Failed to close connection between server and client",
            r"Connection reset by peer|Broken pipe",
            r"RDMA_CM_EVENT_DISCONNECTED|[Uu]nexpected CM event (?:bl blka )?10\b",
        ),
    ),
    (
        Outcome.NO_RESULT,
        _any(
            r"Unable to (?:init the socket connection|open file descriptor|create the rdma_resources)",
            r"Unable to create RDMA_CM resources|Unable to perform rdma_(?:client|server) function",
            r"Failed to complete run_iter_\w+ function successfully",
            r"Error occured while running infinitely",
            r"Segmentation fault|Aborted|Bus error",
        ),
    ),
)

MEMORY_LIMIT = re.compile(r"RLIMIT_MEMLOCK is \d+ bytes")
"""libibverbs warns at start; it is the cause only if a registration then failed."""
CLOCK = re.compile(r"Correlation coefficient r\^2: \S+ < 0\.9")
"""The cycle counter did not follow the clock: with ``-F`` perftest goes on and divides by zero."""

_TELLING = re.compile("|".join(f"(?:{pattern.pattern})" for _, pattern in _CAUSES) + f"|{MEMORY_LIMIT.pattern}")

ENDED_BY_TIMEOUT = 124  # coreutils timeout(1): the time limit was reached
ENDED_BY_SSH = 255  # ssh(1): the remote command was ended by a signal, or the connection broke
_SIGNAL_BASE = 128  # POSIX sh 2.8.2: exit status above 128 is a signal


def is_telling(text: str) -> bool:
    """Whether a line may tell of a failure."""
    return bool(_TELLING.search(text))


def cause(lines: Sequence[Line], *, ran: bool) -> Failure | None:
    """The cause among the lines of both streams, or None where none is a failure that is known.

    Args:
        lines: all lines but the rows of results.
        ran: whether there are rows: then no option was refused, and words like it come from another program.
    """
    for outcome, pattern in _CAUSES:
        if ran and outcome is Outcome.UNSUPPORTED:
            continue
        for line in lines:
            found = pattern.search(line.text)
            if found:
                return _limited(Failure(outcome, line.text.strip(), line.number), lines)
    return None


def _limited(found: Failure, lines: Iterable[Line]) -> Failure:
    """A failed registration after libibverbs' warning is the limit's doing."""
    if found.outcome is not Outcome.MEMORY_REGISTRATION:
        return found
    warned = (line for line in lines if MEMORY_LIMIT.search(line.text))
    return next((Failure(Outcome.MEMORY_LIMIT, w.text.strip(), w.number) for w in warned), found)


def ended(rc: int | None) -> Failure | None:
    """That a signal or the time limit ended the program, by its exit status."""
    if rc == ENDED_BY_TIMEOUT:
        return Failure(Outcome.KILLED, "ended by its time limit")
    if rc == ENDED_BY_SSH:
        return Failure(Outcome.KILLED, "ended by a signal")
    if rc is not None and (rc < 0 or rc > _SIGNAL_BASE):
        number = -rc if rc < 0 else rc - _SIGNAL_BASE
        return Failure(Outcome.KILLED, f"ended by {_signal_name(number)}")
    return None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
