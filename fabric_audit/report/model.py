"""What a report format is, and how it comes by the raw lines behind a finding."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fabric_audit.findings import Audit, Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A few raw lines around a piece of evidence.

    Attributes:
        path: relative to the capture.
        lines: as received, undecodable bytes replaced; empty where ``reason`` says why.
        first: 1-based number of the first line.
        marked: number of the line the finding rests on, 0 for the whole output.
        reason: why there are no lines, empty where there are.
    """

    path: str
    lines: tuple[str, ...] = ()
    first: int = 1
    marked: int = 0
    reason: str = ""


class EvidenceReader(Protocol):
    """Finds the raw lines behind a finding."""

    def excerpt(self, evidence: Evidence) -> Excerpt:
        """The lines around ``evidence``; never raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """One report format: an audit in, the bytes of one file out."""

    name: str
    file_name: str
    title: str
    render: Callable[[Audit, EvidenceReader], bytes]
