"""When counters moved: phases of the capture against the ports where most was lost or paused."""

from collections.abc import Sequence
from dataclasses import dataclass

from fabric_audit.facts.counters import CounterClass
from fabric_audit.report.moved import Moved

MOST_LINES, MOST_PHASES = 16, 24
"""What fits on a page; the table of counters below has the rest."""
SHOWN = (
    CounterClass.LOSS,
    CounterClass.RETRANSMISSION,
    CounterClass.WIRE_ERROR,
    CounterClass.PAUSE_SENT,
    CounterClass.PAUSE_RECEIVED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One counter; a share of its whole growth for each phase."""

    target: str
    port: str
    name: str
    counter_class: str
    growth: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Phases as columns, counters as rows."""

    phases: tuple[str, ...]
    lines: tuple[Line, ...]
    more: int
    """Phases that are left out: the last ones are shown."""


def timeline(moved: Sequence[Moved]) -> Timeline:
    """The counters of loss and pause that grew most."""
    mine = [one for one in moved if one.counter_class in SHOWN][:MOST_LINES]
    phases = sorted({phase for one in mine for phase, _ in one.by_phase}, key=_order)
    shown = tuple(phases[-MOST_PHASES:])
    return Timeline(phases=shown, lines=tuple(_line(one, shown) for one in mine), more=len(phases) - len(shown))


def _order(phase: str) -> tuple[bool, str]:
    """Rounds by their number, the last reading at the end."""
    return not phase.startswith("round-"), phase


def _line(one: Moved, phases: Sequence[str]) -> Line:
    by_phase = dict(one.by_phase)
    growth = tuple(by_phase.get(phase, 0) for phase in phases)
    most = max(growth, default=0) or 1
    return Line(
        target=one.target,
        port=one.port,
        name=one.name,
        counter_class=one.counter_class.value,
        growth=growth,
        shares=tuple(value / most for value in growth),
    )
