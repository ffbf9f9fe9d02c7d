"""Class of service of Junos as it runs: what is bound to a port, and the PFC profiles."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import PfcProfile
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.juniper_junos.names import kind, physical
from fabric_audit.platforms.text import numbered, some, torn, whole

_SOURCE = "show class-of-service interface"
_FIELDS = {3: "pcp", 6: "dscp"}
_TRUST = {"dscp": "dscp", "ieee8021p": "pcp", "ieee-802.1": "pcp"}


@section(
    "show-class-of-service-interface",
    Cli("show class-of-service interface | no-more"),
    yields=(PfcPort, Interface),
    proven=Provenance.FIELD,
)
def parse_cos_interface(output: Output) -> Iterator[Answer]:
    """``show class-of-service interface``: what is bound to each port and unit.

    ``Congestion-notification: Disabled`` means that the port has no PFC; ``Enabled`` names the profile, which tells
    the priorities. Of the classifiers of a unit the kind tells what is looked at: ``dscp``, ``ieee8021p``; ``ip``
    (precedence) is the default of old releases and tells nothing.
    """
    yield from some(_cos_rows(output.stdout), output, "`Physical interface: NAME`, `Congestion-notification: ...`")
    yield from torn(output.stdout)


def _cos_rows(text: str) -> Iterator[Answer]:
    port = ""
    kinds: dict[str, set[str]] = {}
    lines: dict[str, int] = {}
    for number, line in numbered(whole(text)):
        heading = re.match(r"Physical interface: ([^,\s]+),", line)
        unit = re.match(r"Logical interface: ([^,\s]+),", line.strip())
        state = re.match(r"\s*Congestion-notification: (Enabled|Disabled)\b", line)
        classifier = re.fullmatch(r"\s*Classifier\s+(\S+)\s+(\S+)\s+\d+", line)
        if heading:
            port = heading[1]
            lines[port] = number
        elif unit:
            port = physical(unit[1])
        elif state and port:
            on = state[1] == "Enabled"
            yield PfcPort(
                port=port, mode="on" if on else "off", oper_priorities=None if on else "", source=_SOURCE, line=number
            )
        elif classifier and port and classifier[2] in _TRUST:
            kinds.setdefault(port, set()).add(_TRUST[classifier[2]])
    for name, found in kinds.items():
        trust = "dscp_pcp" if len(found) > 1 else next(iter(found))
        yield Interface(port=name, trust_mode=trust, kind=kind(name), line=lines.get(name))


@section(
    "show-class-of-service-congestion-notification",
    Cli("show class-of-service congestion-notification | no-more"),
    yields=(PfcProfile,),
    proven=Provenance.DOCUMENT,
)
def parse_congestion_notification(output: Output) -> Iterator[Answer]:
    """``show class-of-service congestion-notification``: the PFC profiles, by code points in binary.

    Input: for each code point (three bits: 802.1p; six: DSCP) whether pause is sent, and the largest packet for which
    headroom is computed. Output: priorities that are obeyed, and the queues that stop, on the same or the next line.
    Old releases write the type before the name.

    Source: Junos OS CLI reference, 12.2 and later.
    """
    yield from some(_profiles(output.stdout), output, "`Type: Input`, a name, and rows of code points")
    yield from torn(output.stdout)


def _profiles(text: str) -> Iterator[Answer]:
    name, direction = "", ""
    waiting: tuple[int, int] | None = None
    for number, line in numbered(whole(text)):
        named = re.search(r"\bName: ([^,\s]+)", line)
        typed = re.search(r"\bType: (Input|Output)\b", line)
        row = re.fullmatch(r"\s+([01]{3}|[01]{6})(?:\s+(Enabled|Disabled))?(?:\s+(\d[\d ]*))?", line)
        queues = re.fullmatch(r"\s+(\d(?: \d)*)", line)
        name = named[1] if named else name
        direction = typed[1].lower() if typed else direction
        if row and name and direction == "input" and row[2]:
            yield _point(name, row, number)
        elif row and name and direction == "output" and not row[2]:
            waiting = (int(row[1], 2), number)
            if row[3]:
                yield _obeyed(name, waiting, row[3])
        elif queues and waiting and name:
            yield _obeyed(name, waiting, queues[1])
            waiting = None
        elif re.match(r"\s+[01]{2,}\b", line):
            raise ParseError(number, line, "a code point of three or six bits, and Enabled or Disabled")


def _point(name: str, row: re.Match[str], line: int) -> PfcProfile:
    return PfcProfile(
        profile=name,
        direction="input",
        code_field=_FIELDS[len(row[1])],
        code_point=int(row[1], 2),
        pfc=row[2] == "Enabled",
        mru_bytes=int(row[3]) if row[3] else None,
        line=line,
    )


def _obeyed(name: str, waiting: tuple[int, int], queues: str) -> PfcProfile:
    return PfcProfile(
        profile=name,
        direction="output",
        code_field="pcp",
        code_point=waiting[0],
        pfc=True,
        queues=",".join(queues.split()),
        line=waiting[1],
    )
