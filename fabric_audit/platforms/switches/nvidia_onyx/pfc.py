"""PFC of Onyx as it runs: ``show dcb priority-flow-control`` as JSON and as text."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcCounter, PfcPort
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.partial import of_whole_lines, settled
from fabric_audit.platforms.switches.nvidia_onyx.names import canonical, is_noise, kind
from fabric_audit.platforms.switches.nvidia_onyx.tables import of_ports, with_member
from fabric_audit.platforms.text import numbered

_SOURCE = "show dcb priority-flow-control"
_MODES = {"on": "on", "auto": "auto", "off": "off", "disabled": "off", "enabled": "on"}
_OPER = {"enabled": True, "disabled": False}


@section(
    "show-dcb-priority-flow-control-json",
    Cli("show dcb priority-flow-control | json-print"),
    yields=(PfcPort,),
    proven=Provenance.FIELD,
)
def parse_pfc_json(output: Output) -> Iterator[Answer]:
    """``show dcb priority-flow-control | json-print``: a global object, and a row per port and port-channel.

    ``PFC: enabled`` is the global switch: it stands there while every port is Disabled, as ``Auto`` is without a DCBX
    neighbour that agrees. The priorities are global and in force only where a port is Enabled. Some answers have the
    ports alone; then which priorities are lossless is not known.

    Sources: the fixtures of Mellanox's Ansible collection; JSON of the switch's API as kept by Samsung's UFM.
    """
    told = document(output.stdout)
    top = with_member(told, "PFC", "Priority Enabled List")
    switched = (top.get("PFC").text() or "").lower()
    listed = top.get("Priority Enabled List").text()
    yield from settled(
        (
            _port(port, row.get("PFC admin").text(), row.get("PFC oper").text(), (switched, listed), row.line)
            for port, rows in of_ports(told)
            for row in rows.rows()
        ),
        (PfcPort,),
        "no port in the answer",
    )


@section("show-dcb-priority-flow-control", yields=(PfcPort,), proven=Provenance.DOCUMENT)
def parse_pfc(output: Output) -> Iterator[Answer]:
    """``show dcb priority-flow-control`` as text: the global lines, then Interface, PFC admin, PFC oper.

    Source: a vendor's guide for RDMA storage on these switches.
    """
    yield from of_whole_lines(output.stdout, _rows, (PfcPort,), "no port in the table")


def _rows(text: str) -> Iterator[Answer]:
    switched, listed, heading = "", None, False
    for number, line in numbered(text):
        content = line.strip()
        told = re.fullmatch(r"(PFC|Priority Enabled List|Priority Disabled List)\s*:\s*(.*)", content)
        row = re.fullmatch(r"(\S+?\d[\d/]*)\s+(\S+)\s+(\S+)", content)
        if told:
            switched = told[2].lower() if told[1] == "PFC" else switched
            listed = told[2] if told[1] == "Priority Enabled List" else listed
        elif re.match(r"Interface\s+PFC admin\s+PFC oper", content):
            heading = True
        elif row and heading and kind(canonical(row[1])):
            yield _port(canonical(row[1]), row[2], row[3], (switched, listed), number)
        elif not re.fullmatch(r"-+", content) and not is_noise(line):
            raise ParseError(number, line, "Interface, PFC admin, PFC oper")
    if not heading:
        raise ParseError(
            1, text.strip().partition("\n")[0], "`PFC: enabled` and a table Interface, PFC admin, PFC oper"
        )


def _port(port: str, admin: str | None, oper: str | None, common: tuple[str, str | None], line: int) -> PfcPort:
    mode, running = _MODES.get((admin or "").lower()), _OPER.get((oper or "").lower())
    if mode is None or running is None:
        raise ParseError(line, f"{port} {admin} {oper}", "PFC admin on or Auto, PFC oper Enabled or Disabled")
    switched, listed = common
    if listed is not None and not re.fullmatch(r"(?:[0-7][ ,]*)*", listed):
        raise ParseError(line, listed, "priorities 0 to 7")
    priorities = None if listed is None else "".join(sorted(set(re.findall("[0-7]", listed))))
    off = switched == "disabled" or mode == "off"
    return PfcPort(
        port=port,
        mode="off" if off else mode,
        admin_priorities="" if off else priorities,
        oper_priorities=priorities if running and not off else "",
        source=_SOURCE,
        line=line,
    )


@section(
    "show-interfaces-ethernet-counters-pfc",
    Cli("show interfaces ethernet counters pfc prio all"),
    yields=(PfcCounter,),
    proven=Provenance.CONSTRUCTED,
    when=When.COUNTERS,
    timeout_s=60.0,
)
def parse_pfc_counters(output: Output) -> Iterator[Answer]:
    """``show interfaces ethernet counters pfc prio all`` (or of one priority): pause per port, priority and direction.

    A port's name heads its block, ``PFC 3`` or ``Prio 3`` that of a priority, ``Rx`` and ``Tx`` the direction; then
    ``N pause packets`` and ``N pause duration``, in microseconds.

    Source: the line ``pause packets`` as Intel's switch library reads it, and the counters of the Mellanox QoS MIB; no
    whole output was seen.
    """
    yield from of_whole_lines(output.stdout, _pauses, (PfcCounter,), "no priority with counters")


def _pauses(text: str) -> Iterator[Answer]:
    port, priority, way, line_of = "", -1, "", 0
    counted: dict[str, int] = {}
    for number, line in numbered(text):
        content = line.strip()
        named = re.fullmatch(r"(Eth\d[\d/]*|Po\d+|Mpo\d+):?", content)
        headed = re.fullmatch(r"(?:PFC|Prio(?:rity)?)[ :]*([0-7]):?", content, re.IGNORECASE)
        turned = re.fullmatch(r"(Rx|Tx):?", content)
        value = re.fullmatch(r"(\d+)\s+pause (packets|duration)(?: \(\w+\))?", content)
        if named or headed:
            yield from _counted(port, priority, counted, line_of)
            counted, way, line_of = {}, "", number
            port, priority = (canonical(named[1]), -1) if named else (port, int(headed[1]) if headed else -1)
        elif turned:
            way = turned[1].lower()
        elif value and way and port and priority >= 0:
            counted[f"{way}_frames" if value[2] == "packets" else f"{way}_pause_us"] = int(value[1])
        elif not is_noise(line):
            raise ParseError(number, line, "a port, `PFC N`, `Rx` or `Tx`, and `N pause packets`")
    yield from _counted(port, priority, counted, line_of)


def _counted(port: str, priority: int, counted: dict[str, int], line: int) -> Iterator[Answer]:
    if counted:
        yield PfcCounter(
            port=port,
            priority=priority,
            tx_frames=counted.get("tx_frames"),
            rx_frames=counted.get("rx_frames"),
            tx_pause_us=counted.get("tx_pause_us"),
            rx_pause_us=counted.get("rx_pause_us"),
            scope="since_clear",
            line=line,
        )
