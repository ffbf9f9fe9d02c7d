"""Every section of every output of a capture, parsed and stamped with where and when it was seen."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from fabric_audit.capture.frames import Frame
from fabric_audit.capture.model import Entry
from fabric_audit.capture.reader import Capture
from fabric_audit.facts import Fact
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
    lines_before: int = 0
    """Lines of the output's file that stand before the section."""
    ago_s: float = 0.0
    """Seconds between its end and that of the whole exec: what the sections after it took."""

    @property
    def path(self) -> str:
        """The output's file, relative to the capture; a file that a person named, as it was named."""
        return self.entry.out

    def line_of(self, fact: Fact) -> int:
        """Line of the file that a fact was read from, 0 where it is of no line of its own."""
        return self.lines_before + fact.line if fact.line else 0


class _Reader:
    """Parses answers, those that are alike once: most settings of a fleet's hosts are printed in the same words."""

    _MOST = 20_000
    """Answers kept; a host gives some 250."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int | None, bytes, bytes], Reading] = {}

    def read(self, entry: Entry, frame: Frame | None, section: Section, data: tuple[bytes, bytes]) -> Reading:
        """The facts of one section, or of a switch's whole answer."""
        if frame is None:
            if entry.error:
                return Reading("not_delivered", reason=entry.error)
            return read_in_any_case(section, Output(data[0].decode("utf-8", "replace"), rc=None))
        if frame.rc is None:
            return read_span(section, frame, *data, error=entry.error)
        asked = (section.id, frame.item, frame.rc, data[0][slice(*frame.out)], data[1][slice(*frame.err)])
        if asked not in self._known:
            if len(self._known) >= self._MOST:
                self._known.clear()
            self._known[asked] = read_span(section, frame, *data)
        return self._known[asked]


def read_outputs(capture: Capture) -> Iterator[Read]:
    """Parse everything the capture holds. Sections this version does not know are passed over."""
    sections, reader = all_sections(), _Reader()
    for entry in capture.entries:
        names = [frame.section for frame in entry.frames] or [entry.section]
        data = capture.output(entry)
        if data is None:
            lost = Reading("not_delivered", reason=f"{entry.path}: the file is missing or was changed")
            yield from (Read(entry, None, sections[name], lost) for name in dict.fromkeys(names) if name in sections)
            continue
        lines, counted_to = 0, 0
        ago_s = sum(frame.took_s or 0.0 for frame in entry.frames)
        for frame in entry.frames or (None,):
            name = frame.section if frame else entry.section
            if frame:
                lines += data[0].count(b"\n", counted_to, frame.out[0])
                counted_to = frame.out[0]
                ago_s -= frame.took_s or 0.0
            if name in sections:
                reading = reader.read(entry, frame, sections[name], data)
                yield Read(entry, frame, sections[name], reading, lines, ago_s)


def stamped_facts(capture: Capture, reads: Iterable[Read]) -> Iterator[Stamped]:
    """The facts of all readings; lines are counted from the start of the output's file."""
    began = datetime.fromisoformat(capture.manifest.started)
    for one in reads:
        if not one.reading.facts:
            continue
        started_s = (datetime.fromisoformat(one.entry.started) - began).total_seconds()
        at_s = started_s + max(0.0, one.entry.duration_s - one.ago_s)
        for fact in one.reading.facts:
            yield Stamped(one.entry.target, one.entry.phase, one.path, fact, one.line_of(fact), at_s)
