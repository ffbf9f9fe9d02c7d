"""What scripts that set up RoCE on ConnectX ports print: a summary, and a shell trace."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, pairwise

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import CongestionControl, CongestionSetting
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.system import KernelSetting
from fabric_audit.platforms.hosts.linux.rdma_cm import is_tos
from fabric_audit.platforms.model import Answer, Output, Provenance, Skipped, section
from fabric_audit.platforms.nics.nvidia_connectx.mlnx_qos import QOS_TABLES
from fabric_audit.platforms.nics.nvidia_connectx.qos_sysfs import read_ecn
from fabric_audit.platforms.nics.nvidia_connectx.qos_text import read
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole

_Lines = list[tuple[int, str]]

_DEVICE = re.compile(r"=+ show (?:configuration for|PF) device (?P<netdev>[\w.@-]+) / (?P<device>[\w.-]*) *=+")
_REST = re.compile(r"=+ show qos =+")
_ECN = re.compile(r"(?:ECN Enabled for priority [0-7]|QOS for CNP): (?P<path>/sys/class/net/\S+) = (?P<value>\S+)")
_CLASS = re.compile(
    r"(?:QOS for rdma|rdma device \S+:\s+libverbs qos): "
    r"/sys/class/infiniband/(?P<device>[^/]+)/tc/(?P<port>[0-9]{1,3})/traffic_class = ?"
    r"(?:Global tclass=(?P<value>[0-9]{1,3}))?"
)
_TOS = re.compile(r"(?:cma_roce_tos:|rdma device (?P<device>\S+):\s+rdma_cm qos =) (?P<value>[0-9]{1,3})")
_EXPECTED = "a line of set-rdma-qos.sh q"


@section(
    "roce-qos-summary",
    yields=(*QOS_TABLES, CongestionControl, CongestionSetting, RdmaPort),
    proven=Provenance.DOCUMENT,
)
def parse_roce_qos_summary(output: Output) -> Iterator[Answer]:
    """``set-rdma-qos.sh q`` of Spiderpool: trust, PFC, ECN and traffic class of every ConnectX port.

    Parts of ``mlnx_qos``, then ``PATH = VALUE`` for the files of MLNX_OFED. The ToS of RDMA-CM and the forced traffic
    class stand behind each interface, or, in newer versions, in a list of their own for all devices. The DSCP map is
    not printed. Source: spidernet-io/spiderpool ``tools/scripts/set-rdma-qos.sh``.
    """
    blocks = _blocks(numbered(whole(output.stdout)))
    answers = chain.from_iterable(_summary(found, lines) for found, lines in blocks)
    yield from some(_merged(chain(answers, torn(output.stdout))), output, _EXPECTED)


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[re.Match[str] | None, _Lines]]:
    """(heading of a device or None, lines below it)."""
    heading: re.Match[str] | None = None
    below: _Lines = []
    for number, line in lines:
        if _DEVICE.fullmatch(line) or _REST.fullmatch(line):
            yield heading, below
            heading, below = _DEVICE.fullmatch(line), []
        elif line:
            below.append((number, line))
    yield heading, below


def _summary(heading: re.Match[str] | None, lines: _Lines) -> Iterator[Answer]:
    netdev, device = (heading["netdev"], heading["device"]) if heading else ("", "")
    files: _Lines = []
    rest: _Lines = []
    halves = [one for one, (_, below) in pairwise(lines) if below[:1].isdigit()]
    for number, line in (one for one in lines if one not in halves):
        ecn, traffic_class, tos = (pattern.fullmatch(line) for pattern in (_ECN, _CLASS, _TOS))
        if ecn:
            files.append((number, f"{ecn['path']}:{ecn['value']}"))
        elif traffic_class:
            yield from _traffic_class(traffic_class, number)
        elif tos and (tos["device"] or device) and is_tos(tos["value"]):
            yield RdmaPort(device=tos["device"] or device, port=1, cm_tos=int(tos["value"]), line=number)
        else:
            rest.append((number, line))
    told, strange = read(rest) if netdev else (None, rest)
    if told:
        yield from told.facts(netdev, "mlnx_qos")
    yield from read_ecn(files)
    yield from (Skipped(number, line, _EXPECTED) for number, line in (*strange, *halves))


def _traffic_class(found: re.Match[str], line: int) -> Iterator[RdmaPort]:
    if found["value"] and is_tos(found["value"]):
        yield RdmaPort(device=found["device"], port=int(found["port"]), traffic_class=int(found["value"]), line=line)


def _merged(answers: Iterable[Answer]) -> Iterator[Answer]:
    """The answers; traffic class and ToS of one port, told on lines of their own, become one row."""
    ports: dict[tuple[str, int], RdmaPort] = {}
    rest: list[Answer] = []
    for answer in answers:
        if not isinstance(answer, RdmaPort):
            rest.append(answer)
            continue
        name = (answer.device, answer.port)
        first = ports.setdefault(name, answer)
        if any(None not in pair and pair[0] != pair[1] for pair in _values(first, answer)):
            rest.append(Skipped(answer.line or 0, f"{answer.device} {answer.port}", "one value a port"))
            continue
        traffic_class, cm_tos = (old if old is not None else new for old, new in _values(first, answer))
        ports[name] = replace(first, traffic_class=traffic_class, cm_tos=cm_tos)
    yield from consistent([*rest, *ports.values()])


def _values(first: RdmaPort, second: RdmaPort) -> tuple[tuple[int | None, int | None], ...]:
    return (first.traffic_class, second.traffic_class), (first.cm_tos, second.cm_tos)


_COMMAND = re.compile(r"\++ (?:sudo )?(?P<words>.*)")
_QOS = re.compile(r"mlnx_qos (?:.* )?-i (?P<netdev>[\w.@-]+)(?: .*)?")
_CM = re.compile(r"cma_roce_tos (?:.* )?-d (?P<device>[\w.-]+)(?: .*)?")
_SYSCTL = re.compile(r"sysctl (?:-\w+ )*(?P<name>[\w.]+)=(?P<value>\S+)")
_ECHO = re.compile(r"(?:sh -c ')?\s*echo (?:-n )?(?P<value>[0-9]{1,12}) > (?P<path>/sys/class/\S+?)'?")
_TRAFFIC_CLASS = re.compile(r"/sys/class/infiniband/(?P<device>[^/]+)/tc/(?P<port>[0-9]{1,3})/traffic_class")
_TRACE = "the trace (set -x) of a script that runs mlnx_qos, cma_roce_tos or sysctl"


@section(
    "mlnx-roce-setup-trace",
    yields=(*QOS_TABLES, CongestionControl, CongestionSetting, RdmaPort, KernelSetting),
    proven=Provenance.FIELD,
)
def parse_mlnx_roce_setup_trace(output: Output) -> Iterator[Answer]:
    """The ``set -x`` trace of a script that sets up lossless RoCE: lines ``+ COMMAND``, and what each printed.

    Of every command that was repeated the last one counts, as ``mlnx_qos`` prints the whole state each time. A value
    written with ``echo`` counts where nothing was printed below it, for then the write succeeded. Commands that
    concern something else are left alone. Source: att/netarbiter ``setup-nic-lossless-layer3.sh``.
    """
    for rest in torn(output.stdout):
        raise ParseError(
            rest.line, rest.text, "a trace that is whole: commands may follow that change what stands here"
        )
    said: dict[str, Callable[[], Iterator[Answer]]] = {}
    for number, words, printed in _commands(output.stdout):
        for pattern, reader in _READERS:
            found = pattern.fullmatch(words)
            if found:
                name = found.groupdict().get("path") or f"{reader.__name__} {found[1]}"
                said[name] = _bound(reader, found, printed, number)
    answers = chain.from_iterable(answer() for answer in said.values())
    yield from some(_merged(answers), output, _TRACE)


_Reader = Callable[[re.Match[str], _Lines, int], Iterator[Answer]]


def _bound(reader: _Reader, found: re.Match[str], printed: _Lines, number: int) -> Callable[[], Iterator[Answer]]:
    return lambda: reader(found, printed, number)


def _commands(text: str) -> Iterator[tuple[int, str, _Lines]]:
    """(line, command without ``sudo``, what it printed) of every command of the trace."""
    started: tuple[int, str] | None = None
    printed: _Lines = []
    for number, line in numbered(whole(text)):
        found = _COMMAND.fullmatch(line)
        if found:
            if started:
                yield *started, printed
            started, printed = (number, found["words"].strip()), []
        elif line:
            printed.append((number, line))
    if started:
        yield *started, printed


def _qos(found: re.Match[str], printed: _Lines, _number: int) -> Iterator[Answer]:
    told, strange = read(printed)
    yield from told.facts(found["netdev"], "mlnx_qos")
    yield from (Skipped(number, line, "a line of mlnx_qos") for number, line in strange)


def _cm(found: re.Match[str], printed: _Lines, number: int) -> Iterator[Answer]:
    values = [(at, line.strip()) for at, line in printed]
    if len(values) == 1 and is_tos(values[0][1]):
        yield RdmaPort(device=found["device"], port=1, cm_tos=int(values[0][1]), line=values[0][0])
    else:
        yield Skipped(number, found[0], "one number of 0 to 255 below it")


def _sysctl(found: re.Match[str], printed: _Lines, number: int) -> Iterator[Answer]:
    if printed and printed[0][1] == f"{found['name']} = {found['value']}":
        yield KernelSetting(name=found["name"], value=found["value"], line=printed[0][0])
    else:
        yield Skipped(number, found[0], "NAME = VALUE below it")


def _echo(found: re.Match[str], printed: _Lines, number: int) -> Iterator[Answer]:
    port = _TRAFFIC_CLASS.fullmatch(found["path"])
    if printed:
        yield Skipped(number, found[0], "nothing below it")
    elif port and is_tos(found["value"]):
        yield RdmaPort(device=port["device"], port=int(port["port"]), traffic_class=int(found["value"]), line=number)
    elif "/ecn/" in found["path"]:
        yield from read_ecn([(number, f"{found['path']}:{found['value']}")])


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_QOS, _qos),
    (_CM, _cm),
    (_SYSCTL, _sysctl),
    (_ECHO, _echo),
)
