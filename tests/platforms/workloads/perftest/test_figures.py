"""What must hold for any figure that perftest can print."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fabric_audit.errors import ParseError
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.registry import all_sections

BITS = {"Gb/sec": 1e9, "MiB/sec": 8 * 2**20}
SIZES = st.integers(min_value=1, max_value=23).map(lambda power: 2**power)
SPEEDS = st.floats(min_value=1e6, max_value=8e11)


def printed(heading: str, size: int, bps: float, unit: str) -> str:
    """One table as print_full_bw_report writes it."""
    average, rate = bps / BITS[unit], bps / 8 / size / 1e6
    digits = 6 if average < 0.1 and unit == "Gb/sec" else 2
    row = f" {size:<7d}    5000       0.00    {average:.{digits}f}    {rate:.6f}"
    return f" #bytes     #iterations    BW peak[{heading}]    BW average[{heading}]   MsgRate[Mpps]\n{row}\n"


def fact(text: str) -> dict[str, object]:
    [found] = all_sections()["perftest"].parse(Output(text))
    return {"outcome": found.outcome, "bps": found.bandwidth_bps}  # type: ignore[union-attr]


@settings(deadline=None)
@given(size=SIZES, bps=SPEEDS, unit=st.sampled_from(sorted(BITS)))
def test_a_figure_under_its_own_unit_is_the_bandwidth(size: int, bps: float, unit: str) -> None:
    told = fact(printed(unit, size, bps, unit))
    assert told["outcome"] == "ok"
    assert told["bps"] == pytest.approx(bps, rel=1e-3, abs=BITS[unit] * 0.0051)


@settings(deadline=None)
@given(size=SIZES, bps=SPEEDS, unit=st.sampled_from(sorted(BITS)))
def test_a_figure_under_the_other_unit_is_never_a_bandwidth(size: int, bps: float, unit: str) -> None:
    assume(bps / 8 / size > 20)  # 20 messages a second: below, the message rate has too few digits to tell
    assume(bps / BITS[unit] > 1)
    other = next(name for name in BITS if name != unit)
    assert fact(printed(other, size, bps, unit)) == {"outcome": "unit_mismatch", "bps": None}


@settings(deadline=None)
@given(size=SIZES, bps=st.floats(min_value=1e9, max_value=8e11), cut=st.integers(min_value=1, max_value=40))
def test_a_row_without_its_end_is_refused(size: int, bps: float, cut: int) -> None:
    text = printed("Gb/sec", size, bps, "Gb/sec").rstrip("\n")
    assume(cut < len(text.split("\n")[1]) - 2)
    with pytest.raises(ParseError):
        fact(text[:-cut])
