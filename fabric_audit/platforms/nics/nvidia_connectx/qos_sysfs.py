"""Classification, buffers and congestion control as MLNX_OFED shows them in files below ``/sys/class/net``."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import CongestionControl, CongestionSetting, NicSetting
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue
from fabric_audit.platforms.hosts.linux.paths import PATHLESS
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Skipped, section
from fabric_audit.platforms.nics.nvidia_connectx.qos_text import PRIORITIES
from fabric_audit.platforms.text import numbered, some, torn, whole, whole_rows

_NET = "/sys/class/net/*"
_ROW = re.compile(r"/sys/class/net/(?P<port>[^/:]+)/(?P<file>(?:qos|ecn|settings)/[\w./]+):(?P<content>.*)")
_TRUST = {"dscp": "dscp", "pcp": "pcp", "both": "dscp_pcp"}
_CNP = {
    "cnp_dscp": "cnp_dscp",
    "cnp_802p_prio": "cnp_priority",
    "min_time_between_cnps": "min_time_between_cnps_us",
}
_HEADING = re.compile(
    r"|(?:dscp|DSCP)\W+prio(?:rity)?\W*|Priority\s+Buffer|Buffer\s+Size\s+xoff_threshold\s+xon_threshold"
)
_SOURCE = "MLNX_OFED sysfs"


@dataclass(frozen=True, slots=True)
class _Line:
    port: str
    file: str
    content: str
    line: int


@section(
    "qos-sysfs",
    Files(
        f"{_NET}/qos/trust",
        f"{_NET}/qos/dscp2prio",
        f"{_NET}/qos/prio2buffer",
        f"{_NET}/qos/buffer_size",
        f"{_NET}/qos/maxrate",
    ),
    yields=(Interface, DscpMap, PriorityMap, PriorityGroup, Queue, NicSetting),
    proven=Provenance.CONSTRUCTED,
)
def parse_qos_sysfs(output: Output) -> Iterator[Answer]:
    """``/sys/class/net/IF/qos/``: trust, DSCP map, receive buffers and rate limits; files of MLNX_OFED only.

    ``trust`` and ``dscp2prio`` went away with kernel 4.17, which has them in DCB netlink. ``buffer_size`` prints
    the size of the port's buffer, the spare one, then number, size, ``xoff_threshold`` (the fill at which pause is
    sent) and ``xon_threshold`` of each buffer in bytes. ``maxrate`` prints one limit a traffic class in kb/s, 0
    for none. Source: MLNX_OFED ``en_sysfs.c`` (mlx5e_show_prio2buffer, mlx5e_show_buffer_size, mlx5e_show_maxrate)
    and mlnx-tools ``mlnx_qos``, which reads them.
    """
    missing = tuple(nothing_matched(output, "no interface has qos files of MLNX_OFED", Interface))
    yield from missing or some(_read_qos(output.stdout), output, "/sys/class/net/IF/qos/FILE:CONTENT")


def _read_qos(text: str) -> Iterator[Answer]:
    for one in _lines(numbered(whole(text))):
        answer = one if isinstance(one, Skipped) else _qos(one)
        yield from [answer] if isinstance(answer, Skipped) else answer
    yield from torn(text)


@section(
    "ecn-sysfs",
    Files(
        f"{_NET}/ecn/roce_np/*",
        f"{_NET}/ecn/roce_np/enable/*",
        f"{_NET}/ecn/roce_rp/*",
        f"{_NET}/ecn/roce_rp/enable/*",
        f"{_NET}/settings/pfc_stall_prevention",
    ),
    yields=(CongestionControl, CongestionSetting, NicSetting),
    proven=Provenance.DOCUMENT,
)
def parse_ecn_sysfs(output: Output) -> Iterator[Answer]:
    """``/sys/class/net/IF/ecn/``: notification point (NP) and reaction point (RP) of RoCE congestion control.

    ``roce_np/enable/P`` and ``roce_rp/enable/P`` are 0 or 1 for each priority P. The notification point is one
    switch of the whole port although it shows as eight files, so a row with priority -1 tells it where the eight
    agree; the reaction point is one of each priority. The files say what runs now, firmware settings only what
    boots next. That they exist does not say which algorithm is loaded: it stays ``unknown``.

    ``min_time_between_cnps`` and times of the reaction point are in microseconds, rates in Mb/s.
    ``pfc_stall_prevention`` is ``default`` (pause is cut off after 8 s) or ``auto`` (after 100 ms). Source: NVIDIA
    "Explicit Congestion Notification" and "DCQCN CC parameters", MLNX_OFED ``en_sysfs.c``.
    """
    missing = tuple(nothing_matched(output, "no interface has ecn files of MLNX_OFED", CongestionControl))
    answers = chain(read_ecn(numbered(whole(output.stdout))), torn(output.stdout))
    yield from missing or some(answers, output, "/sys/class/net/IF/ecn/FILE:CONTENT")


def read_ecn(lines: Iterable[tuple[int, str]]) -> Iterator[Answer]:
    """The facts of numbered lines ``/sys/class/net/IF/ecn/...:VALUE``."""
    flags: dict[tuple[str, str], dict[int, _Line]] = {}
    for one in _lines(lines):
        if isinstance(one, Skipped):
            yield one
        elif switch := re.fullmatch(r"ecn/roce_(np|rp)/enable/([0-7])", one.file):
            if one.content in ("0", "1"):
                flags.setdefault((one.port, switch[1]), {})[int(switch[2])] = one
            else:
                yield Skipped(one.line, one.content, "0 or 1")
        else:
            yield _setting(one)
    for port in dict.fromkeys(port for port, _ in flags):
        yield from _control(port, flags.get((port, "np"), {}), flags.get((port, "rp"), {}))


def _lines(lines: Iterable[tuple[int, str]]) -> Iterator[_Line | Skipped]:
    strange = 0
    known = 0
    for number, line, found in whole_rows(lines, _ROW, PATHLESS):
        if found:
            known += 1
            yield _Line(found["port"], found["file"], found["content"].strip(), number)
        else:
            strange += 1
            if strange > known:
                raise ParseError(number, line, "/sys/class/net/IF/(qos|ecn|settings)/FILE:CONTENT")
            yield Skipped(number, line, "/sys/class/net/IF/(qos|ecn|settings)/FILE:CONTENT")


def _qos(one: _Line) -> list[Answer] | Skipped:
    readers = {
        "qos/trust": (r"(dscp|pcp|both)", _trust),
        "qos/dscp2prio": (r"([0-5]?[0-9]|6[0-3])\s+([0-7])", _dscp),
        "qos/prio2buffer": (r"([0-7])\s+([0-7])", _prio2buffer),
        "qos/buffer_size": (r"([0-7])\s+([0-9]{1,12})\s+([0-9]{1,12})\s+([0-9]{1,12})", _buffer),
        "qos/maxrate": (r"([0-9]{1,12}(?:\s+[0-9]{1,12}){7})", _maxrate),
    }
    pattern, reader = readers.get(one.file, (r"(.*)", None))
    found = re.fullmatch(pattern, one.content)
    if found and reader:
        return reader(one, found)
    if _HEADING.fullmatch(one.content):
        return []
    total = re.fullmatch(r"((?:Port|Spare) buffer size) = ([0-9]{1,12})", one.content)
    if total:
        return [NicSetting(device=one.port, name=total[1], value=total[2], source=_SOURCE, line=one.line)]
    return Skipped(one.line, one.content, f"a line of {one.file}")


def _trust(one: _Line, found: re.Match[str]) -> list[Answer]:
    return [Interface(port=one.port, trust_mode=_TRUST[found[1]], line=one.line)]


def _dscp(one: _Line, found: re.Match[str]) -> list[Answer]:
    dscp, priority = int(found[1]), int(found[2])
    return [DscpMap(port=one.port, dscp=dscp, priority=priority, source=_SOURCE, line=one.line)]


def _prio2buffer(one: _Line, found: re.Match[str]) -> list[Answer]:
    priority, buffer = int(found[1]), int(found[2])
    return [PriorityMap(port=one.port, priority=priority, buffer=buffer, source=_SOURCE, line=one.line)]


def _buffer(one: _Line, found: re.Match[str]) -> list[Answer]:
    number, size, xoff, xon = (int(found[group]) for group in (1, 2, 3, 4))
    return [
        PriorityGroup(
            port=one.port,
            pg=number,
            size_bytes=size,
            pause_at_bytes=xoff,
            xon_bytes=xon,
            source=_SOURCE,
            line=one.line,
        )
    ]


def _maxrate(one: _Line, found: re.Match[str]) -> list[Answer]:
    limits = [int(kbps) * 1000 for kbps in found[1].split()]
    return [
        Queue(port=one.port, queue=number, rate_limit_bps=limit, source=_SOURCE, line=one.line)
        for number, limit in enumerate(limits)
    ]


def _setting(one: _Line) -> Answer:
    name = one.file.rsplit("/", 1)[-1]
    if not re.fullmatch(r"[\w.-]+", one.content):
        return Skipped(one.line, one.content, f"a value of {one.file}")
    if one.file.startswith("settings/"):
        return NicSetting(device=one.port, name=name, value=one.content, source=_SOURCE, line=one.line)
    shown = _CNP.get(name, name)
    return CongestionSetting(port=one.port, name=shown, value=one.content, source=_SOURCE, line=one.line)


def _control(port: str, np: Mapping[int, _Line], rp: Mapping[int, _Line]) -> Iterator[CongestionControl]:
    states = {one.content for one in np.values()}
    yield CongestionControl(
        port=port,
        priority=-1,
        algorithm="unknown",
        notification_point=states == {"1"} if len(states) == 1 and len(np) == len(PRIORITIES) else None,
        source=_SOURCE,
    )
    for priority in sorted({*np, *rp}):
        yield CongestionControl(
            port=port,
            priority=priority,
            algorithm="unknown",
            notification_point=np[priority].content == "1" if priority in np else None,
            reaction_point=rp[priority].content == "1" if priority in rp else None,
            source=_SOURCE,
            line=(rp.get(priority) or np[priority]).line,
        )
