"""What became of a counter between two readings: growth, a wrap, saturation and a reset told apart."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MOST_PER_SECOND = 1_200_000_000
"""The fastest a counter of packets can run: smallest frames, 84 byte times each, at 800 Gb/s (IEEE 802.3 4.2.3)."""

_NEVER_WRAPS_BITS = 64


class DeltaKind(StrEnum):
    """What happened to a counter."""

    GREW = "grew"
    UNCHANGED = "unchanged"
    WRAPPED = "wrapped"
    """Passed its largest value and began again at zero; the growth is known."""
    SATURATED = "saturated"
    """Stands at its largest value: it grew at least by the value, perhaps more."""
    RESET = "reset"
    """Began again at zero for a reload or a clear: it grew at least by the value, perhaps more before."""
    UNKNOWN = "unknown"
    """One of the readings is missing."""


@dataclass(frozen=True, slots=True)
class Delta:
    """Growth of one counter. ``value`` is None only when the kind is unknown."""

    value: int | None
    kind: DeltaKind

    @property
    def exact(self) -> bool:
        """The value is the growth itself, not a lower bound."""
        return self.kind in (DeltaKind.GREW, DeltaKind.UNCHANGED, DeltaKind.WRAPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Two readings of one counter with what its driver's table says of it."""

    before: int | None
    after: int | None
    bits: int | None
    saturates: bool | None


def delta(
    before: int | None,
    after: int | None,
    *,
    bits: int | None,
    saturates: bool | None,
    elapsed_s: float | None = None,
    reloaded: bool = False,
) -> Delta:
    """The growth between two readings.

    A counter that went down has wrapped if it can wrap, if the way up through its largest value is the shorter one
    (serial number arithmetic, RFC 1982), and if no packet counter is too slow for that way. Else it was reset.
    A counter that wrapped twice between readings cannot be told from one that wrapped once.

    Args:
        before: first reading; None where there is none.
        after: second reading.
        bits: width of the hardware counter; None where it is unknown, which never wraps here.
        saturates: it stops at its largest value instead of wrapping.
        elapsed_s: seconds between the readings.
        reloaded: another counter of the same port says that all were reset, see :func:`reloaded`.
    """
    if before is None or after is None:
        return Delta(None, DeltaKind.UNKNOWN)
    if saturates and bits is not None and after >= 2**bits - 1:
        return Delta(max(after - before, 0), DeltaKind.SATURATED)
    if reloaded and before > 0:
        return Delta(after, DeltaKind.RESET)
    if after >= before:
        return Delta(after - before, DeltaKind.GREW if after > before else DeltaKind.UNCHANGED)
    way = _way_through_the_top(before, after, bits, elapsed_s) if _can_wrap(bits, saturates) else None
    return Delta(after, DeltaKind.RESET) if way is None else Delta(way, DeltaKind.WRAPPED)


def reloaded(readings: Iterable[Reading]) -> bool:
    """Whether a counter that cannot wrap went down: the driver was reloaded, or all counters were cleared.

    Give it the readings of one port's counters that are reset together, such as all of one driver.
    """
    return any(
        reading.before is not None
        and reading.after is not None
        and reading.after < reading.before
        and not _can_wrap(reading.bits, reading.saturates)
        for reading in readings
    )


def _can_wrap(bits: int | None, saturates: bool | None) -> bool:
    return bits is not None and bits < _NEVER_WRAPS_BITS and not saturates


def _way_through_the_top(before: int, after: int, bits: int | None, elapsed_s: float | None) -> int | None:
    """How far the counter went if it wrapped; None where it cannot have."""
    top = 2 ** (bits or 0)
    way = after + top - before
    fast_enough = elapsed_s is None or way <= MOST_PER_SECOND * elapsed_s
    return way if before < top and way < top // 2 and fast_enough else None
