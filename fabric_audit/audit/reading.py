"""Every section of every output of a capture, parsed and stamped with where and when it was seen."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from fabric_audit.capture.frames import Frame
from fabric_audit.capture.model import Entry
from fabric_audit.capture.reader import Capture
from fabric_audit.facts.tables import Stamped
from fabric_audit.platforms.model import Output, Section
from fabric_audit.platforms.reading import Reading, read_in_any_case, read_span
from fabric_audit.platforms.registry import all_sections


@dataclass(frozen=True, slots=True)
class Read:
    """One section of one output, parsed; ``frame`` is None for a switch, and where the bytes are lost."""

    entry: Entry
    frame: Frame | None
    section: Section
    reading: Reading


def read_outputs(capture: Capture) -> Iterator[Read]:
    """Parse everything the capture holds. Sections this version does not know are passed over."""
    sections = all_sections()
    for entry in capture.entries:
        names = [frame.section for frame in entry.frames] or [entry.section]
        data = capture.output(entry)
        if data is None:
            lost = Reading("not_delivered", reason=f"{entry.path}: the file is missing or was changed")
            yield from (Read(entry, None, sections[name], lost) for name in dict.fromkeys(names) if name in sections)
            continue
        for frame in entry.frames or (None,):
            name = frame.section if frame else entry.section
            if name in sections:
                yield Read(entry, frame, sections[name], _reading(entry, frame, sections[name], data))


def _reading(entry: Entry, frame: Frame | None, section: Section, data: tuple[bytes, bytes]) -> Reading:
    if frame is None:
        if entry.error:
            return Reading("not_delivered", reason=entry.error)
        return read_in_any_case(section, Output(data[0].decode("utf-8", "replace"), rc=None))
    return read_span(section, frame, *data, error=entry.error)


def stamped_facts(capture: Capture, reads: Iterable[Read]) -> Iterator[Stamped]:
    """The facts of all readings; lines are counted from the start of the output's file."""
    began = datetime.fromisoformat(capture.manifest.started)
    for one in reads:
        if not one.reading.facts:
            continue
        at_s = (datetime.fromisoformat(one.entry.started) - began).total_seconds() + one.entry.duration_s
        path = f"{one.entry.path}.out"
        first = _first_line(capture, one)
        for fact in one.reading.facts:
            line = first + fact.line if fact.line else 0
            yield Stamped(one.entry.target, one.entry.phase, path, fact, line, at_s)


def _first_line(capture: Capture, one: Read) -> int:
    """Lines of the file before the frame."""
    if one.frame is None or one.frame.out[0] == 0:
        return 0
    data = capture.output(one.entry)
    return data[0].count(b"\n", 0, one.frame.out[0]) if data else 0
