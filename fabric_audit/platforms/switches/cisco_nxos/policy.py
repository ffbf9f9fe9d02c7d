"""The queuing policy that is in force on a port of NX-OS, with its counters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical, kind
from fabric_audit.platforms.text import integer, numbered, torn, whole

_CLASS = re.compile(r"Class-map \(queuing\):\s+(\S+) \(match-(?:any|all)\)")


@dataclass(slots=True)
class _Class:
    """One class of the text, as far as it was read."""

    port: str
    name: str
    line: int
    lines: list[str] = field(default_factory=list)
    dropped: int | None = None


@section("show-policy-map-interface", yields=(Queue, QueueCounter), proven=Provenance.FIELD)
def parse_policy_map_interface(output: Output) -> Iterator[Answer]:
    """``show policy-map interface``: the queuing policy of a port, class by class, with packets dropped.

    A class of the built-in names (``c-out-8q-q3``) is the queue of its number. ``random-detect ... ecn`` shows as a
    line of the class; a class without it marks nothing. Network-qos classes are not shown by this command. The last
    class of a text that was cut is incomplete and left out.
    """
    port = ""
    found: list[_Class] = []
    for number, line in numbered(whole(output.stdout)):
        heading = _CLASS.match(line.strip())
        if line[:1].strip() and kind(canonical(line)):
            port = canonical(line)
        elif heading and port:
            found.append(_Class(port, heading[1], number))
        elif found and line.strip():
            counted = re.fullmatch(r"queue dropped pkts\s*:\s*([0-9,]+)", line.strip())
            if counted:
                found[-1].dropped = integer(counted[1], number)
            found[-1].lines.append(line.strip())
    if not found:
        first = next(((n, row) for n, row in numbered(output.stdout) if row), (0, ""))
        raise ParseError(*first, "the name of a port, and `Class-map (queuing)` below it")
    for one in found:
        yield from _told(one)
    yield from torn(output.stdout)


def _told(one: _Class) -> Iterator[Answer]:
    number = re.fullmatch(r"c-out-(?:8q-|4q-)?q(\d|-default)", one.name)
    if not number or one.dropped is None:
        yield Skipped(one.line, one.name, "a class c-out-8q-qN with `queue dropped pkts`")
        return
    queue = int(number[1]) if number[1].isdigit() else 0
    share = next(
        (found[1] for text in one.lines if (found := re.match(r"bandwidth (?:remaining )?percent (\d+)", text))), None
    )
    detect = next((text for text in one.lines if text.startswith("random-detect")), "")
    yield Queue(
        port=one.port,
        queue=queue,
        scheduler="strict" if any(text.startswith("priority") for text in one.lines) else "dwrr",
        weight_pct=float(share) if share else None,
        ecn=detect.endswith("ecn"),
        wred_drops=bool(detect) and not detect.endswith("ecn"),
        ecn_raw=detect or None,
        line=one.line,
    )
    yield QueueCounter(
        port=one.port, queue=queue, group=False, drop_packets=one.dropped, scope="since_clear", line=one.line
    )
