import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.analysis.deltas import MOST_PER_SECOND, Delta, DeltaKind, Reading, delta, reloaded

TOP_32 = 2**32 - 1


@pytest.mark.parametrize(
    ("before", "after", "bits", "saturates", "expected"),
    [
        (5, 9, 64, False, Delta(4, DeltaKind.GREW)),
        (5, 5, 32, False, Delta(0, DeltaKind.UNCHANGED)),
        (0, 0, 32, False, Delta(0, DeltaKind.UNCHANGED)),
        (TOP_32 - 10, 20, 32, False, Delta(31, DeltaKind.WRAPPED)),
        (TOP_32, 0, 32, False, Delta(1, DeltaKind.WRAPPED)),
        (7120, 3, 32, False, Delta(3, DeltaKind.RESET)),
        (7120, 0, 64, False, Delta(0, DeltaKind.RESET)),
        (TOP_32 - 10, 20, 64, False, Delta(20, DeltaKind.RESET)),
        (TOP_32 - 10, 20, None, None, Delta(20, DeltaKind.RESET)),
        (250, 255, 8, True, Delta(5, DeltaKind.SATURATED)),
        (255, 255, 8, True, Delta(0, DeltaKind.SATURATED)),
        (15, 15, 4, True, Delta(0, DeltaKind.SATURATED)),
        (255, 2, 8, True, Delta(2, DeltaKind.RESET)),
        (3, 9, 8, True, Delta(6, DeltaKind.GREW)),
        (TOP_32, TOP_32, 32, False, Delta(0, DeltaKind.UNCHANGED)),
        (None, 5, 64, False, Delta(None, DeltaKind.UNKNOWN)),
        (5, None, 64, False, Delta(None, DeltaKind.UNKNOWN)),
    ],
)
def test_each_fate_of_a_counter_is_told_apart(
    before: int | None, after: int | None, bits: int | None, saturates: bool | None, expected: Delta
) -> None:
    assert delta(before, after, bits=bits, saturates=saturates, elapsed_s=10) == expected


def test_a_wrap_faster_than_any_link_is_a_reset() -> None:
    before, after = 2**31 + 5, 1
    assert delta(before, after, bits=32, saturates=False, elapsed_s=10).kind is DeltaKind.WRAPPED
    assert delta(before, after, bits=32, saturates=False, elapsed_s=1).kind is DeltaKind.RESET
    assert delta(before, after, bits=32, saturates=False).kind is DeltaKind.WRAPPED


def test_a_counter_that_cannot_wrap_gives_the_reload_away() -> None:
    near_the_top = Reading(before=TOP_32 - 10, after=20, bits=32, saturates=False)
    bytes_sent = Reading(before=10**12, after=500, bits=64, saturates=False)
    grown = Reading(before=1, after=2, bits=64, saturates=False)
    missing = Reading(before=None, after=2, bits=64, saturates=False)
    assert not reloaded([near_the_top, grown, missing])
    assert reloaded([near_the_top, bytes_sent])
    told = delta(TOP_32 - 10, 20, bits=32, saturates=False, elapsed_s=10, reloaded=True)
    assert told == Delta(20, DeltaKind.RESET)
    assert delta(5, 9, bits=64, saturates=False, reloaded=True) == Delta(9, DeltaKind.RESET)
    assert delta(0, 9, bits=64, saturates=False, reloaded=True) == Delta(9, DeltaKind.GREW)


def test_only_growth_that_is_known_is_exact() -> None:
    exact = {kind for kind in DeltaKind if Delta(1, kind).exact}
    assert exact == {DeltaKind.GREW, DeltaKind.UNCHANGED, DeltaKind.WRAPPED}


@given(before=st.integers(0, TOP_32), growth=st.integers(0, 2**31 - 1))
def test_a_32_bit_counter_never_loses_what_it_counted(before: int, growth: int) -> None:
    after = (before + growth) % 2**32
    told = delta(before, after, bits=32, saturates=False, elapsed_s=growth / MOST_PER_SECOND + 1)
    assert told.value == growth


@given(
    before=st.none() | st.integers(0, 2**64),
    after=st.none() | st.integers(0, 2**64),
    bits=st.none() | st.sampled_from([4, 8, 16, 32, 64]),
    saturates=st.none() | st.booleans(),
)
def test_growth_is_never_negative(
    before: int | None, after: int | None, bits: int | None, saturates: bool | None
) -> None:
    told = delta(before, after, bits=bits, saturates=saturates)
    assert (told.value is None) == (told.kind is DeltaKind.UNKNOWN)
    assert told.value is None or told.value >= 0
