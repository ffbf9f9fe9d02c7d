"""Speeds, sizes and durations as people write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.documents.quantities import (
    QuantityError,
    duration_s,
    format_duration,
    format_speed,
    size_bytes,
    speed_bps,
)


@pytest.mark.parametrize(
    ("text", "bps"),
    [
        ("400G", 400_000_000_000),
        ("400Gb/s", 400_000_000_000),
        ("100 Gbps", 100_000_000_000),
        ("2.5GbE", 2_500_000_000),
        ("1.6T", 1_600_000_000_000),
        ("800Gbit/s", 800_000_000_000),
        ("48.5M", 48_500_000),
    ],
)
def test_speeds(text: str, bps: int) -> None:
    assert speed_bps(text) == bps


@pytest.mark.parametrize("text", ["400", "400GB", "400g", "4OOG", "fast", "0G", "-1G", "", "390G", "G", "1e3M", "٤G"])
def test_no_speeds(text: str) -> None:
    with pytest.raises(QuantityError, match="speed"):
        speed_bps(text)


def test_a_rate_that_no_link_has_is_answered_with_the_nearest() -> None:
    with pytest.raises(QuantityError, match="the nearest is 400G"):
        speed_bps("450G")


@pytest.mark.parametrize(
    ("text", "size"), [("8M", 8 * 1024**2), ("64KiB", 65536), ("0.5K", 512), ("4096", 4096), ("1 B", 1), ("2G", 2**31)]
)
def test_sizes(text: str, size: int) -> None:
    assert size_bytes(text) == size


@pytest.mark.parametrize("text", ["8MB", "8 megs", "0", "-8M", "0.0001K", "3G", "", "1.5"])
def test_no_sizes(text: str) -> None:
    with pytest.raises(QuantityError, match="size"):
        size_bytes(text)


@pytest.mark.parametrize(("text", "seconds"), [("10s", 10), ("1.5s", 1.5), ("500ms", 0.5), ("5m", 300), ("2h", 7200)])
def test_durations(text: str, seconds: float) -> None:
    assert duration_s(text) == seconds


@pytest.mark.parametrize("text", ["10", "10 sec", "0s", "200h", "-1s", ""])
def test_no_durations(text: str) -> None:
    with pytest.raises(QuantityError, match="duration"):
        duration_s(text)


@given(st.sampled_from([1, 25, 400, 1600]).map(lambda gbps: gbps * 10**9) | st.integers(1, 10**9 - 1))
def test_a_written_speed_reads_back(bps: int) -> None:
    assert speed_bps(format_speed(bps)) == bps


@given(st.integers(1, 600_000_000).map(lambda ms: float(Fraction(ms, 1000))))
def test_a_written_duration_reads_back(seconds: float) -> None:
    assert duration_s(format_duration(seconds)) == seconds
