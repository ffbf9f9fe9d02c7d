r"""Where each section begins and ends in what one host exec printed.

The host script prints, on stdout and on stderr alike, a line of its own before and after each section::

    <mark> B <section> [item]
    <mark> E <exit status> [began ended]

each preceded by one newline that belongs to the frame, not to the section. The mark is random, so no output can
forge it. Times are seconds of the target's ``/proc/uptime``.
"""

import re
from dataclasses import dataclass

from fabric_audit.errors import CaptureError


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One section within an exec's output; ranges are byte offsets, ``rc`` is None when it was cut short."""

    section: str
    item: str
    rc: int | None
    out: tuple[int, int]
    err: tuple[int, int] = (0, 0)
    took_s: float | None = None

    def to_json(self) -> list[object]:
        """As it stands in the journal."""
        return [self.section, self.item, self.rc, *self.out, *self.err, self.took_s]

    @classmethod
    def from_json(cls, value: list[object]) -> "Frame":
        """From the journal.

        Raises:
            CaptureError: the value is no frame.
        """
        match value:
            case [str(section), str(item), int() | None as rc, int(a), int(b), int(c), int(d), took]:
                took_s = took if isinstance(took, float) else None
                return cls(section=section, item=item, rc=rc, out=(a, b), err=(c, d), took_s=took_s)
            case _:
                raise CaptureError(f"not a frame: {value!r}")


@dataclass(frozen=True, slots=True)
class _Span:
    section: str
    item: str
    start: int
    end: int
    rc: int | None
    took_s: float | None


_LINE = r"""
\n? MARK [ ]
(?: B [ ] (?P<section>\S+) (?: [ ] (?P<item>[^\n]*) )?
  | E [ ] (?P<rc>\d+) (?: [ ] (?P<t0>\d+[.]?\d*) [ ] (?P<t1>\d+[.]?\d*) )?
) \n
"""


def _spans(stream: bytes, mark: str) -> list[_Span]:
    pattern = re.compile(_LINE.replace("MARK", re.escape(mark)).encode(), re.VERBOSE)
    spans: list[_Span] = []
    opened: tuple[str, str, int] | None = None
    for found in pattern.finditer(stream):
        if opened:
            rc = int(found["rc"]) if found["rc"] else None
            took_s = round(float(found["t1"]) - float(found["t0"]), 2) if found["t1"] else None
            spans.append(_Span(*opened, found.start(), rc, took_s))
            opened = None
        if found["section"]:
            item = (found["item"] or b"").decode("utf-8", "replace").strip()
            opened = (found["section"].decode("utf-8", "replace"), item, found.end())
    if opened:
        spans.append(_Span(*opened, len(stream), None, None))
    return spans


def split(stdout: bytes, stderr: bytes, mark: str) -> tuple[Frame, ...]:
    """The sections of one exec in the order they were printed."""
    errors = {(s.section, s.item): (s.start, s.end) for s in _spans(stderr, mark)}
    return tuple(
        Frame(
            section=span.section,
            item=span.item,
            rc=span.rc,
            out=(span.start, span.end),
            err=errors.get((span.section, span.item), (0, 0)),
            took_s=span.took_s,
        )
        for span in _spans(stdout, mark)
    )
