"""PFC of Comware as it runs."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcCounter, PfcPort
from fabric_audit.platforms.code_points import PCPS, code_points
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.h3c_comware.lines import answers, first_line, unwrapped
from fabric_audit.platforms.switches.h3c_comware.names import NAME, canonical

_HEADER = r"Interface\s+(?:AdminMode|Conf)\s+(?:OperMode|Ne)\s+Dot1pList\s+(?P<prio>Prio|P)\s+Recv\s+Sen[dt].*"
_MODES = {"Disabled": "off", "Off": "off", "Auto": "auto", "Enabled": "on", "On": "on", "-": "off"}
_ROW = (
    rf"(?P<port>{NAME}|\S+)\s+(?P<admin>Disabled|Auto|Enabled|Off|On)\s+(?P<oper>Disabled|Enabled|Off|On|-)(?:\s+.*)?"
)
_GOES_ON = r"\s{1,8}(?:Sen[dt]\b|\d)|-+$"


@section(
    "display-priority-flow-control-interface",
    Cli("display priority-flow-control interface"),
    yields=(PfcPort, PfcCounter),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def parse_pfc(output: Output) -> Iterator[Answer]:
    """``display priority-flow-control interface``: mode, priorities and PFC frames per port.

    ``Dot1pList`` may be empty while OperMode says Enabled: then no priority is lossless, and the next column follows at
    once. The list ends where the column Prio begins; the rest of a row is Prio, Recv, Send and two rates, or nothing
    where a priority was never paused. A session is 80 columns wide, so a row of nine columns goes on in the next line.
    A row without an interface belongs to the one above. Older releases call the columns Conf, Ne and P.

    Sources: H3C S9825 and S9855 Command References R913x, PFC commands; outputs of Comware 7.
    """
    yield from answers(output.stdout, _table, (PfcPort,), "no interface")


def _table(text: str) -> Iterator[Answer]:
    at, port, allowed, seen = 0, "", "", False
    for number, line in unwrapped(text, _GOES_ON):
        header = re.fullmatch(_HEADER, line.strip())
        row = re.fullmatch(_ROW, line)
        if header:
            at, seen = line.index(header["prio"], line.index("Dot1pList") + 9), True
        elif row and at:
            port = canonical(row["port"])
            allowed, rest = _cells(line[row.end("oper") :], row.end("oper"), at, number)
            yield _port(port, row["admin"], row["oper"], allowed, number)
            yield from _counters(port, rest, number, line)
        elif re.fullmatch(r"[-\s]+", line) or re.match(r"\s*(Conf|Ne|P) -- ", line):
            continue
        elif at and port and re.fullmatch(r"\s+\d[\d\s]*", line):
            yield from _counters(port, line.split(), number, line)
        else:
            raise ParseError(number, line, "rows Interface, AdminMode, OperMode, Dot1pList, Prio, Recv, Send")
    if not seen:
        raise ParseError(*first_line(text), "a table Interface, AdminMode, OperMode, Dot1pList, Prio, Recv, Send")


def _cells(text: str, start: int, at: int, line: int) -> tuple[str, list[str]]:
    """The priorities of a row, and the cells from Prio on. ``start`` is where ``text`` stands in the line."""
    found = [(match.start() + start, match[0]) for match in re.finditer(r"\S+", text)]
    listed = " ".join(cell for where, cell in found if where < at)
    rest = [cell for where, cell in found if where >= at]
    told = [] if listed in ("", "-", "--", "None", "N/A") else code_points(listed, line, PCPS)
    return "".join(str(priority) for priority in sorted(set(told))), rest


def _port(port: str, admin: str, oper: str, allowed: str, line: int) -> PfcPort:
    off = _MODES[admin] == "off"
    works = _MODES[oper] != "off"
    return PfcPort(
        port=port,
        mode=_MODES[admin],
        admin_priorities="" if off else allowed,
        oper_priorities=allowed if works and not off else "",
        source="display priority-flow-control",
        line=line,
    )


def _counters(port: str, cells: list[str], number: int, line: str) -> Iterator[Answer]:
    if not cells:
        return
    if len(cells) not in (3, 5) or not all(re.fullmatch(r"\d{1,20}", cell) for cell in cells):
        raise ParseError(number, line, "Prio, Recv, Send, and perhaps Inpps and Outpps")
    if int(cells[0]) not in PCPS:
        raise ParseError(number, line, "a priority of 0 to 7")
    yield PfcCounter(
        port=port,
        priority=int(cells[0]),
        rx_frames=int(cells[1]),
        tx_frames=int(cells[2]),
        scope="since_clear",
        line=number,
    )
