"""What perftest's figures mean, and which of them only look like results.

Every bandwidth row is its own checksum: perftest computes average and message rate from the same count and time
(``print_report_bw`` in linux-rdma/perftest ``src/perftest_parameters.c``), so size times message rate is the
average. That tells a figure under the wrong unit's name, and the unit of a file that names none, and it refuses a
row that lost a digit on its way.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.performance import Outcome

UNITS: Mapping[str, float] = {"Gb/sec": 1e9, "MiB/sec": 8 * 2**20, "MB/sec": 8 * 2**20}
"""Bits per second of one unit as printed. ``MB/sec`` was MiB all along; commit 1d202bb of March 2024 renamed it."""

_NUMBER = re.compile(r"(-?)(\d+\.(\d+)|\d+|inf|nan)")
_SLACK = 0.15  # a figure copied by hand is off by some percent, one of another unit or without a digit by a factor


_CUT = {"outcome": Outcome.LINK_CUT.value, "message": "0 iterations"}
_NOTHING = {"outcome": Outcome.NO_RESULT.value, "message": "a row of zeros"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as printed: the true value lies within ``half`` a step of its last digit."""

    value: float
    half: float

    @property
    def usable(self) -> bool:
        """Whether it is a positive number; division by a clock of zero prints ``inf`` or ``nan``."""
        return 0 < self.value < float("inf")


def figure(text: str, line: int, expected: str = "a number") -> Figure:
    """A number as perftest prints it.

    Raises:
        ParseError: it is none.
    """
    found = _NUMBER.fullmatch(text)
    if not found:
        raise ParseError(line, text, expected)
    return Figure(float(text), 0.5 * 10.0 ** -len(found[3] or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bandwidth:
    """One bandwidth row as printed; ``rate`` is in millions of messages per second."""

    size: int
    iterations: int
    average: Figure
    peak: Figure | None = None
    rate: Figure | None = None
    bidirectional: bool = False

    def agrees(self, unit: str) -> bool:
        """Whether size times message rate gives the average in that unit, as far as the printed digits can tell."""
        if self.rate is None:
            return True
        low, high = (self.average.value + sign * self.average.half for sign in (-1, 1))
        slow, fast = (self.size * 8e6 * (self.rate.value + sign * self.rate.half) for sign in (-1, 1))
        return low * UNITS[unit] <= fast * (1 + _SLACK) and high * UNITS[unit] >= slow * (1 - _SLACK)

    def mixed(self) -> bool:
        """Whether a bidirectional sum adds one end's Gb to the other end's MiB."""
        if self.rate is None or not self.bidirectional:
            return False
        bits = self.size * 8e6 * self.rate.value
        return bits / UNITS["Gb/sec"] < self.average.value < bits / UNITS["MiB/sec"]


def bandwidth(printed: Bandwidth, unit: str | None, line: int) -> dict[str, Any]:
    """The fields of a fact that a bandwidth row fills, in bits per second.

    Args:
        printed: the row.
        unit: the unit its heading names, None where none is told.
        line: where it stands.

    Raises:
        ParseError: average, size and message rate fit no unit: a digit is lost.
    """
    told: dict[str, Any] = {"iterations": printed.iterations, "unit": unit}
    rate = printed.rate
    if printed.iterations == 0:
        return told | _CUT
    if not printed.average.usable and (rate is None or not rate.usable):
        return told | _NOTHING
    if rate is not None and rate.usable:
        told["message_rate_pps"] = float(round(rate.value * 1e6))
    fitting = [name for name in ("Gb/sec", "MiB/sec") if printed.agrees(name)]
    if not fitting and not printed.mixed():
        raise ParseError(line, f"{printed.average.value}", "an average that is size times message rate")
    if unit is None and len(fitting) > 1:
        return told | {"outcome": Outcome.OK.value}
    used = unit or "".join(fitting)
    if not used or not printed.agrees(used):
        words = f"{printed.average.value:g} {unit or ''}".strip()
        return told | {"outcome": Outcome.UNIT_MISMATCH.value, "message": f"{words} is not size times message rate"}
    return told | {
        "outcome": Outcome.OK.value,
        "bandwidth_bps": _bps(printed, used),
        "peak_bps": _peak_bps(printed, used),
    }


def _bps(printed: Bandwidth, unit: str) -> float:
    """The average; where it was rounded to zero, size times message rate."""
    if printed.average.value == 0 and printed.rate is not None:
        return round(printed.size * 8e6 * printed.rate.value, 2)
    return round(printed.average.value * UNITS[unit], 2)


def _peak_bps(printed: Bandwidth, unit: str) -> float | None:
    """The peak: 0.00 means that it was not measured, and one below the average is none."""
    peak = printed.peak
    if peak is None or not peak.usable or peak.value + peak.half < printed.average.value:
        return None
    return round(peak.value * UNITS[unit], 2)


LATENCY_ORDERS = (
    ("t_min", "t_typical", "percentile_99", "percentile_99.9", "t_max"),
    ("t_min", "t_avg", "t_max"),
)
"""Figures of one sorted array of samples: each is at least the one before it."""
_TIMES = sorted({name for order in LATENCY_ORDERS for name in order})


def latency(iterations: int, printed: Mapping[str, Figure], line: int) -> dict[str, Any]:
    """The fields of a fact that a latency row fills, in microseconds; keys are those of perftest's JSON.

    Raises:
        ParseError: the figures are not in the order that minimum, percentiles and maximum have.
    """
    told: dict[str, Any] = {"iterations": iterations, "unit": "usec"}
    if iterations == 0:
        return told | _CUT
    known = [printed[name] for name in _TIMES if name in printed]
    if any(value.value == float("inf") for value in known):
        return told | {"outcome": Outcome.CLOCK_UNRELIABLE.value}
    if not known or not all(value.usable for value in known):
        return told | _NOTHING
    for order in LATENCY_ORDERS:
        ordered = [printed[name].value for name in order if name in printed]
        if ordered != sorted(ordered):
            raise ParseError(line, " ".join(map(str, ordered)), f"figures with {' <= '.join(order)}")
    names = {
        "latency_typical_us": "t_typical",
        "latency_avg_us": "t_avg",
        "latency_p99_us": "percentile_99",
        "latency_p999_us": "percentile_99.9",
    }
    values = {field: printed[name].value for field, name in names.items() if name in printed}
    return told | {"outcome": Outcome.OK.value} | values
