"""``show interface status`` of the CLI."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.sonic.ports import kind_of
from fabric_audit.platforms.text import numbered

_HEADER = re.compile(r"(?:Name|Interface)\s+Description\s+(?:Oper|Admin)\b.*")
_ROW = re.compile(
    r"\s*(?P<port>(?:Eth|PortChannel|Vlan|Management)\S*)\s+(?P<description>.*?)\s+(?P<oper>up|down)\s+(?P<reason>\S+)"
    r"(?:\s+(?P<autoneg>on|off|-))?\s+(?P<speed>\d+|-)\s+(?P<mtu>\d{3,5})(?:\s+(?P<alias>\S+))?"
)
_END_OF_ROW = re.compile(r"\s(?:up|down)\s+\S+(?:\s+(?:on|off|-))?\s+(?:\d+|-)\s+\d{3,5}\b")


@section(
    "show-interface-status",
    Cli('sonic-cli -c "show interface status | no-more"'),
    yields=(Interface, PortAlias),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_interface_status(output: Output) -> Iterator[Answer]:
    """``show interface status``: name, description, state, reason or admin state, autoneg, speed, MTU, other name.

    Descriptions hold blanks and words such as ``up``, so a row is read from its end: the last state before a
    reason, a speed in Mb/s and an MTU counts. ``Reason`` is ``admin`` where the port is shut, ``none`` where it
    is up; older releases print ``up`` or ``down`` for admin there. Source: sonic-mgmt
    spytest/templates/show_interface_status.
    """
    yield from of_whole_lines(output.stdout, _states, (Interface,), "there is no interface")


def _states(text: str) -> Iterator[Answer]:
    headed = False
    for number, line in numbered(text):
        if _HEADER.fullmatch(line.strip()):
            headed = True
            continue
        row = _ROW.fullmatch(line) if headed else None
        if row and not _END_OF_ROW.search(row["description"]):
            yield from _port(row, number)
        elif not is_noise(line) and not re.fullmatch(r"[- ]+", line):
            yield Skipped(number, line, "an interface with state, speed and MTU")
    if not headed:
        yield Skipped(0, text.strip()[:200], "Interface, Description and Oper")


def _port(row: re.Match[str], number: int) -> Iterator[Answer]:
    up, reason = row["oper"] == "up", row["reason"].lower()
    speed = None if row["speed"] == "-" else int(row["speed"]) * 10**6
    description = row["description"]
    yield Interface(
        port=row["port"],
        admin_up=_admin(reason, up=up),
        oper_up=up,
        mtu_bytes=int(row["mtu"]),
        mtu_kind="ip",
        speed_bps=speed if up else None,
        admin_speed_bps=None if up else speed,
        description=None if description in ("-", "") else re.sub(r"\s+", " ", description),
        kind=kind_of(row["port"]),
        line=number,
    )

    alias = row["alias"]
    if alias and alias not in ("-", "N/A", row["port"]):
        yield PortAlias(port=row["port"], alias=alias, kind="label", line=number)


def _admin(reason: str, *, up: bool) -> bool | None:
    """A port that is up is not shut; one that is down says why, or prints its admin state."""
    if up or reason == "up":
        return True
    return False if reason in ("admin", "admin-down", "down") else None
