"""Classification of VRP as it runs: maps of a DiffServ domain, and what a port trusts."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import MapBinding, QosMapEntry
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.huawei_vrp.lines import answers, lines
from fabric_audit.platforms.switches.huawei_vrp.names import NAME, canonical

PHBS = {"be": 0, "af1": 1, "af2": 2, "af3": 3, "af4": 4, "ef": 5, "cs6": 6, "cs7": 7}
"""Per-hop behaviours and the queues they go to: the number is also the PFC priority."""
TRUSTS = {"outer 8021p": "pcp", "8021p": "pcp", "inner 8021p": "pcp", "dscp": "dscp", "none": "port", "-": "port"}

_INBOUND = r"(?P<kind>8021p|ip-dscp)-inbound (?P<value>\d{1,2}) phb (?P<phb>\S+) (?:green|yellow|red)"
_OUTBOUND = r"(?P<kind>8021p|ip-dscp)-outbound (?P<phb>\S+) (?P<colour>green|yellow|red) map (?P<value>\d{1,2})"
_WORDS = {"8021p": "dot1p", "ip-dscp": "dscp"}


@section(
    "display-diffserv-domain",
    Cli("display diffserv domain all"),
    yields=(QosMapEntry,),
    proven=Provenance.DOCUMENT,
)
def parse_domain(output: Output) -> Iterator[Answer]:
    """``display diffserv domain [NAME]``: which behaviour a mark gets, and which mark a behaviour.

    A behaviour is a queue, and the PFC priority of the same number: be 0, af1 to af4 1 to 4, ef 5, cs6 6, cs7 7. Marks
    of packets that leave are those of green ones, as all are that no meter coloured.

    Source: Huawei CE6800 V300R023C00 command reference, Priority Mapping Configuration Commands.
    """
    yield from answers(output.stdout, _domains, (QosMapEntry,), "no DiffServ domain")


def _domains(text: str) -> Iterator[Answer]:
    name = ""
    for number, line in lines(text):
        content = line.strip()
        headed = re.fullmatch(r"Diffserv domain name\s*:\s*(\S+)", content)
        enters, leaves = re.fullmatch(_INBOUND, content), re.fullmatch(_OUTBOUND, content)
        found = enters or leaves
        if headed:
            name = headed[1]
        elif not found or not name or found["phb"] not in PHBS:
            raise ParseError(number, line, "`Diffserv domain name:NAME`, then rows of inbound and outbound marks")
        elif enters:
            yield QosMapEntry(
                map_kind=f"{_WORDS[found['kind']]}_tc",
                map_name=name,
                source_value=int(found["value"]),
                target_value=PHBS[found["phb"]],
                line=number,
            )
        elif found["colour"] == "green":
            yield QosMapEntry(
                map_kind=f"tc_{_WORDS[found['kind']]}",
                map_name=name,
                source_value=PHBS[found["phb"]],
                target_value=int(found["value"]),
                line=number,
            )
    if not name:
        raise ParseError(1, text.strip().partition("\n")[0], "`Diffserv domain name:NAME`")


@section("display-qos-configuration", yields=(Interface, MapBinding, Queue), proven=Provenance.DOCUMENT)
def parse_configuration(output: Output) -> Iterator[Answer]:
    """``display qos configuration interface PORT``: what classifies, the domain in use, scheduling and WRED by queue.

    Without ``trust dscp`` a port trusts the outer 802.1p tag: packets without a tag get the priority of the port, and
    their DSCP changes nothing. A queue without a drop profile marks nothing.

    Source: Huawei CE6800 V300R023C00 command reference, Priority Mapping Configuration Commands.
    """
    yield from answers(output.stdout, _configuration, (Interface, MapBinding, Queue), "no port")


_IDLE = r"-{8,}|[-\d\s]+|queue\s+.*|cir\s+pir|cbs\s+pbs|[a-z][\w ]*:.*|"


def _configuration(text: str) -> Iterator[Answer]:
    port, of_port = "", "-"
    for number, line in lines(text):
        content = line.strip()
        named = re.fullmatch(rf"interface ({NAME})", content)
        said = re.fullmatch(r"([a-z][a-z0-9 ]*?)\s*: (\S.*)", content)
        queue = re.fullmatch(r"([0-7])\s+\S+\s+\S+\s+(pq|drr|wfq|wrr|wdrr)\s+(\S+)(?:\s+\S+)?", content)
        if named:
            port, of_port = canonical(named[1]), "-"
        elif not port or not (said or queue or re.fullmatch(_IDLE, content)):
            raise ParseError(number, line, "`interface PORT`, then rows of `display qos configuration`")
        elif said:
            of_port = said[2] if said[1] == "port wred" else of_port
            yield from _said(port, said, number)
        elif queue:
            yield _queue(port, queue, number, bare=queue[3] == of_port == "-")
    if not port:
        raise ParseError(1, text.strip().partition("\n")[0], "`interface PORT`")


def _said(port: str, said: re.Match[str], number: int) -> Iterator[Answer]:
    if said[1] == "trust flag":
        if said[2] not in TRUSTS:
            raise ParseError(number, said[0], f"trust flag {', '.join(TRUSTS)}")
        yield Interface(port=port, trust_mode=TRUSTS[said[2]], line=number)
    elif said[1] == "diffserv domain":
        yield MapBinding(port=port, map_kind="diffserv_domain", map_name=said[2], line=number)


def _queue(port: str, queue: re.Match[str], number: int, *, bare: bool) -> Queue:
    """``bare`` is a queue without a drop profile of its own or of the port: it neither marks nor drops early."""
    return Queue(
        port=port,
        queue=int(queue[1]),
        scheduler="strict" if queue[2] == "pq" else "dwrr",
        ecn=False if bare else None,
        wred_drops=False if bare else None,
        line=number,
    )
