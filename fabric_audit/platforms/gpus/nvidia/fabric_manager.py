"""The fabric manager's log: errors of NVSwitches."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import FabricManagerEvent
from fabric_audit.platforms.gpus.nvidia.smi import pci_address
from fabric_audit.platforms.gpus.nvidia.xid import sxid
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered, torn, whole

_RECORD = re.compile(r"\[([A-Z][a-z]{2} [ 0-9][0-9] [0-9]{4} [0-9:]{8})\] \[(\w+)\] \[tid [0-9]+\] (.*)$")
_SWITCH_ERROR = re.compile(
    r"detected NVSwitch (non-fatal|fatal) error ([0-9]{1,9})(?: on fid [0-9]+)?"
    r"(?:.*? pci bus id (\S+))?(?: physical id ([0-9]{1,9}))?(?: port ([0-9]{1,9}))?(?=[\s,.;]|$)(.*)$",
    re.IGNORECASE,
)
_ALARMING = frozenset({"ERROR", "CRITICAL", "FATAL", "WARNING"})
_JOINED = re.compile(r"\[tid [0-9]+\] ")
_KEPT = 500  # kinds of message told apart


@section(
    "fabricmanager-log",
    Run("tail", "-n", "5000", "/var/log/fabricmanager.log", root=True),
    yields=(FabricManagerEvent,),
    proven=Provenance.FIELD,
)
def parse_fabric_manager(output: Output) -> Iterator[Answer]:
    """Errors in the fabric manager's log; records of other levels are passed over, continuation lines belong to them.

    ``[Feb 27 2025 15:10:02] [ERROR] [tid 12727] detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus
    id 00000000:86:00.0 physical id 3 port 61``: an SXid, non-fatal ones are no link failure by themselves. Each
    kind is one row with a count. A last line that is cut, and one that another ran into, is left out.

    Source: NVIDIA Fabric Manager User Guide, "Error logging" and appendix D.
    """
    events: dict[tuple[object, ...], FabricManagerEvent] = {}
    records = 0
    for number, line in numbered(whole(output.stdout)):
        found = _RECORD.match(line)
        if not found:
            continue
        records += 1
        if found[2].upper() in _ALARMING:
            event = _event(number, found)
            if event:
                _count(events, event)
            else:
                yield Skipped(number, line, "one record, whole: an NVSwitch error ends with its port")
    yield from torn(output.stdout)
    if not records:
        yield from _nothing(output)
    yield from events.values()
    if records and not events:
        yield Missing(FabricManagerEvent.TABLE, Why.ABSENT, f"no error among {records} records")


def _event(number: int, record: re.Match[str]) -> FabricManagerEvent | None:
    when, _level, message = record.groups()
    if _JOINED.search(message):
        return None
    found = _SWITCH_ERROR.match(message)
    if not found:
        what = re.sub(r"0x[0-9a-fA-F]+|[0-9]+", "N", message)[:160]
        return FabricManagerEvent(switch="", port=-1, sxid=-1, what=what, count=1, first=when, last=when, line=number)
    kind, code, switch, physical, port, rest = found.groups()
    if not port and (physical or not switch or rest):
        return None
    meaning = sxid(int(code))
    return FabricManagerEvent(
        switch=pci_address(switch, number) if switch else "",
        port=int(port) if port else -1,
        sxid=int(code),
        what="",
        fatal=kind.lower() == "fatal",
        cause=meaning.words if meaning else None,
        physical_id=int(physical) if physical else None,
        count=1,
        first=when,
        last=when,
        line=number,
    )


def _count(events: dict[tuple[object, ...], FabricManagerEvent], event: FabricManagerEvent) -> None:
    if event.sxid < 0 and len(events) >= _KEPT:
        event = replace(event, what="other messages")
    key = (event.switch, event.port, event.sxid, event.what)
    known = events.get(key)
    events[key] = replace(known, count=(known.count or 0) + 1, last=event.last) if known else event


def _nothing(output: Output) -> Iterator[Missing]:
    words = (output.stderr or output.stdout).strip().split("\n")[0]
    if "No such file" in words or "cannot open" in words:
        yield Missing(FabricManagerEvent.TABLE, Why.NOT_SUPPORTED, words)
        return
    raise ParseError(1 if words else 0, words, "[Feb 27 2025 15:10:02] [LEVEL] [tid N] message")
