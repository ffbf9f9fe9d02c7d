"""Builds the command line of one end of a perftest run, or says why there can be none. Pure.

Nothing is left to perftest's defaults: device, port, GID index, TCP port, size, queue pairs and class are always
given, because the default GID index differs between versions and ends (linux-rdma/perftest issue 44), and because
versions from 6.28 on compare the two ends' options and refuse a difference.

The order of options is fixed and matters: ``--use_cuda_dmabuf`` before ``--use_cuda`` is refused (issue 336).
``-a`` is never used: it crashes with GPU memory (issues 283, 326), and a JSON file keeps its last size only.
"""

import ipaddress
import math
import re
from dataclasses import dataclass

BANDWIDTH_TOOLS = ("ib_write_bw", "ib_send_bw", "ib_read_bw")
LATENCY_TOOLS = ("ib_write_lat", "ib_send_lat", "ib_read_lat")
MECHANISMS = ("peermem", "dmabuf")

_NAME = re.compile(r"[A-Za-z0-9][\w.:-]*")  # a device, a host or an IPv4 address, and never an option
_CPUS = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*")  # cpu list of cpuset(7)
_MAX_SIZE = 2**31 - 1  # perftest_parameters.c: UINT_MAX / 2
_MAX_QPS = 16384  # perftest_parameters.h: MAX_QP_NUM
_MIN_ITERATIONS = 5  # perftest_parameters.h: MIN_ITER


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One end of one test.

    Attributes:
        tool: one of the tools above.
        role: ``client`` or ``server``.
        address: the server's address or name, at both ends: the server listens in its address family. A name is
            resolved over IPv4, as perftest does.
        device: RDMA device of this end; ``ib_port`` its port.
        gid_index: index in its GID table; None on InfiniBand without global routing, where there is no ``-x``.
        tcp_port: port on which the ends exchange their parameters.
        duration_s: seconds of load of a bandwidth test, rounded up to whole ones.
        iterations: samples of a latency test. With a duration perftest prints no percentiles.
        traffic_class: whole byte: DSCP times four, plus the ECN bits.
        memory: ``host`` or ``gpu`` at this end.
        cuda_index: GPU in CUDA's count; ``mechanism`` is how the NIC reaches it: ``peermem`` or ``dmabuf``.
        cpus: cores to run on, as a Linux cpu list; None to leave that to the scheduler.
        options: options this binary knows, from its own help; None where that could not be read.
        program: path of the binary; empty for the tool's name.
    """

    tool: str
    role: str
    address: str
    device: str
    tcp_port: int
    size_bytes: int
    qps: int
    duration_s: float
    traffic_class: int
    gid_index: int | None
    ib_port: int = 1
    iterations: int = 5000
    bidirectional: bool = False
    memory: str = "host"
    cuda_index: int | None = None
    mechanism: str | None = None
    cpus: str | None = None
    options: frozenset[str] | None = None
    program: str = ""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why there is no command for a request, in words for the report."""

    reason: str


def command(request: Request) -> tuple[str, ...] | Unavailable:
    """The argument list of one end; the words of what stands against it where there is none."""
    reason = _impossible(request) or _unsupported(request)
    if reason:
        return Unavailable(reason)
    placed = ("taskset", "-c", request.cpus) if request.cpus else ()
    return (*placed, request.program or request.tool, *_options(request), *_peer(request))


def _options(request: Request) -> tuple[str, ...]:
    latency = request.tool in LATENCY_TOOLS
    gid = () if request.gid_index is None else ("-x", str(request.gid_index))
    load = ("-n", str(request.iterations)) if latency else ("-q", str(request.qps), "-D", _seconds(request))
    return (
        *("-d", request.device),
        *("-i", str(request.ib_port)),
        *gid,
        *("-p", str(request.tcp_port)),
        *("-s", str(request.size_bytes)),
        *load,
        f"--tclass={request.traffic_class}",
        *(() if latency else ("--report_gbits",)),
        "-F",
        *(("-b",) if request.bidirectional else ()),
        *_memory(request),
    )


def _memory(request: Request) -> tuple[str, ...]:
    """GPU options in the only order that perftest accepts.

    Plain device memory is asked for where there is a choice: versions of 2026 default to another kind.
    """
    if request.memory == "host":
        return ()
    kind = ("--cuda_mem_type=0",) if "--cuda_mem_type" in (request.options or ()) else ()
    mechanism = ("--use_cuda_dmabuf",) if request.mechanism == "dmabuf" else ()
    return (f"--use_cuda={request.cuda_index}", *mechanism, *kind)


def _peer(request: Request) -> tuple[str, ...]:
    family = ("--ipv6-addr",) if _is_ipv6(request.address) else ()
    return (*family, request.address) if request.role == "client" else family


def _seconds(request: Request) -> str:
    return str(math.ceil(request.duration_s))


def _is_ipv6(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).version == 6  # noqa: PLR2004 - the protocol's number
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    return _is_ipv6(text) or _NAME.fullmatch(text) is not None


def _impossible(request: Request) -> str:
    """What no perftest can do, empty where nothing stands against the request."""
    latency = request.tool in LATENCY_TOOLS
    against = (
        (not latency and request.tool not in BANDWIDTH_TOOLS, f"{request.tool} is no test this audit runs"),
        (request.role not in ("client", "server"), f"{request.role} is neither client nor server"),
        (not _NAME.fullmatch(request.device), f"{request.device!r} is no name of an RDMA device"),
        (
            not _is_address(request.address),
            f"{request.address!r} is no address of a host",
        ),
        (request.cpus is not None and not _CPUS.fullmatch(request.cpus), f"{request.cpus!r} is no cpu list"),
        (not 1 <= request.tcp_port < 2**16, f"{request.tcp_port} is no TCP port"),
        (not 0 <= request.traffic_class < 2**8, f"{request.traffic_class} is no traffic class"),
        (not 1 <= request.size_bytes <= _MAX_SIZE, f"messages of {request.size_bytes} bytes are not possible"),
        (not 1 <= request.qps <= _MAX_QPS, f"{request.qps} queue pairs are not possible"),
        (not latency and request.duration_s <= 0, "a bandwidth test needs a duration"),
        (latency and request.iterations < _MIN_ITERATIONS, f"a latency test needs {_MIN_ITERATIONS} iterations"),
        (latency and request.qps > 1, f"{request.tool} runs on one queue pair only"),
        (latency and request.bidirectional, f"{request.tool} has no bidirectional form"),
        (request.memory not in ("host", "gpu"), f"{request.memory} is neither host nor gpu memory"),
    )
    return next((reason for applies, reason in against if applies), "")


def _unsupported(request: Request) -> str:
    """What this build cannot do, by its own help; empty where nothing stands against the request."""
    if request.memory == "gpu":
        if request.tool == "ib_write_lat":
            return "ib_write_lat cannot use GPU memory: the CPU polls the buffer that the peer writes"
        if request.cuda_index is None or request.mechanism not in MECHANISMS:
            return f"GPU memory needs a CUDA index and one of {', '.join(MECHANISMS)}"
    for option, purpose in _needed(request):
        if request.options is None and option != "--tclass":
            return f"whether {request.tool} has {option} is not known: its help could not be read"
        if request.options is not None and option not in request.options:
            return f"this build of {request.tool} has no {option}: {purpose}"
    return ""


def _needed(request: Request) -> list[tuple[str, str]]:
    """Options that not every version or build has, each with what it is for."""
    needed = []
    if request.memory == "gpu":
        needed.append(("--use_cuda", "it was built without CUDA"))
        if request.mechanism == "dmabuf":
            needed.append(("--use_cuda_dmabuf", "it was built without DMA-BUF"))
    if _is_ipv6(request.address):
        needed.append(("--ipv6-addr", "it exchanges its parameters over IPv4 only"))
    needed.append(("--tclass", "it cannot set a traffic class"))
    return needed
