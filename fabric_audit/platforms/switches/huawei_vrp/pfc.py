"""PFC and DCBX of VRP as they run."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import DcbxFailure, PfcCounter, PfcPort, PfcWatchdog
from fabric_audit.facts.profiles import MapBinding, PfcProfile
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.switches.huawei_vrp.lines import Row, answers, lines, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME, canonical

_SINCE_CLEAR = "since_clear"
_MODES = {"ENABLE(M)": "on", "ENABLE(A)": "auto", "DISABLE": "off", "-": "off"}


@section("display-dcb", Cli("display dcb"), yields=(PfcPort, MapBinding), proven=Provenance.DOCUMENT)
def parse_dcb(output: Output) -> Iterator[Answer]:
    """``display dcb``: PFC mode and the names of profiles per interface, of those with any DCB at all.

    ENABLE(M) is forced on, ENABLE(A) by DCBX. Which priorities that are tells ``display dcb pfc-profile``.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _dcb, (PfcPort, MapBinding), "no interface with DCB")


def _dcb(text: str) -> Iterator[Answer]:
    header = r"Interface\s+PFC Name\s+PFC Status\s+ETS Name\s+ETS Status\s+App-Profile"
    pattern = rf"(?P<port>{NAME})\s+(?P<pfc>\S+)\s+(?P<status>\S+)\s+(?P<ets>\S+)\s+(?P<ets_status>\S+)\s+(?P<app>\S+)"
    for row in rows(text, header, pattern):
        if row["status"] not in _MODES:
            raise ParseError(row.line, row["status"], "ENABLE(M), ENABLE(A) or DISABLE")
        mode = _MODES[row["status"]]
        priorities = "" if mode == "off" else None
        yield PfcPort(port=row.port, mode=mode, admin_priorities=priorities, source="display dcb", line=row.line)
        if row["pfc"] != "-":
            yield MapBinding(port=row.port, map_kind="pfc_profile", map_name=row["pfc"], line=row.line)


@section("display-dcb-pfc-profile", Cli("display dcb pfc-profile"), yields=(PfcProfile,), proven=Provenance.DOCUMENT)
def parse_pfc_profile(output: Output) -> Iterator[Answer]:
    """``display dcb pfc-profile``: the lossless priorities of each profile.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _profiles, (PfcProfile,), "no PFC profile")


def _profiles(text: str) -> Iterator[Answer]:
    pattern = r"(?P<name>\S+)\s+(?P<priorities>[0-7](?:[ ,]+[0-7])*|-|--)"
    for row in rows(text, r"PFC-profile Name\s+Priority", pattern):
        for direction in ("input", "output"):
            for priority in range(8):
                yield PfcProfile(
                    profile=row["name"],
                    direction=direction,
                    code_field="pcp",
                    code_point=priority,
                    pfc=str(priority) in row["priorities"],
                    line=row.line,
                )


@section(
    "display-dcb-pfc",
    Cli("display dcb pfc"),
    yields=(PfcCounter, PfcWatchdog),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_pfc(output: Output) -> Iterator[Answer]:
    """``display dcb pfc [interface PORT]``: PFC frames per queue, two lines a queue.

    The first line has what was received and how many deadlocks were detected, the second what was sent and how many of
    them ended. A queue is the PFC priority of its number. A row whose second line is missing was cut.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _pfc, (PfcCounter, PfcWatchdog), "no queue with PFC")


def _pfc(text: str) -> Iterator[Answer]:
    header = r"Interface\s+Queue\s+Received\(Frames\)\s+ReceivedRate\(pps\)\s+DeadlockNum"
    pattern = rf"(?:(?:(?P<port>{NAME})\s+)?(?P<queue>[0-7])\s+)?(?P<frames>\d+)\s+(?P<rate>\d+)\s+(?P<events>\d+)"
    first: Row | None = None
    for row in rows(text, header, pattern):
        if row["queue"]:
            if first:
                raise ParseError(first.line, first.cells[0], "a second line: frames sent, rate, recoveries")
            first = row
        elif first is None:
            raise ParseError(row.line, row.cells[0], "a first line: interface, queue, frames received, rate, deadlocks")
        else:
            yield from _queue(first, row)
            first = None
    if first:
        raise ParseError(first.line, first.cells[0], "a second line: frames sent, rate, recoveries")


def _queue(received: Row, sent: Row) -> Iterator[Answer]:
    queue, deadlocks, recovered = int(received["queue"]), received.count("events"), sent.count("events")
    yield PfcCounter(
        port=received.port,
        priority=queue,
        tx_frames=sent.count("frames"),
        rx_frames=received.count("frames"),
        scope=_SINCE_CLEAR,
        line=received.line,
    )
    yield PfcWatchdog(
        port=received.port,
        queue=queue,
        storms_detected=deadlocks,
        storms_restored=recovered,
        line=received.line,
    )


@section("display-dcb-fail-record", Cli("display dcb fail-record"), yields=(DcbxFailure,), proven=Provenance.DOCUMENT)
def parse_fail_record(output: Output) -> Iterator[Answer]:
    """``display dcb fail-record``: negotiations of DCBX that failed, with time and reason.

    The interface stands only on the first of its rows. PFC in mode auto does not work on such a port.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _failures, (DcbxFailure,), "no failure of DCBX")


def _failures(text: str) -> Iterator[Answer]:
    pattern = rf"(?:(?P<port>{NAME})\s+)?\[(?P<time>\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d)[^\]]*\](?P<reason>.+)"
    for row in rows(text, r"Interface\s+Fail-Record", pattern):
        yield DcbxFailure(port=row.port, time=row["time"], reason=row["reason"].strip().rstrip("."), line=row.line)


@section("display-dcb-status-verbose", yields=(PfcPort, Queue), proven=Provenance.DOCUMENT)
def parse_status(output: Output) -> Iterator[Answer]:
    """``display dcb status interface PORT verbose``: PFC and ETS, own and the neighbour's.

    ``-`` in the column Remote means that the neighbour sent none: nothing was agreed. A group with a bandwidth is
    scheduled by weight, group 15 strictly.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _status, (PfcPort, Queue), "no port")


def _status(text: str) -> Iterator[Answer]:
    port, part, queues = "", "", ""
    seen = False
    for number, line in lines(text):
        content = line.strip()
        named = re.fullmatch(rf"Interface\s*:\s*({NAME})", content)
        priority = re.fullmatch(r"PFC\s+Priority\s+(-|[0-7](?: [0-7])*)\s+(-|[0-7](?: [0-7])*)", content)
        group = re.fullmatch(
            r"(?P<number>\d{1,2})\s+Queue\s+(?P<queues>-|[0-7](?: [0-7])*)\s+(?:-|[0-7](?: [0-7])*)", content
        )
        share = re.fullmatch(r"BW PCT\s+(\d{1,3}|-)\s+\S+", content)
        if named:
            port, seen = canonical(named[1]), True
        elif priority and port:
            yield _agreed(port, priority, number)
        elif group and port:
            part, queues = group["number"], group["queues"]
        elif share and part:
            yield from _scheduled(port, queues, None if share[1] == "-" else float(share[1]), number)
            part = ""
        elif part and ("BW PCT" in content or "Queue" in content):
            part = ""
            yield Skipped(number, content, "N Queue, then BW PCT, each in a line of its own")
    if not seen:
        first = next(((n, line) for n, line in lines(text)), (0, ""))
        raise ParseError(*first, "`Interface : PORT`")


def _agreed(port: str, found: re.Match[str], line: int) -> PfcPort:
    own, remote = (None if cell == "-" else cell.replace(" ", "") for cell in found.groups())
    return PfcPort(
        port=port, admin_priorities=own or "", peer_priorities=remote, source="display dcb status", line=line
    )


def _scheduled(port: str, queues: str, share: float | None, line: int) -> Iterator[Answer]:
    for queue in re.findall("[0-7]", queues):
        sort = "strict" if share is None else "dwrr"
        yield Queue(port=port, queue=int(queue), scheduler=sort, weight_pct=share, line=line)
