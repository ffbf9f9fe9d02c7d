"""Ring all-reduce arithmetic, and its words."""

import pytest

from fabric_audit.analysis.collectives import impact, ring_seconds, ring_share, times_longer


@pytest.mark.parametrize(("gpus", "share"), [(0, 0.0), (1, 0.0), (2, 1.0), (8, 1.75), (64, 1.96875)])
def test_what_a_ring_sends_through_each_link(gpus: int, share: float) -> None:
    assert ring_share(gpus) == share


def test_the_slowest_link_sets_the_time() -> None:
    assert ring_seconds(8, 10**9, 400e9) == pytest.approx(0.035)
    assert times_longer(281e9, 394e9) == pytest.approx(1.402, abs=0.001)
    assert times_longer(400e9, 394e9) == 1.0


def test_in_words() -> None:
    assert impact("gpu017 rail 3", 281e9, 394e9, 64) == (
        "collectives between hosts that include gpu017 rail 3 take up to 1.40 times as long: a ring all-reduce of 1 GB"
        " over 64 GPUs 56 ms instead of 40 ms"
    )
    assert impact("x", 200e9, 400e9, 0).endswith("take up to 2.00 times as long")
    assert impact("x", 0.0, 400e9, 8) == "collectives between hosts that include x do not end"
